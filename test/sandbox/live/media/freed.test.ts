// What is left of a session: nothing, whoever ends it. Processes, ports and pipes are asked of the system.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { LiveOrder, LiveState } from '../../../../demo/sandbox/live/media/live-media.ts';
import { ProcessRun } from '../../../../demo/sandbox/live/media/live-run.ts';
import { MediaDesk, orderOf, until } from './media-desk.ts';
import { folderOf, push, stampedSource } from './stamped-source.ts';

const srt = { kind: 'srt', passphrase: 'sandbox-passphrase', keyLength: 16, latencyMs: 120 } as const;
const orders: readonly LiveOrder[] = [orderOf({ pictureInPicture: true }), orderOf({ source: srt })];

/** Whether there is such a process. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @throws Error when the port of an ingest address is still taken */
async function takePort(ingestUrl: string): Promise<void> {
  const port = Number(/:(\d+)/.exec(ingestUrl)![1]);
  if (ingestUrl.startsWith('rtmp')) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  } else {
    const socket = createSocket('udp4').bind(port, '127.0.0.1');
    await once(socket, 'listening');
    socket.close();
  }
}

const pipes = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe)/.test(kind)).length;

test('twenty sessions made and stopped leave no process, no port and no pipe', async (t) => {
  const desk = new MediaDesk(t);
  const before = pipes();
  for (let made = 0; made < 20; made += 4) {
    const runs = [0, 1, 2, 3].map((each) => new ProcessRun(orders[each % 2]!, desk.streams, 15_000));
    // Three of them are stopped before they are ready.
    const ready = runs[(made / 4) % 2]!;
    await Promise.all(runs.filter((run) => run !== ready).map((run) => run.stop()));
    const { ingestUrl } = await ready.ready;
    await ready.stop();
    assert.deepEqual(
      runs.map(({ pid }) => lives(pid!)),
      [false, false, false, false],
    );
    await takePort(ingestUrl!);
  }
  await until(() => pipes() === before);
});

test('a process that is killed is a failed session: its streams end, its port is free, others go on', async (t) => {
  const desk = new MediaDesk(t);
  const other = await desk.start(orderOf());
  push(t, stampedSource(folderOf(t), 30), 'flv', other.addresses.ingestUrl!);
  for (let killed = 0; killed < 5; killed++) {
    const run = new ProcessRun(orders[killed % 2]!, desk.streams, 15_000);
    const states: LiveState[] = [];
    run.on((state) => states.push(state));
    const { ingestUrl, hlsUrl } = await run.ready;
    process.kill(run.pid!, 'SIGKILL');
    await run.exited;
    assert.deepEqual(states, ['pending', { failed: 'the media process died' }]);
    await until(async () => (await desk.text(hlsUrl!)).includes('#EXT-X-ENDLIST'));
    await takePort(ingestUrl!);
    await run.stop();
  }
  await until(() => other.states.includes('running'));
  assert.deepEqual(other.states, ['pending', 'running']);
});

test('a session that is stopped in the midst of its source is over within five seconds', async (t) => {
  const desk = new MediaDesk(t);
  const { run, states, addresses } = await desk.start(orderOf({ pictureInPicture: true }));
  push(t, stampedSource(folderOf(t), 30), 'flv', addresses.ingestUrl!);
  await until(() => states.includes('running'));
  const late = AbortSignal.timeout(5000);
  await run.stop();
  assert.equal(late.aborted, false);
  await takePort(addresses.ingestUrl!);
  assert.deepEqual(states, ['pending', 'running', 'stopped']);
});
