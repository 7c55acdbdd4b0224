// From opening the socket to session.ready, and every way in which no session comes of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from './manual-clock.ts';
import { readyStage, reasonOf, Stage } from './stage.ts';

test('nothing is opened before the first text', () => {
  const stage = new Stage();
  assert.equal(stage.session.state, 'idle');
  assert.equal(stage.sockets.length, 0);
});

test('the first text opens the socket, and session.start is the first frame on it', () => {
  const stage = new Stage();
  void stage.session.sign('Hello.');
  assert.equal(stage.socket.url, 'wss://page.example/sign/ws/');
  assert.deepEqual(stage.socket.sent, []);
  stage.socket.open();
  assert.deepEqual(stage.socket.sent, [
    { type: 'session.start', version: '3.0', mode: 'translate', config: { digital_signer: 'RAE' } },
  ]);
});

test('the config is the one of the constructor, whatever becomes of the object', () => {
  const config = { digital_signer: 'RAE' };
  const stage = new Stage({ config });
  config.digital_signer = 'MAX';
  void stage.session.connect();
  stage.socket.open();
  assert.deepEqual(stage.socket.sent[0], {
    type: 'session.start',
    version: '3.0',
    mode: 'translate',
    config: { digital_signer: 'RAE' },
  });
});

test('session.ready brings limits, id, state and sign-ready with the objects as they came', async () => {
  const stage = new Stage();
  assert.equal(stage.session.limits, null);
  assert.equal(stage.session.sessionId, null);
  let atReady: unknown;
  stage.session.on('sign-ready', () => {
    atReady = [stage.session.state, stage.session.sessionId, stage.session.limits?.max_inflight];
  });
  const connected = stage.session.connect();
  stage.socket.open();
  stage.socket.say({
    type: 'session.ready',
    session_id: 's-9',
    config_applied: { digital_signer: 'rae', extra: 1 },
    limits: { max_text_length: 10, max_messages_per_minute: 2, max_inflight: 1, later: true },
  });
  await connected;
  assert.deepEqual(atReady, ['ready', 's-9', 1]);
  assert.deepEqual(stage.details('sign-ready'), [
    {
      sessionId: 's-9',
      config: { digital_signer: 'rae', extra: 1 },
      limits: { max_text_length: 10, max_messages_per_minute: 2, max_inflight: 1, later: true },
    },
  ]);
  assert.deepEqual(stage.details('sign-statechange'), [{ state: 'connecting' }, { state: 'ready' }]);
});

test('the state is up to date before its event fires', () => {
  const stage = new Stage();
  const seen: boolean[] = [];
  stage.session.on('sign-statechange', ({ state }) => seen.push(stage.session.state === state));
  void stage.session.connect();
  stage.socket.open();
  stage.socket.ready();
  stage.socket.drop();
  assert.deepEqual(seen, [true, true, true]);
});

test('connect() twice opens one socket, and once ready it resolves at once', async () => {
  const stage = new Stage();
  const both = Promise.all([stage.session.connect(), stage.session.connect()]);
  await stage.ready();
  await both;
  await stage.session.connect();
  assert.equal(stage.sockets.length, 1);
});

test('a socket that does not open in 10 s is a handshake_timeout and is closed', async () => {
  const stage = new Stage();
  void stage.session.connect();
  await stage.clock.advance(9_999);
  assert.equal(stage.session.state, 'connecting');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'reconnecting');
  assert.deepEqual(stage.errors, [{ code: 'handshake_timeout', severity: 'warning', ref: undefined }]);
  assert.equal(stage.socket.closed, true);
});

test('a socket that opens and says nothing is a handshake_timeout after the same 10 s', async () => {
  const stage = new Stage();
  const { result } = stage.session.sign('Hello.');
  await stage.clock.advance(6_000);
  stage.socket.open();
  await stage.clock.advance(4_000);
  assert.deepEqual(stage.errors, [{ code: 'handshake_timeout', severity: 'warning', ref: undefined }]);
  assert.deepEqual([stage.socket.closed, stage.socket.listeners], [true, 0]);
  await stage.reconnected();
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('an error before session.ready fails the attempt with its own code, and every waiting text too', async () => {
  const stage = new Stage();
  const reason = reasonOf(stage.session.connect());
  const { accepted, result } = stage.session.sign('Hello.');
  stage.socket.open();
  stage.socket.error('invalid_session_start', {}, '');
  assert.deepEqual(await Promise.all([reason, reasonOf(accepted), reasonOf(result)]), [
    'invalid_session_start',
    'invalid_session_start',
    'invalid_session_start',
  ]);
  assert.equal(stage.session.state, 'failed');
  assert.deepEqual(stage.errors, [{ code: 'invalid_session_start', severity: 'message', ref: undefined }]);
  stage.assertNothingLeft();
});

test('an error that calls itself a warning ends the attempt too, and is told as what it is', async () => {
  const stage = new Stage();
  const reason = reasonOf(stage.session.connect());
  stage.socket.open();
  stage.socket.error('invalid_message', { severity: 'warning' }, '');
  assert.equal(await reason, 'invalid_message');
  assert.deepEqual(stage.errors, [{ code: 'invalid_message', severity: 'session', ref: undefined }]);
});

test('a session.ready that cannot be read fails the attempt without waiting', async () => {
  const stage = new Stage();
  const reason = reasonOf(stage.session.connect());
  stage.socket.open();
  stage.socket.say({ type: 'session.ready', session_id: 7 });
  assert.equal(await reason, 'protocol_error');
  stage.assertNothingLeft();
});

test('an address that no socket can be opened for is proxy_unreachable at once, and sign() does not throw', async () => {
  const stage = new Stage({
    webSocket: class {
      constructor() {
        throw new SyntaxError('not a socket address');
      }
    } as never,
  });
  const { result } = stage.session.sign('Hello.');
  assert.equal(await reasonOf(result), 'proxy_unreachable');
  assert.equal(stage.session.state, 'failed');
  assert.equal(stage.clock.pending, 0);
});

test('what a page has put in place of WebSocket and is none is proxy_unreachable at once', async () => {
  const stage = new Stage({
    webSocket: class {
      onmessage = null;
      close(): void {}
    } as never,
  });
  const { result } = stage.session.sign('Hello.');
  assert.equal(await reasonOf(result), 'proxy_unreachable');
  assert.equal(stage.clock.pending, 0);
});

test('after a failure the next text connects again', async () => {
  const stage = new Stage();
  void stage.session.sign('Lost.');
  stage.socket.open();
  stage.socket.drop(1008, 'origin_refused');
  assert.equal(stage.session.state, 'failed');
  const { result } = stage.session.sign('Found.');
  assert.equal(stage.session.state, 'connecting');
  assert.equal(stage.sockets.length, 2);
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await result).text, 'Found.');
});

test('a second session begins with limits and id unknown', async () => {
  const stage = await readyStage();
  stage.socket.drop();
  await stage.clock.advance(250);
  assert.equal(stage.sockets.length, 2);
  assert.equal(stage.session.limits, null);
  assert.equal(stage.session.sessionId, null);
});

test('a rejection of connect() that nobody listens to is not an unhandled one', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const stage = new Stage();
  void stage.session.connect();
  stage.socket.drop(1008, 'origin_refused');
  await promisesSettled();
  await promisesSettled();
  process.off('unhandledRejection', listener);
  assert.equal(stage.session.state, 'failed');
  assert.deepEqual(unhandled, []);
});
