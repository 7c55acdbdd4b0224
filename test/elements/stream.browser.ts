// Stream mode in a real browser, through the real proxy and sandbox, with hls.js: events are compared with the picture on screen.
import { expect } from '@open-wc/testing';
import { setFaults, setLimits } from '../backend/client.ts';
import { changePlaylists, restorePlaylists } from './changed-playlists.ts';
import {
  heard,
  inOrder,
  mount,
  passedFrames,
  record,
  rejection,
  runs,
  startOf,
  unmountAll,
  until,
  watchPicture,
  watchStarts,
  type ReportedStart,
} from './harness.ts';

const { random } = Math;

afterEach(async () => {
  Math.random = random;
  restorePlaylists();
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

const stream = { mode: 'stream', transport: 'v3' };

/**
 * An element that shows its stream already. A busy machine may take so long for the first picture that the playlist has dropped a
 * text by then, which is signed in another stream.
 */
async function streaming(): ReturnType<typeof mount> {
  const mounted = await mount(stream);
  await mounted.element.connect();
  await until(() => mounted.element.media);
  return mounted;
}

it('texts are appended to one stream, and each is painted once, in order, with estimated sign-start and sign-end', async () => {
  const { element, said } = await streaming();
  const texts = ['Good morning', 'How are you today'];
  const picture = watchPicture(element, texts);
  const outcomes = await Promise.all(texts.map((text) => element.sign(text)));
  expect(runs(await picture())).to.deep.equal(texts);
  expect(outcomes.map(({ text }) => text)).to.deep.equal(texts);
  expect(inOrder(said, 'sign-accepted')).to.deep.equal(texts.map((text) => `sign-accepted ${text}`));
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  const estimates = said.filter(({ name }) => name === 'sign-start' || name === 'sign-end');
  expect(estimates.every(({ detail }) => detail.estimated === true)).to.equal(true);
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(1);
  expect(said.filter(({ name }) => name === 'sign-result')).to.have.length(0);
}).timeout(90_000);

it('sign-start comes about when the first frame is painted, and sign-end no earlier than 1 s + 0.6 s a word', async () => {
  const { element } = await streaming();
  const text = 'See you tomorrow';
  const picture = watchPicture(element, [text]);
  const starts = watchStarts(element);
  await element.sign(text);
  const [{ from, to }] = starts as [ReportedStart];
  expect(element.currentTime - from).to.be.at.least(1 + 0.6 * 3 - 0.01);
  // A text begins up to 0.16 s before the service takes it.
  expect(startOf(await picture(), text)).to.be.within(from - 1, to + 1);
}).timeout(90_000);

it('a playlist whose clock is an hour ahead of the service does not start a text long before its first frame', async () => {
  let listed = 0;
  changePlaylists((text) =>
    text
      .replace(/PART-HOLD-BACK=[\d.]+/, 'PART-HOLD-BACK=6')
      .replaceAll(/(?<=#EXT-X-PROGRAM-DATE-TIME:).+/g, (date) => {
        listed = Math.max(listed, Date.parse(date));
        return new Date(Date.parse(date) + 3_600_000).toISOString();
      }),
  );
  const { element } = await streaming();
  element.pause();
  const before = listed;
  await until(() => listed > before + 5000);
  await element.play();
  const text = 'See you tomorrow';
  const picture = watchPicture(element, [text]);
  const starts = watchStarts(element);
  await element.sign(text);
  await until(() => picture.painted.filter((seen) => seen.text === text).length > 5);
  const [{ from, to }] = starts as [ReportedStart];
  expect(startOf(await picture(), text)).to.be.within(from - 1, to + 2.5);
}).timeout(90_000);

it('after a pause the stream plays on where it stopped, and a text that was added during the pause follows', async () => {
  const { element, said } = await mount(stream);
  const first = element.sign('Paused in the middle of it');
  await heard(element, 'sign-start');
  element.pause();
  await until(() => element.media!.paused);
  const at = element.currentTime;
  const picture = watchPicture(element, ['Paused in the middle of it', 'Later']);
  const second = element.sign('Later');
  await heard(element, 'sign-accepted');
  expect([element.paused, element.currentTime]).to.deep.equal([true, at]);
  await element.play();
  await Promise.all([first, second]);
  expect(runs(await picture())).to.deep.equal(['Paused in the middle of it', 'Later']);
  expect(inOrder(said, 'sign-start')).to.have.length(2);
}).timeout(90_000);

it('an aborted text stops the picture without a pause, and the stream continues after it by itself', async () => {
  const { element, said } = await mount(stream);
  const text = 'Nobody wants to see the end of this any more';
  const playing = new AbortController();
  const outcome = rejection(element.sign(text, { signal: playing.signal }));
  await heard(element, 'sign-start');
  const started = element.currentTime;
  await until(() => element.currentTime > started + 0.4);
  let pauses = 0;
  element.addEventListener('pause', () => (pauses += 1));
  playing.abort();
  const at = element.currentTime;
  expect((await outcome).name).to.equal('AbortError');
  expect(element.media!.paused).to.equal(true);
  const picture = watchPicture(element, [text]);
  await until(() => !element.media!.paused);
  // All frames of the aborted text that were left out come after the moment of the abort.
  expect(element.currentTime).to.be.at.least(started + 1 + 0.6 * 9 - 0.01);
  const shown = (await picture()).filter((frame) => frame.text === text);
  expect(shown.filter(({ time }) => time > at + 0.1 && time < started + 1 + 0.6 * 9 - 0.1)).to.deep.equal([]);
  expect([element.paused, pauses]).to.deep.equal([false, 0]);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([`sign-start ${text}`]);
});

it('a text that is added while an aborted one is skipped is signed from its first frame', async () => {
  const { element, said } = await mount(stream);
  const playing = new AbortController();
  const first = rejection(element.sign('Not this one after all', { signal: playing.signal }));
  await heard(element, 'sign-start');
  playing.abort();
  await first;
  const picture = watchPicture(element, ['This one instead']);
  const outcome = element.sign('This one instead');
  await heard(element, 'sign-start');
  const started = element.currentTime;
  await outcome;
  const shown = (await picture()).filter(({ text }) => text !== undefined);
  expect(runs(shown)).to.deep.equal(['This one instead']);
  expect(startOf(shown, 'This one instead') - started).to.be.at.least(-0.5);
  expect(inOrder(said, 'sign-end')).to.deep.equal(['sign-end This one instead']);
});

it('an abort removes no frame of another text that is already in the stream', async () => {
  const { element, said } = await mount(stream);
  const playing = new AbortController();
  const texts = ['Aborted while the next is in the stream', 'The next'];
  const picture = watchPicture(element, texts);
  const first = rejection(element.sign(texts[0]!, { signal: playing.signal }));
  const second = element.sign(texts[1]!);
  await heard(element, 'sign-accepted', ({ text }) => text === texts[1]);
  await until(() => element.matches(':state(signing)'));
  let seeks = 0;
  element.addEventListener('seeking', () => (seeks += 1));
  const abortedAt = element.currentTime;
  playing.abort();
  await first;
  expect(element.media!.paused).to.equal(false);
  await second;
  expect(startOf(await picture(), texts[1]!)).to.be.at.least(abortedAt - 0.5);
  expect(seeks).to.equal(0);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    `sign-start ${texts[0]}`,
    `sign-start ${texts[1]}`,
    `sign-end ${texts[1]}`,
  ]);
});

it('replay() signs the last text again from the buffered stream', async () => {
  const { element } = await mount(stream);
  const { ref } = await element.sign('Once more');
  const again = record(element);
  const picture = watchPicture(element, ['Once more']);
  element.replay();
  await heard(element, 'sign-end');
  expect(
    again.filter(({ name }) => name !== 'sign-statechange').map(({ name, detail }) => [name, detail.ref]),
  ).to.deep.equal([
    ['sign-start', ref],
    ['sign-end', ref],
  ]);
  expect(runs(await picture())).to.deep.equal(['Once more']);
}).timeout(90_000);

it('a change from clips to a stream and back keeps the call order, and the old picture until the new one is painted', async () => {
  const { element, said } = await mount({ transport: 'v3' });
  const texts = ['As a clip', 'In the stream', 'A clip again'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  element.playbackRate = 1.25;
  element.mode = 'stream';
  const second = element.sign(texts[1]!);
  element.mode = 'translate';
  const third = element.sign(texts[2]!);
  await Promise.all([first, second, third]);
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(element.media!.playbackRate).to.equal(1.25);
}).timeout(90_000);

it('over REST each text has its own stream, and they play in order, each from first to last frame', async () => {
  const { element, said } = await mount({ mode: 'stream', transport: 'rest' });
  const texts = ['One stream', 'And another'];
  const picture = watchPicture(element, texts);
  await Promise.all(texts.map((text) => element.sign(text)));
  const shown = (await picture()).filter(({ text }) => text !== undefined);
  expect(runs(shown)).to.deep.equal(texts);
  for (const text of texts) expect(startOf(shown, text)).to.be.closeTo(0, 0.25);
  const events = said.filter(({ name }) => name === 'sign-start' || name === 'sign-end');
  expect(events).to.have.length(4);
  expect(events.every(({ detail }) => !('estimated' in detail))).to.equal(true);
}).timeout(90_000);

it('when the media server refuses a stream, its texts fail and the next text gets another stream', async () => {
  await setFaults([{ fault: 'media_error', status: 410, count: 1 }]);
  const { element } = await mount(stream);
  const reported = heard(element, 'sign-error', ({ error }) => error.severity !== 'warning');
  expect((await rejection(element.sign('Refused'))).code).to.equal('media_refused');
  expect((await reported).error.code).to.equal('media_refused');
  await setFaults([]);
  expect((await element.sign('Shown')).text).to.equal('Shown');
}).timeout(90_000);

for (const [transport, status] of [
  ['v3', 404],
  ['rest', 404],
  // As of a store such as S3 behind a content delivery network.
  ['v3', 403],
  ['rest', 403],
] as const) {
  it(`a text over ${transport} whose playlist is not there yet (${status}) waits for it, and is seen from its first frame`, async () => {
    await setFaults([{ fault: 'media_error', status, count: 3 }]);
    const { element, said } = await mount({ mode: 'stream', transport });
    const picture = watchPicture(element, ['It has landed']);
    await element.sign('It has landed');
    const shown = (await picture()).filter(({ text }) => text !== undefined);
    expect(runs(shown)).to.deep.equal(['It has landed']);
    expect(passedFrames(element.media!.played.start(0), shown, 'It has landed')).to.be.below(5);
    expect(said.filter(({ name }) => name === 'sign-error')).to.deep.equal([]);
  }).timeout(90_000);
}

it('when a stream is refused during playback, the text on screen fails and waiting texts are signed in another stream', async () => {
  // The next session is tried half a second later, when nothing is refused any more.
  Math.random = () => 0.99;
  const { element, said } = await streaming();
  const onScreen = rejection(element.sign('On screen for some seconds when its stream is refused'));
  const waiting = element.sign('Waits behind it');
  await heard(element, 'sign-start');
  await setFaults([{ fault: 'media_refused' }]);
  expect((await onScreen).code).to.equal('media_refused');
  await setFaults([]);
  expect((await waiting).text).to.equal('Waits behind it');
  expect(said.filter(({ name }) => name === 'sign-accepted')).to.have.length(2);
  const events = said.map(({ name }) => name).filter((name) => /^sign-(ready|start|end)$/.test(name));
  expect(events).to.deep.equal(['sign-ready', 'sign-start', 'sign-ready', 'sign-start', 'sign-end']);
  expect(inOrder(said, 'sign-end')).to.deep.equal(['sign-end Waits behind it']);
}).timeout(90_000);

it('a text that fails after its acknowledgement is rejected without sign-end; the next is signed', async () => {
  await setFaults([{ fault: 'error', code: 'render_failed', retry_after_seconds: 0 }]);
  const { element, said } = await mount(stream);
  expect((await rejection(element.sign('Taken and not signed'))).code).to.equal('render_failed');
  await setFaults([]);
  expect((await element.sign('Signed')).text).to.equal('Signed');
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(['sign-start Signed', 'sign-end Signed']);
}).timeout(90_000);

it('an element with a stream leaves nothing behind when it is removed', async () => {
  const { element } = await mount(stream);
  const outcome = rejection(element.sign('Removed while it is signed'));
  await heard(element, 'sign-start');
  const video = element.media!;
  element.remove();
  expect((await outcome).name).to.equal('AbortError');
  await until(() => element.media === null);
  expect([video.isConnected, video.hasAttribute('src'), video.paused]).to.deep.equal([false, false, true]);
}).timeout(90_000);
