// From opening the socket to session.ready, and every failure before that.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../promises-settled.ts';
import { readyHarness, reasonOf, Harness } from './harness.ts';

test('nothing is opened before the first text', () => {
  const harness = new Harness();
  assert.equal(harness.session.state, 'idle');
  assert.equal(harness.sockets.length, 0);
});

test('the first text opens the socket, and session.start is the first frame on it', () => {
  const harness = new Harness();
  void harness.session.sign('Hello.');
  assert.equal(harness.socket.url, 'wss://page.example/sign/ws/');
  assert.deepEqual(harness.socket.sent, []);
  harness.socket.open();
  assert.deepEqual(harness.socket.sent, [
    { type: 'session.start', version: '3.0', mode: 'translate', config: { digital_signer: 'RAE' } },
  ]);
});

test('the config is the one of the constructor, also when the object changes afterwards', () => {
  const config = { digital_signer: 'RAE' };
  const harness = new Harness({ config });
  config.digital_signer = 'MAX';
  void harness.session.connect();
  harness.socket.open();
  assert.deepEqual(harness.socket.sent[0], {
    type: 'session.start',
    version: '3.0',
    mode: 'translate',
    config: { digital_signer: 'RAE' },
  });
});

test('session.ready brings limits, id, state and sign-ready with the objects as they came', async () => {
  const harness = new Harness();
  assert.equal(harness.session.limits, null);
  assert.equal(harness.session.sessionId, null);
  let atReady: unknown;
  harness.session.on('sign-ready', () => {
    atReady = [harness.session.state, harness.session.sessionId, harness.session.limits?.max_inflight];
  });
  const connected = harness.session.connect();
  harness.socket.open();
  harness.socket.say({
    type: 'session.ready',
    session_id: 's-9',
    config_applied: { digital_signer: 'rae', extra: 1 },
    limits: { max_text_length: 10, max_messages_per_minute: 2, max_inflight: 1, later: true },
  });
  await connected;
  assert.deepEqual(atReady, ['ready', 's-9', 1]);
  assert.deepEqual(harness.details('sign-ready'), [
    {
      sessionId: 's-9',
      config: { digital_signer: 'rae', extra: 1 },
      limits: { max_text_length: 10, max_messages_per_minute: 2, max_inflight: 1, later: true },
    },
  ]);
  assert.deepEqual(harness.details('sign-statechange'), [{ state: 'connecting' }, { state: 'ready' }]);
});

test('the state is up to date before its event fires', () => {
  const harness = new Harness();
  const seen: boolean[] = [];
  harness.session.on('sign-statechange', ({ state }) => seen.push(harness.session.state === state));
  void harness.session.connect();
  harness.socket.open();
  harness.socket.ready();
  harness.socket.drop();
  assert.deepEqual(seen, [true, true, true]);
});

test('connect() twice opens one socket, and once ready it resolves at once', async () => {
  const harness = new Harness();
  const both = Promise.all([harness.session.connect(), harness.session.connect()]);
  await harness.ready();
  await both;
  await harness.session.connect();
  assert.equal(harness.sockets.length, 1);
});

test('a socket that does not open in 10 s is a handshake_timeout and is closed', async () => {
  const harness = new Harness();
  void harness.session.connect();
  await harness.clock.advance(9_999);
  assert.equal(harness.session.state, 'connecting');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'reconnecting');
  assert.deepEqual(harness.errors, [{ code: 'handshake_timeout', severity: 'warning', ref: undefined }]);
  assert.equal(harness.socket.closed, true);
});

test('a socket that opens and says nothing is a handshake_timeout after the same 10 s', async () => {
  const harness = new Harness();
  const { result } = harness.session.sign('Hello.');
  await harness.clock.advance(6_000);
  harness.socket.open();
  await harness.clock.advance(4_000);
  assert.deepEqual(harness.errors, [{ code: 'handshake_timeout', severity: 'warning', ref: undefined }]);
  assert.deepEqual([harness.socket.closed, harness.socket.listeners], [true, 0]);
  await harness.reconnected();
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('an error before session.ready fails the attempt with its own code, and every waiting text too', async () => {
  const harness = new Harness();
  const reason = reasonOf(harness.session.connect());
  const { accepted, result } = harness.session.sign('Hello.');
  harness.socket.open();
  harness.socket.error('invalid_session_start', {}, '');
  assert.deepEqual(await Promise.all([reason, reasonOf(accepted), reasonOf(result)]), [
    'invalid_session_start',
    'invalid_session_start',
    'invalid_session_start',
  ]);
  assert.equal(harness.session.state, 'failed');
  assert.deepEqual(harness.errors, [{ code: 'invalid_session_start', severity: 'message', ref: undefined }]);
  harness.assertNothingLeft();
});

test('an error that calls itself a warning ends the attempt too, and is reported with its real severity', async () => {
  const harness = new Harness();
  const reason = reasonOf(harness.session.connect());
  harness.socket.open();
  harness.socket.error('invalid_message', { severity: 'warning' }, '');
  assert.equal(await reason, 'invalid_message');
  assert.deepEqual(harness.errors, [{ code: 'invalid_message', severity: 'session', ref: undefined }]);
});

test('a session.ready that cannot be read fails the attempt without waiting', async () => {
  const harness = new Harness();
  const reason = reasonOf(harness.session.connect());
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', session_id: 7 });
  assert.equal(await reason, 'protocol_error');
  harness.assertNothingLeft();
});

test('an address that no socket can be opened for is proxy_unreachable at once, and sign() does not throw', async () => {
  const harness = new Harness({
    webSocket: class {
      constructor() {
        throw new SyntaxError('not a socket address');
      }
    } as never,
  });
  const { result } = harness.session.sign('Hello.');
  assert.equal(await reasonOf(result), 'proxy_unreachable');
  assert.equal(harness.session.state, 'failed');
  assert.equal(harness.clock.pending, 0);
});

test('a replacement of WebSocket that is none is proxy_unreachable at once', async () => {
  const harness = new Harness({
    webSocket: class {
      onmessage = null;
      close(): void {}
    } as never,
  });
  const { result } = harness.session.sign('Hello.');
  assert.equal(await reasonOf(result), 'proxy_unreachable');
  assert.equal(harness.clock.pending, 0);
});

test('without any WebSocket, as in Node 20, the error says so', async (t) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
  Reflect.deleteProperty(globalThis, 'WebSocket');
  t.after(() => own && Object.defineProperty(globalThis, 'WebSocket', own));
  const harness = new Harness({ webSocket: undefined });
  await assert.rejects(harness.session.sign('Hello.').result, {
    code: 'proxy_unreachable',
    message: /no WebSocket/,
  });
});

test('after a failure the next text connects again', async () => {
  const harness = new Harness();
  void harness.session.sign('Lost.');
  harness.socket.open();
  harness.socket.drop(1008, 'origin_refused');
  assert.equal(harness.session.state, 'failed');
  const { result } = harness.session.sign('Found.');
  assert.equal(harness.session.state, 'connecting');
  assert.equal(harness.sockets.length, 2);
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  assert.equal((await result).text, 'Found.');
});

test('a second session begins with limits and id unknown', async () => {
  const harness = await readyHarness();
  harness.socket.drop();
  await harness.clock.advance(250);
  assert.equal(harness.sockets.length, 2);
  assert.equal(harness.session.limits, null);
  assert.equal(harness.session.sessionId, null);
});

test('a rejection of connect() that nobody listens to is not an unhandled one', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const harness = new Harness();
  void harness.session.connect();
  harness.socket.drop(1008, 'origin_refused');
  await promisesSettled();
  await promisesSettled();
  process.off('unhandledRejection', listener);
  assert.equal(harness.session.state, 'failed');
  assert.deepEqual(unhandled, []);
});
