// Whatever happens to the socket or the service, each text is signed once, in order, or fails with its reason. The tests read the
// painted picture, through the real proxy and the real sandbox.
import { expect } from '@open-wc/testing';
import { serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import type { SignError } from '../../src/protocol/sign-error.ts';
import { setFaults, setLimits } from '../backend/client.ts';
import { until } from '../until.ts';
import { heard, inOrder, misplaced, mount, rejection, runs, unmountAll, watchPicture } from './harness.ts';
import { messageOf } from './on-page.ts';

const { random } = Math;

// No backoff, so every further try is made at once.
beforeEach(() => void (Math.random = () => 0));
afterEach(async () => {
  Math.random = random;
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

const texts: [string, string, string] = ['Good', 'day', 'to you'];

// The frames are: ready, the acks of the three texts, then their results. When the socket breaks, a text has no answer, an ack or
// a result.
for (const after of [1, 3, 5]) {
  it(`when the WebSocket breaks after ${after} frames of the service, every text is shown once, in order`, async () => {
    await setFaults([{ fault: 'drop_socket', after_frames: after, count: 1 }]);
    const { element, said } = await mount({ transport: 'v3' });
    element.playbackRate = 2;
    const picture = watchPicture(element, texts);
    await Promise.all(texts.map((text) => element.sign(text)));
    const painted = await picture();
    expect(misplaced(painted, texts)).to.deep.equal([]);
    for (const text of texts) {
      const frames = painted.filter((frame) => frame.text === text).map(({ frame }) => frame);
      expect(frames).to.deep.equal([...frames].sort((a, b) => a - b));
    }
    expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
      texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
    );
    expect(inOrder(said, 'sign-accepted')).to.have.length(3);
    expect(inOrder(said, 'sign-result')).to.have.length(3);
    const errors = said
      .filter(({ name }) => name === 'sign-error')
      .map(({ detail }) => detail.error as SignError);
    expect(errors.map(({ severity }) => severity)).to.deep.equal(['warning']);
  });
}

it('when the WebSocket breaks while a text plays, the text plays on, and the element shows that it reconnects', async () => {
  // The frames are: ready, ack and result of the first text, ack of the second.
  await setFaults([{ fault: 'drop_socket', after_frames: 4, count: 1 }]);
  const { element, said } = await mount({ transport: 'v3' });
  const all = ['This text is on screen by then', 'And this one waits'];
  const picture = watchPicture(element, all);
  const first = element.sign(all[0]!);
  await heard(element, 'sign-start');
  Math.random = () => 0.9;
  const second = element.sign(all[1]!);
  await heard(element, 'sign-statechange', ({ state }) => state === 'reconnecting');
  expect(element.matches(':state(reconnecting)')).to.equal(true);
  await element.updateComplete;
  expect(messageOf(element)).to.equal('Connecting again…');
  expect(element.paused).to.equal(false);
  await Promise.all([first, second]);
  expect(runs(await picture())).to.deep.equal(all);
  expect(inOrder(said, 'sign-start')).to.have.length(2);
});

/** What happens to a text that is answered with this code once. */
const signedInTheEnd = (code: ServiceErrorCode): boolean =>
  serviceErrors[code].retryable || serviceErrors[code].severity === 'session';

const codes = Object.keys(serviceErrors) as ServiceErrorCode[];
const endsSession = (code: ServiceErrorCode): boolean => serviceErrors[code].severity === 'session';
const words = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/**
 * Each row is one session, whose texts get these codes and have the same outcome. A code that ends a session has a row of its
 * own.
 */
const rows: readonly (readonly ServiceErrorCode[])[] = [
  codes.filter((code) => !signedInTheEnd(code)),
  codes.filter((code) => signedInTheEnd(code) && !endsSession(code)),
  ...codes.filter(endsSession).map((code) => [code]),
];

for (const row of rows) {
  const isSigned = signedInTheEnd(row[0]!);
  const outcome = isSigned ? 'is signed in the end' : 'is rejected with it, and reported once';
  it(`a text that is answered with ${row.join(', ')} ${outcome}; the others are signed, in order`, async () => {
    await setLimits({ max_inflight: row.length + 2 });
    await setFaults(
      row.map((code, at) => ({ fault: 'error', code, retry_after_seconds: 0, text: at + 2, count: 1 })),
    );
    const { element, said } = await mount({ transport: 'v3' });
    element.playbackRate = 2;
    const failing = row.map((_, at) => words[at]!);
    const all = ['Good', ...failing, 'to you'];
    const picture = watchPicture(element, all);
    const settled = await Promise.allSettled(all.map((text) => element.sign(text)));
    const expected = isSigned ? all : ['Good', 'to you'];
    expect(misplaced(await picture(), expected)).to.deep.equal([]);
    expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
      expected.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
    );
    const errors = said
      .filter(({ name }) => name === 'sign-error')
      .map(({ detail }) => detail.error as SignError);
    const final = errors.filter(({ severity }) => severity !== 'warning').map((error) => error.code);
    expect(final.toSorted()).to.deep.equal(isSigned ? [] : row.toSorted());
    const rejected = settled.map((one) =>
      one.status === 'rejected' ? (one.reason as SignError).code : null,
    );
    expect(rejected).to.deep.equal([null, ...row.map((code) => (isSigned ? null : code)), null]);
  });
}

for (const of of ['ack', 'result', 'both'] as const) {
  it(`an abort of a text that gets no ${of} frees its slot for the next texts`, async () => {
    await setFaults([{ fault: 'silence', of, text: 1 }]);
    await setLimits({ max_inflight: 2 });
    const { element } = await mount({ transport: 'v3' });
    const silent = new AbortController();
    const first = rejection(element.sign('Never answered', { signal: silent.signal }));
    const second = element.sign('Answered');
    await heard(element, 'sign-result');
    silent.abort();
    expect((await first).name).to.equal('AbortError');
    expect((await second).text).to.equal('Answered');
  });
}

it('when the service ends the session and asks to wait some seconds, the element shows how many are left, and then signs', async () => {
  await setFaults([{ fault: 'error', code: 'gloss_unavailable', retry_after_seconds: 6, text: 1, count: 1 }]);
  const { element } = await mount({ transport: 'v3' });
  const signed = element.sign('Good day');
  await until(
    () =>
      element.matches(':state(reconnecting)') && /It goes on in \d seconds?\./.test(messageOf(element) ?? ''),
  );
  expect((await signed).text).to.equal('Good day');
});
