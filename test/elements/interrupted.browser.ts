// Texts under way are interrupted: by a change of attributes, clear(), an abort, a failing renewal or replay.
import { expect } from '@open-wc/testing';
import { setFaults, setLimits } from '../backend/client.ts';
import { heard, inOrder, mount, rejection, unmountAll, until } from './harness.ts';
import { frames } from './on-page.ts';

const { send } = WebSocket.prototype;

interface SentFrame {
  type: string;
  data?: string;
}

/** Every frame that a page sends from now on; one that `lose` accepts never reaches the service. */
function watchFrames(lose: (frame: SentFrame) => boolean = () => false): SentFrame[] {
  const sent: SentFrame[] = [];
  WebSocket.prototype.send = function (this: WebSocket, data: string) {
    const frame = JSON.parse(data) as SentFrame;
    sent.push(frame);
    if (!lose(frame)) send.call(this, data);
  } as typeof send;
  return sent;
}

afterEach(async () => {
  WebSocket.prototype.send = send;
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

it('a change of attributes during the renewal of a clip does not end its session', async () => {
  const { element, said } = await mount();
  await setFaults([{ fault: 'media_refused', count: 1 }]);
  const held: (() => void)[] = [];
  const { fetch } = window;
  const sent = watchFrames();
  // The refusal of the media is held back until the attributes have changed.
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status === 403) await new Promise<void>((resolve) => held.push(resolve));
    return response;
  };
  const first = element.sign('Small');
  await until(() => held.length === 1);
  window.fetch = fetch;
  element.resolution = '720p';
  const second = element.sign('Large');
  held[0]!();
  expect([(await first).text, (await second).text]).to.deep.equal(['Small', 'Large']);
  expect(sent.filter(({ type }) => type === 'result.fetch')).to.have.length(1);
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
});

it('clear() sends none of the texts that it drops, however many slots become free', async () => {
  const { element } = await mount();
  element.pause();
  const sent = watchFrames();
  let results = 0;
  element.addEventListener('sign-result', () => (results += 1));
  const outcomes = Array.from({ length: 12 }, (_, at) => rejection(element.sign(`Text ${at}`)));
  await until(() => results === 8);
  element.clear();
  // The first one is on screen, where it waits to be played.
  for (const outcome of outcomes.slice(1)) expect((await outcome).name).to.equal('AbortError');
  await frames(3);
  expect(sent.filter(({ type }) => type === 'text')).to.have.length(8);
});

it('the next part of an aborted text is not shown', async () => {
  await setLimits({ max_text_length: 24 });
  const { element } = await mount();
  // Results and frames may take a busy machine as long as the parts at full speed.
  element.playbackRate = 0.25;
  const playing = new AbortController();
  let results = 0;
  element.addEventListener('sign-result', () => (results += 1));
  const outcome = rejection(
    element.sign('The first sentence. And a second one. Grüße!', { signal: playing.signal }),
  );
  await heard(element, 'sign-start');
  await until(() => results === 3);
  await frames(5);
  const inFront = element.media;
  playing.abort();
  await outcome;
  expect(element.media === inFront).to.equal(true);
});

it('a failed renewal is reported once', async () => {
  await setFaults([{ fault: 'media_refused', count: 1 }]);
  const { element, said } = await mount();
  const { fetch } = window;
  // The faults are set before the page gets the refusal: then the result is too old to be fetched, and the second try of the text
  // fails.
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status === 403) {
      window.fetch = fetch;
      await setFaults([
        { fault: 'error', text: 2, code: 'internal_error' },
        { fault: 'advance_clock', seconds: 400 },
      ]);
    }
    return response;
  };
  const outcome = rejection(element.sign('Never again'));
  expect((await outcome).code).to.equal('internal_error');
  expect(said.filter(({ name }) => name === 'sign-error')).to.have.length(1);
});

it('a replay that fails half-way reports an error and ends', async () => {
  const { element } = await mount();
  await element.sign('Fine at first');
  await until(() => element.ended);
  element.replay();
  await heard(element, 'sign-start');
  const reported = heard(element, 'sign-error');
  // The joined video breaks, and so does every other video that could show the clip.
  const { createObjectURL } = URL;
  URL.createObjectURL = () => 'data:text/plain,no-video';
  element.media!.src = 'data:text/plain,no-video';
  const { error } = await reported;
  URL.createObjectURL = createObjectURL;
  expect(error.code).to.equal('media_error');
  expect(element.matches(':state(ready)')).to.equal(true);
  expect((await element.sign('Fine again')).text).to.equal('Fine again');
});

it('after the text to which a page has sought is aborted, the playlist is at its end and seeking is false', async () => {
  const { element, said } = await mount();
  const later = new AbortController();
  const result = heard(element, 'sign-result', ({ text }) => text === 'Goes');
  const first = element.sign('Stays');
  const second = rejection(element.sign('Goes', { signal: later.signal }));
  await heard(element, 'sign-start');
  element.pause();
  await result;
  await element.play();
  element.currentTime = element.duration - 0.1;
  later.abort();
  await Promise.all([first, second]);
  await until(() => element.ended);
  expect(element.seeking).to.equal(false);
  expect(element.currentTime).to.equal(element.duration);
  expect(inOrder(said, 'sign-end')).to.deep.equal(['sign-end Stays']);
});
