// Floods: one side sends without end while the other does not read, and the flood waits at its sender, not in the proxy's memory.
// Also frames that are made to cost CPU.
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

interface Flood {
  readonly sender: WebSocket;
  readonly reader: WebSocket;
  /** The next frame that the reader gets. */
  readonly next: () => Promise<string>;
  readonly frame: string;
  readonly count: number;
}

/** Sends a flood while its reader does not read: the flood waits at the sender, and arrives whole afterwards. */
async function floodWaits({ sender, reader, next, frame, count }: Flood): Promise<void> {
  const before = residentBytes(harness.program.pid);
  reader.pause();
  for (let sent = 0; sent < count; sent += 1) sender.send(frame);
  await stuck(sender);
  assert.ok(sender.bufferedAmount > 32 * MB, 'most of it has not left the sender');
  const grown = residentBytes(harness.program.pid) - before;
  assert.ok(grown < MOST_GROWTH, `the program grew by ${grown} bytes`);
  reader.resume();
  for (let got = 0; got < count; got += 1) assert.equal((await next()).length, frame.length);
}

for (const [what, frame, count] of [
  ['a flood', FRAME, FRAMES],
  ['a flood of frames of 1 MB', 'x'.repeat(MB), 64],
] as const) {
  test(`${what} of the service waits at the service while the client does not read, and arrives whole when it does`, async (t) => {
    const { client, session } = await started(t);
    const next = (): Promise<string> => client.frames.next();
    await floodWaits({ sender: session.socket, reader: client.socket, next, frame, count });
    client.socket.close();
    await client.closed;
  });
}

test('a flood of a client waits at the client while the service does not read, and arrives whole when it does', async (t) => {
  const { client, session } = await started(t);
  const next = async (): Promise<string> => (await session.frames.next()).text;
  await floodWaits({ sender: client.socket, reader: session.socket, next, frame: FRAME, count: FRAMES });
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
