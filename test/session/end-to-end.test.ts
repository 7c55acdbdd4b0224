// The session over real sockets: the package ws on loopback, the platform's own fetch.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { SignSession, type SignError, type SignSessionOptions } from '../../src/client.ts';
import { freePort } from '../backend/free-port.mjs';
import { listen } from '../listening.ts';
import { ManualClock } from './manual-clock.ts';

/** A service of a few lines: ready, ack and result for all, the second text's result before the first's. */
async function service(t: TestContext): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  server.on('connection', (socket) => {
    const say = (frame: object) => socket.send(JSON.stringify(frame));
    const result = (ref: string) =>
      say({ type: 'result', ref, url: `http://media.test/${ref}.mp4`, duration_seconds: 1 });
    let held: string | null = null;
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { type: string; id: string };
      if (frame.type === 'session.start') say({ type: 'session.ready', session_id: 's-1' });
      if (frame.type === 'text') {
        say({ type: 'text.ack', ref: frame.id });
        if (held === null) held = frame.id;
        else for (const ref of [frame.id, held]) result(ref);
      }
      if (frame.type === 'session.end') {
        say({ type: 'session.summary', session_id: 's-1', usage: { messages_processed: 2 } });
        socket.close(1000);
      }
    });
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/sign/ws/`;
}

/** A session that ends with the test. */
function sessionAt(t: TestContext, url: string, options: Partial<SignSessionOptions> = {}): SignSession {
  const session = new SignSession({
    url,
    config: { digital_signer: 'RAE' },
    mode: 'translate',
    webSocket: WebSocket,
    // No jitter: eight attempts follow each other at once.
    random: () => 0,
    ...options,
  });
  t.after(() => void session.end());
  return session;
}

/** The platform's network, and a clock that stands still while a socket or a request has no end yet. */
function countedNetwork() {
  let open = 0;
  class CountedSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      open += 1;
      this.once('close', () => (open -= 1));
    }
  }
  const countedFetch: typeof fetch = async (...request) => {
    open += 1;
    try {
      return await fetch(...request);
    } finally {
      open -= 1;
    }
  };
  const clock = new ManualClock();
  /** Lets time pass until it has settled. */
  const until = async (settled: Promise<void>): Promise<void> => {
    let isOver = false;
    const over = settled.finally(() => (isOver = true));
    while (!isOver) await clock.advance(open > 0 ? 0 : 250);
    await over;
  };
  return { clock, options: { clock, webSocket: CountedSocket, fetch: countedFetch }, until };
}

test('two texts are signed over a real socket, and the session ends with its summary', async (t) => {
  const session = sessionAt(t, await service(t));
  const calls = ['First.', 'Second.'].map((text) => session.sign(text));
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ ref, text }) => [ref, text]),
    [
      [calls[0]?.ref, 'First.'],
      [calls[1]?.ref, 'Second.'],
    ],
  );
  assert.deepEqual(await session.end(), { sessionId: 's-1', usage: { messages_processed: 2 } });
  assert.equal(session.state, 'ended');
});

test('an upgrade refused with a problem names its code', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(429, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'too_many_sockets', status: 429 }));
  });
  server.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n'),
  );
  t.after(() => server.close());
  const port = await listen(server);
  const { options, until } = countedNetwork();
  const session = sessionAt(t, `ws://127.0.0.1:${port}/sign/ws/`, options);
  const refusal: Partial<SignError> = { code: 'too_many_sockets', severity: 'session' };
  await until(assert.rejects(session.connect(), refusal));
});

test('at an address where nobody listens the console warns once, at the first try, and the text is rejected after a minute', async (t) => {
  const port = await freePort();
  const { clock, options, until } = countedNetwork();
  const { mock } = t.mock.method(console, 'warn', () => {});
  const session = sessionAt(t, `ws://127.0.0.1:${port}/sign/ws/`, options);
  const toldAtTry: number[] = [];
  session.on('sign-error', () => toldAtTry.push(mock.callCount()));
  const message = `no sign proxy at http://127.0.0.1:${port}/sign: no answer`;
  await until(assert.rejects(session.connect(), { code: 'proxy_unreachable', message }));
  assert.ok(clock.now() >= 60_000);
  assert.equal(toldAtTry[0], 1);
  assert.deepEqual(
    mock.calls.map((call) => call.arguments),
    [[`Sign Elements: ${message}. It is tried again.`]],
  );
});

test('end() while a real socket is still connecting leaves no error behind', async (t) => {
  const session = sessionAt(t, await service(t));
  const connected = session.connect();
  assert.equal(await session.end(), null);
  await assert.rejects(connected, { name: 'AbortError' });
  assert.equal(session.state, 'ended');
});
