// Frames that break the protocol or are not in it.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { configure } from '../../src/elements/configure.ts';
import { readyHarness, reasonOf } from './harness.ts';

const malformed: [what: string, data: unknown][] = [
  ['not JSON', '{'],
  ['binary', new ArrayBuffer(2)],
  ['no object', '[]'],
  ['without a type', '{"ref":"a"}'],
  ['a result without a URL and with an unknown ref', '{"type":"result","ref":"nobody"}'],
  ['an acknowledgement without a ref', '{"type":"text.ack"}'],
];

for (const [what, data] of malformed) {
  test(`a frame that is ${what} causes a warning and changes nothing`, async () => {
    const harness = await readyHarness();
    const { result } = harness.session.sign('Hello.');
    harness.socket.sayRaw(data);
    assert.deepEqual(harness.errors, [{ code: 'protocol_error', severity: 'warning', ref: undefined }]);
    harness.socket.result();
    assert.equal((await result).text, 'Hello.');
  });
}

const broken: [what: string, frame: object][] = [
  ['a result without a URL', { type: 'result' }],
  ['a result with a URL that is no web address', { type: 'result', url: 'javascript:alert(1)' }],
  ['an error without a code', { type: 'error' }],
];

for (const [what, frame] of broken) {
  test(`${what} rejects the text of its ref with protocol_error, and the next text is signed`, async () => {
    const harness = await readyHarness();
    const { ref, result } = harness.session.sign('Hello.');
    const next = harness.session.sign('Next.');
    harness.socket.say({ ...frame, ref });
    assert.equal(await reasonOf(result), 'protocol_error');
    assert.deepEqual(harness.errors, [{ code: 'protocol_error', severity: 'message', ref }]);
    harness.socket.result(next.ref);
    assert.equal((await next.result).text, 'Next.');
  });
}

test('progress that cannot be read causes a warning, and its text is signed', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.say({ type: 'text.progress', ref });
  assert.deepEqual(harness.errors, [{ code: 'protocol_error', severity: 'warning', ref: undefined }]);
  harness.socket.result(ref);
  assert.equal((await result).text, 'Hello.');
});

test('an error that cannot be read and comes late, to a try that was given up, leaves the next try alone', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.murmur(10_000);
  assert.notEqual(harness.socket.last.id, ref);
  harness.socket.say({ type: 'error', ref });
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('a result that cannot be read frees its slot', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const { ref } = harness.session.sign('One.');
  void harness.session.sign('Two.');
  harness.socket.say({ type: 'result', ref });
  assert.equal(harness.socket.last.data, 'Two.');
});

test('each unknown type is reported once, and at most sixteen are reported', async () => {
  const warn = mock.method(console, 'warn', () => {});
  const harness = await readyHarness();
  harness.socket.say({ type: 'session.mood', mood: 'good' });
  harness.socket.say({ type: 'session.mood', mood: 'bad' });
  assert.equal(warn.mock.callCount(), 1);
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /session\.mood/);
  for (let count = 0; count < 100; count += 1) harness.socket.say({ type: `x${count}` });
  assert.equal(warn.mock.callCount(), 16);
  warn.mock.restore();
  assert.deepEqual(harness.errors, []);
});

test('an unknown type is not reported on a page that wants no log, and the next one on a page that wants it again', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {});
  const harness = await readyHarness();
  configure({ log: 'none' });
  harness.socket.say({ type: 'session.mood' });
  configure({ log: undefined });
  assert.equal(warn.mock.callCount(), 0);
  harness.socket.say({ type: 'session.weather' });
  assert.equal(warn.mock.callCount(), 1);
});

test('answers with an unknown ref and a second session.ready are ignored', async () => {
  const harness = await readyHarness();
  harness.socket.ack('nobody');
  harness.socket.result('nobody');
  harness.socket.say({ type: 'text.progress', ref: 'nobody', stage: 'gloss' });
  harness.socket.ready({ max_inflight: 99 });
  assert.equal(harness.session.limits?.max_inflight, 3);
  assert.deepEqual(
    harness.events.map(({ name }) => name),
    ['sign-statechange', 'sign-statechange', 'sign-ready'],
  );
});
