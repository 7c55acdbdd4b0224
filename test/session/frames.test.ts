// Frames that break the protocol or are not in it.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { readyStage, reasonOf } from './stage.ts';

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
    const stage = await readyStage();
    const { result } = stage.session.sign('Hello.');
    stage.socket.sayRaw(data);
    assert.deepEqual(stage.errors, [{ code: 'protocol_error', severity: 'warning', ref: undefined }]);
    stage.socket.result();
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
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Hello.');
    const next = stage.session.sign('Next.');
    stage.socket.say({ ...frame, ref });
    assert.equal(await reasonOf(result), 'protocol_error');
    assert.deepEqual(stage.errors, [{ code: 'protocol_error', severity: 'message', ref }]);
    stage.socket.result(next.ref);
    assert.equal((await next.result).text, 'Next.');
  });
}

test('progress that cannot be read causes a warning, and its text is signed', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.say({ type: 'text.progress', ref });
  assert.deepEqual(stage.errors, [{ code: 'protocol_error', severity: 'warning', ref: undefined }]);
  stage.socket.result(ref);
  assert.equal((await result).text, 'Hello.');
});

test('a result that cannot be read frees its slot', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const { ref } = stage.session.sign('One.');
  void stage.session.sign('Two.');
  stage.socket.say({ type: 'result', ref });
  assert.equal(stage.socket.last.data, 'Two.');
});

test('each unknown type is reported once, and at most sixteen are reported', async () => {
  const warn = mock.method(console, 'warn', () => {});
  const stage = await readyStage();
  stage.socket.say({ type: 'session.mood', mood: 'good' });
  stage.socket.say({ type: 'session.mood', mood: 'bad' });
  assert.equal(warn.mock.callCount(), 1);
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /session\.mood/);
  for (let count = 0; count < 100; count += 1) stage.socket.say({ type: `x${count}` });
  assert.equal(warn.mock.callCount(), 16);
  warn.mock.restore();
  assert.deepEqual(stage.errors, []);
});

test('answers with an unknown ref and a second session.ready are ignored', async () => {
  const stage = await readyStage();
  stage.socket.ack('nobody');
  stage.socket.result('nobody');
  stage.socket.say({ type: 'text.progress', ref: 'nobody', stage: 'gloss' });
  stage.socket.ready({ max_inflight: 99 });
  assert.equal(stage.session.limits?.max_inflight, 3);
  assert.deepEqual(
    stage.events.map(({ name }) => name),
    ['sign-statechange', 'sign-statechange', 'sign-ready'],
  );
});
