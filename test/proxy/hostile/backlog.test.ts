// Floods: one side floods while the other does not read (the flood waits where it comes from, and the proxy's memory does not
// grow), and frames that are made to cost CPU.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import { cpuMicroseconds, residentBytes } from '../footprint.ts';
import { openClient, SESSION_START, type ClientSocket } from '../client-socket.ts';
import type { UpstreamSession } from '../fake-upstream.ts';
import { hostileHarness } from './harness.ts';

const MB = 1024 * 1024;
const FRAME = 'x'.repeat(64 * 1024);
/** 64 MB. */
const FRAMES = 1_024;
/** How much the program may grow: far less than the flood, but its collector does not free memory at once. */
const MOST_GROWTH = 40 * MB;

const harness = hostileHarness({ SIGN_MESSAGES_PER_MINUTE: '1000000', SIGN_MAX_TEXT_BYTES: '200000' });

async function started(t: TestContext): Promise<{ client: ClientSocket; session: UpstreamSession }> {
  const client = await openClient(`ws://${harness.url.host}/sign/ws/`);
  // A program that is asked to end waits for its sockets to close.
  t.after(() => client.socket.terminate());
  const session = await harness.upstream.sessions.next();
  client.socket.send(SESSION_START);
  await session.frames.next();
  return { client, session };
}

/** Resolves when nothing has left the buffer of `sender` while the program answered 20 other requests. */
async function stuck(sender: WebSocket): Promise<void> {
  for (let still = 0, before = -1; still < 20; still += 1) {
    if (sender.bufferedAmount !== before) still = 0;
    before = sender.bufferedAmount;
    await (await fetch(`${harness.url.origin}/healthz`)).arrayBuffer();
  }
}

test('a flood of the service waits at the service while the client does not read, and arrives whole when it does', async (t) => {
  const { client, session } = await started(t);
  const before = residentBytes(harness.program.pid);
  client.socket.pause();
  for (let count = 0; count < FRAMES; count += 1) session.socket.send(FRAME);
  await stuck(session.socket);
  assert.ok(session.socket.bufferedAmount > 32 * MB, 'most of it has not left the service');
  const grown = residentBytes(harness.program.pid) - before;
  assert.ok(grown < MOST_GROWTH, `the program grew by ${grown} bytes`);
  client.socket.resume();
  for (let count = 0; count < FRAMES; count += 1)
    assert.equal((await client.frames.next()).length, FRAME.length);
  client.socket.close();
  await client.closed;
});

test('a flood of a client waits at the client while the service does not read, and arrives whole when it does', async (t) => {
  const { client, session } = await started(t);
  const before = residentBytes(harness.program.pid);
  session.socket.pause();
  for (let count = 0; count < FRAMES; count += 1) client.socket.send(FRAME);
  await stuck(client.socket);
  assert.ok(client.socket.bufferedAmount > 32 * MB, 'most of it has not left the client');
  const grown = residentBytes(harness.program.pid) - before;
  assert.ok(grown < MOST_GROWTH, `the program grew by ${grown} bytes`);
  session.socket.resume();
  for (let count = 0; count < FRAMES; count += 1) {
    assert.equal((await session.frames.next()).text.length, FRAME.length);
  }
  client.socket.close();
  await client.closed;
});

test('a flood of frames of 1 MB waits at the service too, and arrives whole', async (t) => {
  const { client, session } = await started(t);
  const before = residentBytes(harness.program.pid);
  client.socket.pause();
  const frame = 'x'.repeat(MB);
  for (let count = 0; count < 64; count += 1) session.socket.send(frame);
  await stuck(session.socket);
  assert.ok(session.socket.bufferedAmount > 32 * MB, 'most of it has not left the service');
  const grown = residentBytes(harness.program.pid) - before;
  assert.ok(grown < MOST_GROWTH, `the program grew by ${grown} bytes`);
  client.socket.resume();
  for (let count = 0; count < 64; count += 1) assert.equal((await client.frames.next()).length, MB);
  client.socket.close();
  await client.closed;
});

test('frames full of escapes cost at most 20 times the CPU of plain frames of their size', async (t) => {
  const { client, session } = await started(t);
  const costOf = async (part: string): Promise<number> => {
    const data = `[${part.repeat(FRAME.length)}`.slice(0, FRAME.length);
    const before = cpuMicroseconds(harness.program.pid);
    for (let count = 0; count < 200; count += 1) {
      client.socket.send(data);
      await session.frames.next();
    }
    return cpuMicroseconds(harness.program.pid) - before;
  };
  await costOf('"abc",');
  const plain = await costOf('"abc",');
  for (const part of ['"\\u"', '"session.star\\u0073"', '"\\u0073ession."']) {
    const hostile = await costOf(part);
    assert.ok(hostile <= 20 * plain, `${part}: ${hostile} us, plain: ${plain} us`);
  }
  client.socket.close();
  await client.closed;
});
