// `<sign-translate>` signs texts in a real browser, through the real proxy and the real sandbox. The tests read the painted
// picture.
import { expect } from '@open-wc/testing';
import { openSockets, setFaults, setLimits } from '../backend/client.ts';
import { widthOf } from '../backend/painting.ts';
import { clipUrl, closeServices } from '../playback/clips/clip-urls.ts';
import {
  heard,
  inOrder,
  mount,
  rejection,
  startOf,
  unmountAll,
  until,
  watchPicture,
  untilNobodyIsConnected,
} from './harness.ts';
import { frames } from './on-page.ts';

after(closeServices);
afterEach(async () => {
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

it('signs a text from its first frame to its last, with sign-start and sign-end', async () => {
  const { element, said } = await mount();
  const text = 'Good morning';
  const picture = watchPicture(element, [text]);
  const outcome = await element.sign(text);
  // A busy browser paints the last frame after the end.
  const last = Math.round(element.duration * 25) - 1;
  await until(() => picture.painted.at(-1)?.frame === last);
  const painted = await picture();

  expect(painted.every((frame) => frame.text === text)).to.equal(true);
  const numbers = painted.map(({ frame }) => frame);
  expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
  expect(startOf(painted, text)).to.be.closeTo(0, 0.25);
  expect(outcome.text).to.equal(text);
  expect(outcome.durationSeconds).to.be.closeTo(element.duration, 0.05);
  expect(outcome.ref).to.match(/^[\w-]{22,}$/);
  expect(inOrder(said, 'sign-accepted', 'sign-result', 'sign-start', 'sign-end')).to.deep.equal([
    `sign-accepted ${text}`,
    `sign-result ${text}`,
    `sign-start ${text}`,
    `sign-end ${text}`,
  ]);
  expect(said.every(({ detail }) => !('ref' in detail) || detail.ref === outcome.ref)).to.equal(true);
});

it('goes through connecting, ready and signing, mirrors each as a CSS state, and is ready again', async () => {
  const { element, said } = await mount();
  const during = heard(element, 'sign-start').then(() => element.matches(':state(signing)'));
  await element.sign('Yes');
  await until(() => element.matches(':state(ready)'));
  expect(await during).to.equal(true);
  const states = said.filter(({ name }) => name === 'sign-statechange').map(({ detail }) => detail.state);
  expect(states).to.deep.equal(['connecting', 'ready', 'signing', 'ready']);
  const ready = said.find(({ name }) => name === 'sign-ready')?.detail;
  expect(ready?.config).to.include({ language: 'BSL', resolution: '480p' });
  expect(ready?.limits).to.include({ max_inflight: 3 });
});

it('requests 480p when the visitor saves data', async () => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  const { element } = await mount({ resolution: '1080p' });
  const ready = heard(element, 'sign-ready');
  await element.connect();
  Reflect.deleteProperty(navigator, 'connection');
  expect((await ready).config).to.include({ resolution: '480p' });
});

it('plays texts in call order even if their results arrive in another order, and joins them without a gap', async () => {
  const texts = ['One', 'Two', 'Three'];
  // The clips are made beforehand, because a busy machine may need longer for them than the first result is held back.
  await Promise.all(texts.map((text) => clipUrl(text)));
  closeServices();
  await untilNobodyIsConnected();
  await setFaults([{ fault: 'latency', text: 1, ms: 1500 }]);
  const { element, said } = await mount();
  const picture = watchPicture(element, texts);
  let blank = 0;
  element.addEventListener('timeupdate', () => (blank += element.media?.videoWidth ? 0 : 1));
  const outcomes = await Promise.all(texts.map((text) => element.sign(text)));
  const painted = await picture();
  const shown = painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  expect(shown).to.deep.equal(texts);
  expect(blank).to.equal(0);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(inOrder(said, 'sign-result')[0]).to.not.equal('sign-result One');
  let start = 0;
  for (const text of texts) {
    const mine = painted.filter((frame) => frame.text === text);
    const numbers = mine.map(({ frame }) => frame);
    expect(startOf(painted, text)).to.be.closeTo(start, 0.25);
    start += outcomes.find((outcome) => outcome.text === text)!.durationSeconds!;
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
  }
});

it('all texts have one timeline: duration grows, currentTime runs on, and ended fires once, after the last text', async () => {
  const { element } = await mount();
  const events: string[] = [];
  for (const type of ['play', 'playing', 'pause', 'ended', 'loadedmetadata', 'loadeddata', 'emptied']) {
    element.addEventListener(type, (event) => {
      expect(event.bubbles).to.equal(false);
      events.push(type);
    });
  }
  expect(element.paused).to.equal(true);
  expect(element.duration).to.deep.equal(NaN);
  const first = element.sign('First');
  const second = element.sign('Second');
  await first;
  expect(element.ended).to.equal(false);
  expect(element.paused).to.equal(false);
  const joint = element.currentTime;
  await second;
  await until(() => element.ended);
  expect(element.paused).to.equal(true);
  expect(element.currentTime).to.be.greaterThan(joint);
  expect(element.currentTime).to.be.closeTo(element.duration, 0.1);
  expect(element.buffered.end(0)).to.be.closeTo(element.duration, 0.01);
  expect(element.currentSrc).to.match(/^http:.*\.mp4/);
  expect(events.filter((type) => type === 'ended')).to.have.length(1);
  expect(events.filter((type) => type === 'play')).to.have.length(1);
  expect(events.filter((type) => type === 'pause')).to.have.length(1);
  const loading = (): string[] => events.filter((type) => /^(loaded|emptied)/.test(type));
  expect(loading()).to.deep.equal(['loadedmetadata', 'loadeddata']);

  const third = element.sign('Third');
  await heard(element, 'sign-start');
  expect(element.currentTime).to.be.lessThan(joint);
  await third;
  expect(element.duration).to.be.lessThan(joint + 0.1);
  expect(loading().slice(2)).to.deep.equal(['emptied', 'loadedmetadata', 'loadeddata']);
});

it('before the first text it is a box of the signer’s shape, with its idle slot and without any network', async () => {
  performance.clearResourceTimings();
  const { element } = await mount();
  await frames(5);
  const box = element.shadowRoot!.querySelector('.box')!.getBoundingClientRect();
  expect(box.width / box.height).to.be.closeTo(16 / 9, 0.01);
  expect(element.shadowRoot!.querySelector('slot[name="idle"]')).to.not.equal(null);
  expect(element.media).to.equal(null);
  expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('/ws'))).to.have.length(
    0,
  );
  expect(await openSockets()).to.equal(0);
});

it('signs its text attribute when set, ignores the same value, signs a new one', async () => {
  const { element, said } = await mount({ text: 'Welcome' });
  await heard(element, 'sign-end');
  element.text = 'Welcome';
  element.setAttribute('text', 'Welcome');
  element.text = 'Goodbye';
  await heard(element, 'sign-end');
  expect(inOrder(said, 'sign-start')).to.deep.equal(['sign-start Welcome', 'sign-start Goodbye']);
});

it('signs every value that its text attribute had, also when it changes at once', async () => {
  const { element, said } = await mount();
  element.text = 'One';
  element.text = 'Two';
  element.text = 'Two';
  element.text = 'One';
  for (let ends = 0; ends < 3; ends++) await heard(element, 'sign-end');
  expect(inOrder(said, 'sign-start')).to.deep.equal(['sign-start One', 'sign-start Two', 'sign-start One']);
  expect(element.text).to.equal('One');
});

it('the text attribute is signed before the text of a sign() call that follows it in the same task, and after clear() not at all', async () => {
  const { element, said } = await mount();
  element.text = 'One';
  await element.sign('Two');
  element.text = 'Three';
  element.clear();
  await element.sign('Four');
  expect(inOrder(said, 'sign-start')).to.deep.equal(
    ['One', 'Two', 'Four'].map((text) => `sign-start ${text}`),
  );
});

it('a text that is too long for one message is split, and sign() still settles once', async () => {
  await setLimits({ max_text_length: 24 });
  const { element, said } = await mount();
  const outcome = await element.sign('The first sentence. And a second one. Grüße!');
  expect(inOrder(said, 'sign-accepted', 'sign-start', 'sign-end')).to.have.length(3);
  const results = said.filter(({ name }) => name === 'sign-result');
  // The results of the parts come in any order.
  expect(results.map(({ detail }) => detail.text)).to.have.members([
    'The first sentence.',
    'And a second one.',
    'Grüße!',
  ]);
  expect(new Set(results.map(({ detail }) => detail.ref))).to.deep.equal(new Set([outcome.ref]));
});

it('an aborted text is skipped, whether it waits or plays', async () => {
  const { element, said } = await mount();
  const [playing, waiting] = [new AbortController(), new AbortController()];
  const first = rejection(
    element.sign('A text that is on screen when it is aborted', { signal: playing.signal }),
  );
  const second = rejection(element.sign('Never seen', { signal: waiting.signal }));
  const third = element.sign('Seen');
  await heard(element, 'sign-start');
  waiting.abort();
  playing.abort();
  expect((await first).name).to.equal('AbortError');
  expect((await second).name).to.equal('AbortError');
  await third;
  expect(inOrder(said, 'sign-end', 'sign-error')).to.deep.equal(['sign-end Seen']);
  expect(inOrder(said, 'sign-start')).to.deep.equal([
    'sign-start A text that is on screen when it is aborted',
    'sign-start Seen',
  ]);
});

it('clear() drops the waiting texts, and the text on screen plays on', async () => {
  const { element } = await mount();
  const first = element.sign('Stays');
  const second = rejection(element.sign('Goes'));
  await heard(element, 'sign-start');
  element.clear();
  expect((await second).name).to.equal('AbortError');
  expect((await first).text).to.equal('Stays');
});

it('end() lets the text on screen finish, resolves with the usage, and a later text connects again', async () => {
  const { element, said } = await mount();
  const first = element.sign('Last words');
  await heard(element, 'sign-start');
  const summary = await element.end();
  expect((await first).text).to.equal('Last words');
  expect(summary?.usage).to.include({ messages_processed: 1, errors_encountered: 0 });
  await until(() => element.matches(':state(ended)'));
  await until(async () => (await openSockets()) === 0);
  await element.sign('Here again');
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
  expect(said.filter(({ name }) => name === 'sign-summary')).to.have.length(1);
});

it('end() does not wait for a paused text, also when the pause comes later', async () => {
  const { element } = await mount();
  const outcome = element.sign('Paused while the session ends, and played on later');
  await heard(element, 'sign-start');
  const ended = element.end();
  element.pause();
  expect((await ended)?.usage).to.include({ messages_processed: 1 });
  await until(async () => (await openSockets()) === 0);
  await element.play();
  expect((await outcome).text).to.equal('Paused while the session ends, and played on later');
});

it('queued texts keep the config of their call; a new session signs the later ones', async () => {
  const { element, said } = await mount();
  const widths = new Set<number>();
  for (const type of ['sign-start', 'resize'])
    element.addEventListener(type, () => widths.add(element.videoWidth));
  const first = element.sign('Small');
  element.resolution = '720p';
  await Promise.all([first, element.sign('Large')]);
  // A busy browser may report it later than the last frame.
  await until(() => widths.size > 1);
  expect([...widths]).to.deep.equal([widthOf('480p'), widthOf('720p')]);
  const ready = said.filter(({ name }) => name === 'sign-ready').map(({ detail }) => detail.config as object);
  expect(ready).to.have.length(2);
  expect(inOrder(said, 'sign-start')).to.deep.equal(['sign-start Small', 'sign-start Large']);
});

it('replay() shows the last text again under the same ref and settles nothing', async () => {
  const { element, said } = await mount();
  const { ref } = await element.sign('Again');
  element.replay();
  await heard(element, 'sign-end');
  const signed = said.filter(({ name }) => name === 'sign-start' || name === 'sign-end');
  expect(signed.map(({ detail }) => detail.ref)).to.deep.equal([ref, ref, ref, ref]);
  expect(said.filter(({ name }) => name === 'sign-result')).to.have.length(1);
});

it('with debug there is one sign-progress event for each stage', async () => {
  const { element, said } = await mount({ debug: '' });
  const { ref } = await element.sign('Stages');
  const progress = said.filter(({ name }) => name === 'sign-progress');
  expect(progress.map(({ detail }) => detail.stage)).to.deep.equal([
    'text_to_gloss',
    'gloss_translation',
    'stream_generator',
  ]);
  expect(
    progress.every(({ detail }) => detail.ref === ref && typeof detail.durationMs === 'number'),
  ).to.equal(true);
});
