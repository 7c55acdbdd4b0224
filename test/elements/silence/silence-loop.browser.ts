// `<sign-silence-loop>` with the real proxy and sandbox: its requests, when it plays, and its failures.
import { expect } from '@open-wc/testing';
import { addresses, setFaults } from '../../backend/client.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { clear, mount, wantReducedMotion, watchFetch, watchLongTimers } from './silence-harness.ts';
import '../../../src/define/sign-translate.ts';
import { until } from '../harness.ts';
import { frames } from '../on-page.ts';

afterEach(async () => {
  await clear();
  await setFaults([]);
});

for (const [format, files] of [
  ['mp4', 1],
  ['ts', 6],
] as const) {
  it(`plays ${format}, requested once, beyond the end of the first round`, async () => {
    const asked = await watchFetch();
    const { element, states } = await mount({ format });
    // On a busy machine the clock runs before the first frame is painted.
    await until(async () => element.media && (await stampOf(element.media))?.clip === 0);
    expect(element.duration).to.be.closeTo(12, 0.05);
    expect(element.ended).to.equal(false);
    element.currentTime = 11.6;
    await until(() => element.currentTime < 1);
    expect(element.paused).to.equal(false);
    expect(asked.silence).to.deep.equal([{ language: 'bsl', signer: 'rae', format }]);
    expect(asked.media).to.have.length(files);
    expect(states).to.deep.equal(['connecting', 'ready']);
    expect(element.loop).to.equal(true);
    expect(element.currentSrc).to.equal(asked.media[0]);
  });
}

it('a loop makes no request before it is near the viewport, and is paused while it is out of sight', async () => {
  const asked = await watchFetch();
  const spacer = document.createElement('div');
  spacer.className = 'spacer';
  spacer.style.height = '5000px';
  document.body.append(spacer);
  const { element } = await mount();
  await frames(10);
  expect(asked.silence).to.have.length(0);
  element.scrollIntoView();
  await until(() => element.currentTime > 0);
  scrollTo(0, 0);
  await until(() => element.paused);
  element.scrollIntoView();
  await until(() => !element.paused);
  expect(asked.silence).to.have.length(1);
});

it('another language is requested once, and the picture stays until the new loop joins', async () => {
  const asked = await watchFetch();
  const { element, states } = await mount({ signer: 'RAE' });
  await until(() => element.currentTime > 0);
  const { media } = element;
  const emptied: Event[] = [];
  element.addEventListener('emptied', (event) => emptied.push(event));
  let changes = 0;
  element.addEventListener('durationchange', () => changes++);
  element.removeAttribute('signer');
  element.setAttribute('language', 'ASL');
  await until(() => asked.media.length === 2);
  await until(() => element.currentSrc === asked.media[1]);
  expect(asked.silence[1]).to.deep.equal({ language: 'asl', signer: 'max', format: 'mp4' });
  expect(element.media === media && !element.paused).to.equal(true);
  expect(emptied).to.have.length(0);
  expect(states).to.deep.equal(['connecting', 'ready']);
});

it('a refused address is renewed, once for all segments', async () => {
  const { media } = await addresses();
  const segments = 6;
  const asked = await watchFetch(({ origin }) =>
    origin === media && asked.media.length <= segments ? new Response(null, { status: 403 }) : null,
  );
  const { element, errors } = await mount({ format: 'ts' });
  await until(() => element.currentTime > 0);
  expect(asked.silence).to.have.length(2);
  expect(asked.media).to.have.length(2 * segments);
  expect(errors).to.deep.equal([]);
});

it('when a segment stays refused, the loop in one file is shown', async () => {
  const { media } = await addresses();
  let refused = '';
  const asked = await watchFetch(({ origin, pathname }) => {
    if (origin !== media || !pathname.endsWith('.ts')) return null;
    refused ||= pathname;
    return pathname === refused ? new Response(null, { status: 404 }) : null;
  });
  const { element, errors } = await mount({ format: 'ts' });
  await until(() => element.currentTime > 0);
  expect(asked.silence.map(({ format }) => format)).to.deep.equal(['ts', 'ts', 'ts', 'mp4']);
  expect(errors).to.deep.equal([]);
});

it('an address that scripts may not read is renewed before it expires, at most once a minute', async () => {
  const renewals = watchLongTimers();
  const { media } = await addresses();
  const asked = await watchFetch((url, init) => {
    if (url.origin !== media) return null;
    if (init?.mode !== 'no-cors') throw new TypeError('Failed to fetch');
    // fetch() of a host without CORS rejects like this.
    return Object.create(Response.prototype, { type: { value: 'opaque' } }) as Response;
  });
  const { element, errors } = await mount();
  await until(() => element.currentTime > 0);
  const first = element.currentSrc;
  expect(element.media!.src).to.equal(first);
  const [renewal, ...others] = renewals();
  expect(others).to.have.length(0);
  // The service's clock may be ahead of the page's, never behind it here.
  expect(renewal!.ms).to.be.above(60_000);
  // The visitor's clock is a day ahead, so the new address seems to have expired already.
  const { now } = Date;
  Date.now = () => now() + 86_400_000;
  renewal!.run();
  await until(() => asked.silence.length === 2);
  await until(() => element.currentSrc !== first && element.media!.src === element.currentSrc);
  Date.now = now;
  expect(renewals().map(({ ms }) => ms)).to.deep.equal([60_000]);
  expect(errors).to.deep.equal([]);
});

it('with reduced motion a loop shows a still and a play button, and plays by the button or when motion is allowed again', async () => {
  const want = wantReducedMotion();
  const asked = await watchFetch();
  const { element, errors } = await mount({ signer: 'RAE' });
  await until(() => element.media);
  await until(async () => (await stampOf(element.media!))?.frame === 0);
  await frames(5);
  expect(element.paused).to.equal(true);
  const button = (): HTMLButtonElement | null => element.shadowRoot!.querySelector('button.start');
  await until(button);
  // Another still takes its place, also at the very beginning.
  const { media } = element;
  element.removeAttribute('signer');
  element.setAttribute('language', 'ASL');
  await until(() => asked.media.length === 2);
  await until(() => element.currentSrc === asked.media[1] && !element.seeking && element.readyState >= 2);
  expect([element.paused, element.media === media, errors]).to.deep.equal([true, true, []]);
  button()!.click();
  await until(() => element.currentTime > 0);
  expect(button()).to.equal(null);
  want(true);
  await until(() => element.paused);
  want(false);
  await until(() => !element.paused);
});

it('K pauses and plays, also before anything is loaded', async () => {
  const { element } = await mount();
  element.pause();
  await until(() => element.media);
  await frames(5);
  expect(element.paused).to.equal(true);
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'k' }));
  await until(() => element.currentTime > 0);
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'k' }));
  await until(() => element.paused);
});

it('a change of speed or volume fires one event', async () => {
  const { element } = await mount();
  await until(() => element.currentTime > 0);
  const told: string[] = [];
  for (const type of ['ratechange', 'volumechange']) element.addEventListener(type, () => told.push(type));
  element.playbackRate = 1.5;
  element.volume = 0.5;
  const { media } = element;
  await until(() => media!.playbackRate === 1.5 && media!.volume === 0.5);
  await frames(10);
  expect(told).to.deep.equal(['ratechange', 'volumechange']);
});

it('a click on the picture pauses and plays', async () => {
  const { element } = await mount();
  await until(() => element.currentTime > 0);
  element.media!.click();
  await until(() => element.paused);
  element.media!.click();
  await until(() => !element.paused);
});

it('transparent requests ProRes where the browser reports that it plays it, and is keyed elsewhere', async () => {
  const { canPlayType } = HTMLMediaElement.prototype;
  // The probe below is replaced, because WebKitGTK does play ProRes, but on black.
  const noVideo = (): Response =>
    new Response('no video', { headers: { 'Content-Type': 'video/quicktime' } });
  // A busy machine would need a minute to make the ProRes, which is not played here.
  const asked = await watchFetch(({ pathname, searchParams, origin }) => {
    if (searchParams.has('transparent')) return Response.json({ url: `${origin}/idle.mov` });
    return pathname.endsWith('.mov') ? noVideo() : null;
  });
  const { element } = await mount({ transparent: '' });
  expect(element.background).to.equal('transparent');
  await until(() => element.currentTime > 0);
  expect(asked.silence).to.deep.equal([{ language: 'bsl', signer: 'rae', format: 'mp4' }]);
  element.remove();
  HTMLMediaElement.prototype.canPlayType = () => 'maybe';
  const { element: other, errors } = await mount({ transparent: '' });
  await until(() => other.currentTime > 0).finally(
    () => (HTMLMediaElement.prototype.canPlayType = canPlayType),
  );
  expect(asked.silence.slice(1)).to.deep.equal([
    { language: 'bsl', signer: 'rae', transparent: 'true' },
    { language: 'bsl', signer: 'rae', format: 'mp4' },
  ]);
  expect(errors).to.deep.equal([]);
  // Without the attribute `transparent` the background is the signer's own again, unless the page has set `background`.
  const without = async (): Promise<string | null> => {
    other.transparent = false;
    await other.updateComplete;
    return other.background;
  };
  expect(await without()).to.equal(null);
  Object.assign(other, { transparent: true, background: 'transparent' });
  await other.updateComplete;
  expect(await without()).to.equal('transparent');
});

it('the events of a loop in the idle slot of another element do not reach that element', async () => {
  const { element, states } = await mount();
  const around = document.createElement('sign-translate');
  const heard: string[] = [];
  around.addEventListener('sign-statechange', ({ detail }) => heard.push(detail.state));
  element.slot = 'idle';
  document.body.append(around);
  await around.updateComplete;
  around.append(element);
  await until(() => states.includes('ready'));
  around.remove();
  expect(heard).to.deep.equal([]);
});

it('plays on when moved, releases everything when removed, and plays again when put back or restored from the cache', async () => {
  const { element, states } = await mount();
  await until(() => element.currentTime > 0);
  const { media } = element;
  const frame = document.createElement('div');
  document.body.append(frame);
  frame.append(element);
  await frames(4);
  expect(element.media === media).to.equal(true);
  await until(() => !element.paused);
  frame.remove();
  await until(() => states.at(-1) === 'idle');
  expect(element.media).to.equal(null);
  expect(element.shadowRoot!.querySelectorAll('video')).to.have.length(0);
  document.body.append(element);
  await until(() => element.currentTime > 0);
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  expect(element.media).to.equal(null);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await until(() => element.currentTime > 0);
});
