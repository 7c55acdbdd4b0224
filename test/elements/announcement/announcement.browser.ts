// `<sign-announcement>` against the real proxy and sandbox: what it sends, what it shows, and what it does when something fails.
import { expect } from '@open-wc/testing';
import type { SignAnnouncement } from '../../../src/elements/sign-announcement.ts';
import { playsAlphaWebm } from '../../../src/playback/alpha-webm.ts';
import {
  announcementFlags,
  announcementWords,
  type AnnouncementFields,
} from '../../../src/protocol/announcement-fields.ts';
import { proxyAddress, setFaults } from '../../backend/client.ts';
import { accepted, buttonOf, cached, clear, messageOf, mount, watchFetch } from './announcement-harness.ts';
import { rejection, until } from '../harness.ts';
import { frames } from '../on-page.ts';

const { setTimeout } = window;
const { now } = performance;

/** Makes the waits between tries 0, and lets a minute pass in a second. */
function hurry(): void {
  performance.now = () => 60 * now.call(performance);
  window.setTimeout = ((run: () => void, ms = 0) =>
    setTimeout(run, ms >= 500 && ms <= 8_000 ? ms / 60 : ms)) as typeof window.setTimeout;
}

function calm(): void {
  performance.now = now;
  window.setTimeout = setTimeout;
}

afterEach(async () => {
  calm();
  await clear();
  await setFaults([]);
});

it('has an attribute and a property for each field, and none hides a member of HTMLElement', async () => {
  const { element } = await mount();
  const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  for (const name of announcementWords) {
    expect(name in HTMLElement.prototype, name).to.equal(false);
    element.setAttribute(kebab(name), 'x');
    expect(element[name], name).to.equal('x');
    element.removeAttribute(kebab(name));
    expect(element[name], name).to.equal(null);
  }
  for (const name of announcementFlags) {
    expect(name in HTMLElement.prototype, name).to.equal(false);
    element.setAttribute(kebab(name), '');
    expect(element[name], name).to.equal(true);
    element.setAttribute(kebab(name), 'false');
    expect(element[name], name).to.equal(false);
  }
});

it('changes in one task make one announcement, equal announcements share a request, and unchanged fields make none', async () => {
  const asked = await watchFetch();
  const attributes = { destination: 'EDB', timing: '0930', platform: '4', background: '#336699' };
  const [one, two] = [await mount(attributes), await mount(attributes)];
  await until(() => one.said.includes('sign-end') && two.said.includes('sign-end'));
  const body = { destination: 'EDB', timing: '0930', platform: '4', bgColour: '51,102,153' };
  expect(asked.submitted).to.deep.equal([body]);
  const states = ['sign-statechange connecting', 'sign-accepted', 'sign-result'];
  expect(one.said).to.deep.equal([
    ...states,
    'sign-statechange signing',
    'sign-start',
    'sign-end',
    'sign-statechange ended',
  ]);
  one.element.setAttribute('platform', '4');
  one.element.cancelled = false;
  await frames(5);
  expect(asked.submitted).to.have.length(1);
  one.element.updatedPlatform = '5A';
  one.element.setAttribute('disruption-reason', '104');
  await Promise.resolve();
  one.element.bgColour = '0,0,0';
  const { media } = one.element;
  await until(() => asked.media.length === 3);
  expect(one.element.media === media).to.equal(true);
  await until(() => one.element.currentSrc === asked.media[2]);
  expect(asked.submitted.slice(1)).to.deep.equal([
    { ...body, updatedPlatform: '5A', disruptionReason: '104', bgColour: '0,0,0' },
  ]);
}).timeout(90_000);

it('announce() resolves at the last frame; the same fields play again without a download, and loop repeats them', async () => {
  const asked = await watchFetch();
  const { element, said } = await mount();
  await frames(3);
  expect(asked.submitted).to.have.length(0);
  const fields: AnnouncementFields = { destination: 'YRK', platformInfo: 'approaching' };
  const outcome = await element.announce(fields);
  expect(outcome).to.deep.equal({ requestId: asked.looks[0], url: element.currentSrc });
  expect(said.at(-1)).to.equal('sign-statechange ended');
  expect(await element.announce(fields)).to.deep.equal(outcome);
  const starts = (): number => said.filter((name) => name === 'sign-start').length;
  expect(starts()).to.equal(2);
  element.loop = true;
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }));
  await until(() => starts() >= 4);
  expect(said.at(-2)).to.not.equal('sign-statechange ended');
  expect([asked.submitted.length, asked.media.length]).to.deep.equal([1, 1]);
}).timeout(90_000);

it('announce(fields) right after the element came to the page announces these fields, and not the attributes', async () => {
  const asked = await watchFetch();
  const { element } = await mount({ destination: 'EDB', timing: '0930' });
  await element.announce({ destination: 'EUS', timing: '1000' });
  await frames(5);
  expect(asked.submitted).to.deep.equal([{ destination: 'EUS', timing: '1000' }]);
  element.timing = '0945';
  await until(() => asked.submitted.length === 2);
  expect(asked.submitted[1]).to.deep.equal({ destination: 'EDB', timing: '0945' });
}).timeout(60_000);

it('play() restarts an ended announcement, and continues a paused one where it stopped', async () => {
  const asked = await watchFetch();
  const { element, said } = await mount({ destination: 'PAD' });
  await until(() => element.ended);
  // Slow, because reading the picture may take as long as an announcement at full speed.
  element.playbackRate = 0.25;
  await element.play();
  expect([element.ended, element.paused]).to.deep.equal([false, false]);
  await until(() => said.filter((name) => name === 'sign-start').length === 2);
  await until(() => element.currentTime > 0.2);
  element.pause();
  const { currentTime } = element;
  element.playbackRate = 2;
  await element.play();
  expect(element.currentTime).to.be.at.least(currentTime);
  await until(() => said.filter((name) => name === 'sign-end').length === 2);
  expect([asked.submitted.length, asked.media.length]).to.deep.equal([1, 1]);
}).timeout(90_000);

it('background="transparent" shows the WebM of the service, or, where that does not play well, the keyed video up to its end', async () => {
  // In WebKitGTK the WebM may or may not play well. Elsewhere a busy machine may need several tries to find out that it does.
  const isWebKit = /AppleWebKit/.test(navigator.userAgent) && !/Chrome/.test(navigator.userAgent);
  const isServed = isWebKit ? await playsAlphaWebm() : await until(playsAlphaWebm);
  const asked = await watchFetch();
  const { element, said } = await mount({ 'static-message': 'MIND_THE_GAP', background: 'transparent' });
  await until(() => said.includes('sign-start') || said.some((name) => name.startsWith('sign-error')));
  expect(asked.submitted[0]?.bgColour).to.equal(isServed ? '-1,-1,-1' : undefined);
  expect(new URL(element.currentSrc).pathname).to.match(isServed ? /\.webm$/ : /\.mp4$/);
  const box = element.shadowRoot!.querySelector('.box')!;
  const shown = isServed ? element.media! : (await until(() => box.querySelector('canvas')))!;
  const { width, height } =
    shown instanceof HTMLCanvasElement ? shown : { width: shown.videoWidth, height: shown.videoHeight };
  const sight = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
  const alphaAt = (x: number, y: number): number => {
    sight.clearRect(0, 0, width, height);
    sight.drawImage(shown, 0, 0);
    return sight.getImageData(x * width, y * height, 1, 1).data[3]!;
  };
  // The signer's chest; then below the stamp, where there is only background.
  await until(() => alphaAt(0.5, 0.5) === 255);
  expect(alphaAt(0.003, 0.14)).to.equal(0);
  expect(getComputedStyle(box.firstElementChild!).opacity).to.equal('1');
  await until(() => said.includes('sign-end'));
}).timeout(90_000);

it('reports every invalid field, and sends nothing', async () => {
  const asked = await watchFetch();
  const { element, said } = await mount({ destination: 'EDB', timing: '930', 'operator-delay': 'minor' });
  await until(() => said.includes('sign-error invalid_request'));
  expect(messageOf(element)).to.equal('This announcement could not be signed.');
  const { message } = await rejection(element.announce());
  expect(message).to.equal('timing: 4 digits HHMM; operatorDelay: needs operator');
  expect(asked.submitted).to.have.length(0);
});

it('a failed announcement shows nothing of the log of the service, and can be announced again', async () => {
  await setFaults([{ fault: 'announcement_fails', error_log: 'No sign for <b>KGX</b>', count: 1 }]);
  const { element, said } = await mount({ destination: 'LDS' });
  const error = await rejection(element.announce());
  expect([error.code, error.message]).to.deep.equal(['announcement_failed', 'No sign for <b>KGX</b>']);
  await until(() => messageOf(element) === 'This announcement could not be signed.');
  expect(said.filter((name) => name.startsWith('sign-error'))).to.deep.equal([
    'sign-error announcement_failed',
  ]);
  expect(said.at(-2)).to.equal('sign-statechange failed');
  void element.announce();
  await until(() => said.includes('sign-start'));
  expect(messageOf(element)).to.equal(undefined);
});

it('fields that are set while the proxy is away for more than a minute are announced when it is back', async () => {
  const { fetch } = window;
  let isAway = true;
  // The minute of tries takes no time.
  window.setTimeout = ((run: () => void, ms = 0) =>
    setTimeout(run, isAway && ms >= 500 && ms <= 10_000 ? 0 : ms)) as typeof window.setTimeout;
  const proxy = await proxyAddress();
  window.fetch = (url, init) =>
    isAway && String(url).startsWith(proxy) ? Promise.reject(new TypeError('away')) : fetch(url, init);
  const { said } = await mount({ destination: 'BTN' });
  await until(() => said.includes('sign-error proxy_unreachable'));
  isAway = false;
  const asked = await watchFetch();
  window.dispatchEvent(new Event('online'));
  await until(() => said.includes('sign-end'));
  expect(asked.submitted).to.deep.equal([{ destination: 'BTN' }]);
}).timeout(90_000);

const byOnline = (): unknown => window.dispatchEvent(new Event('online'));
for (const [who, faults, again] of [
  ['by themselves on online', [], byOnline],
  ['by themselves on online also from a host without CORS', [{ fault: 'media_host', cors: false }], byOnline],
  ['by the button', [], (element: SignAnnouncement): unknown => buttonOf(element)?.click()],
] as const) {
  it(`fields whose video does not load for more than a minute are shown ${who}, and are requested once`, async () => {
    await setFaults([...faults, { fault: 'media_error', status: 503 }]);
    const asked = await watchFetch();
    const { element, said } = await mount({ destination: 'BTN' });
    await until(() => said.includes('sign-result'));
    const failed = new Promise((resolve) => element.addEventListener('sign-error', resolve));
    await cached(asked.looks.at(-1)!);
    hurry();
    await failed;
    calm();
    expect(said).to.include('sign-error media_error');
    await setFaults([]);
    await until(() => buttonOf(element));
    again(element);
    await until(() => said.includes('sign-end'));
    expect(asked.submitted).to.deep.equal([{ destination: 'BTN' }]);
    expect(messageOf(element)).to.equal(undefined);
  }).timeout(90_000);
}

it('waits for Retry-After when there are too many requests, and then continues', async () => {
  await setFaults([
    { fault: 'rest_error', status: 429, operation: 'announcement_status', retry_after: 1, count: 1 },
  ]);
  const asked = await watchFetch();
  const { element, said } = await mount({ destination: 'NCL' });
  const refs: unknown[] = [];
  element.addEventListener('sign-error', ({ detail }) => refs.push(detail.ref));
  await until(() => said.includes('sign-start'));
  expect(refs).to.deep.equal([asked.looks[0]]);
  expect(said).to.include('sign-error rate_limited warning');
});

it('makes no request after it is removed, and announces again when it is put back', async () => {
  const asked = await watchFetch();
  const { element, said } = await mount({ destination: 'MAN' });
  await accepted(element);
  const outcome = rejection(element.announce());
  element.remove();
  expect((await outcome).name).to.equal('AbortError');
  const looks = asked.looks.length;
  await until(() => said.at(-1) === 'sign-statechange idle');
  expect((await rejection(element.announce({ destination: 'MAN' }))).name).to.equal('AbortError');
  document.body.append(element);
  await until(() => said.includes('sign-start'));
  expect(asked.submitted).to.have.length(2);
  // The status of the first id was not requested again.
  expect(new Set(asked.looks.slice(looks)).size).to.equal(1);
});

it('removing the fields stops the announcement that is being made', async () => {
  const { element, said } = await mount({ destination: 'BHM' });
  await accepted(element);
  const outcome = rejection(element.announce());
  await frames(1);
  element.removeAttribute('destination');
  expect((await outcome).name).to.equal('AbortError');
  await until(() => said.at(-1) === 'sign-statechange idle');
  expect(messageOf(element)).to.equal(undefined);
});

it('makes no request after the visitor has left the page, and announces again when the page is restored', async () => {
  const asked = await watchFetch();
  const { element, said } = await mount({ destination: 'SHF' });
  await accepted(element);
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  await until(() => said.at(-1) === 'sign-statechange idle');
  await frames(5);
  expect(asked.submitted).to.have.length(1);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await until(() => asked.submitted.length === 2);
});

it('finds the video under another field name, and looks it up again when its address is refused', async () => {
  await setFaults([
    { fault: 'names', names: { announcement_download_url: 'signed_video_link' } },
    { fault: 'media_refused', count: 1 },
  ]);
  const asked = await watchFetch();
  const { said } = await mount({ destination: 'GLC' });
  await until(() => said.includes('sign-start'));
  expect(asked.submitted).to.have.length(1);
  expect(asked.media).to.have.length(2);
  expect(said.some((name) => name.startsWith('sign-error'))).to.equal(false);
});
