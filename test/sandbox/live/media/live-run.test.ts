// A session's process as the sandbox has it: when it is ready, what cannot be started, and what its end is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProcessRun } from '../../../../demo/sandbox/live/media/live-run.ts';
import { takePort } from './ingest-port.ts';
import { MediaDesk, orderOf } from './media-desk.ts';
import { stamped } from '../../stamped.ts';

const srt = { kind: 'srt', passphrase: 'sandbox-passphrase', keyLength: 16, latencyMs: 120 } as const;

test('a session is ready when its port is bound, not before', async (t) => {
  const desk = new MediaDesk(t);
  for (const order of [orderOf(), orderOf({ source: srt })]) {
    const { addresses, run } = await desk.start(order);
    await assert.rejects(takePort(addresses.ingestUrl!), { code: 'EADDRINUSE' }, addresses.ingestUrl!);
    await run.stop();
  }
});

test('a process that dies while it stops has ended, and without an error', async (t) => {
  const desk = new MediaDesk(t);
  const { run, states } = await desk.start(orderOf());
  const stopped = run.stop();
  process.kill((run as ProcessRun).pid!, 'SIGKILL');
  await stopped;
  assert.deepEqual(states, ['pending', 'stopped']);
});

test('what no process can be had for leaves none of its streams', (t) => {
  const desk = new MediaDesk(t);
  const ids: string[] = [];
  const ended: string[] = [];
  const streams = {
    host() {
      const stream = desk.streams.host();
      ids.push(stream.id);
      const hear: typeof stream.hear = (report) => {
        if (report.kind === 'ended') ended.push(stream.id);
        stream.hear(report);
      };
      return { ...stream, hear };
    },
  };
  const start = (): never => {
    throw new Error('no more processes');
  };
  const order = orderOf({ pictureInPicture: true });
  assert.throws(() => new ProcessRun(order, streams, stamped, 15_000, start), /no more processes/);
  assert.equal(ids.length, 2);
  assert.deepEqual(ended, ids);
});

test('closed media start nothing any more', async (t) => {
  const desk = new MediaDesk(t);
  await desk.media.close();
  assert.throws(() => desk.media.start(orderOf()), /closed/);
});
