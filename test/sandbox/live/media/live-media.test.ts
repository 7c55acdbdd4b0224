// The process of a session: when it is ready, what happens when it cannot start, and the reason of its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProcessRun } from '../../../../demo/sandbox/live/media/live-media.ts';
import { stamped } from '../../stamped.ts';
import { takePort } from './ingest-port.ts';
import { MediaHarness, liveSpecOf } from './media-harness.ts';

const srt = { kind: 'srt', passphrase: 'sandbox-passphrase', keyLength: 16, latencyMs: 120 } as const;

test('a session is ready when its port is bound, not before', async (t) => {
  const harness = new MediaHarness(t);
  for (const spec of [liveSpecOf(), liveSpecOf({ source: srt })]) {
    const { addresses, run } = await harness.start(spec);
    await assert.rejects(takePort(addresses.ingestUrl!), { code: 'EADDRINUSE' }, addresses.ingestUrl!);
    await run.stop();
  }
});

test('a session whose process dies while it stops has ended without an error', async (t) => {
  const harness = new MediaHarness(t);
  const { run, states } = await harness.start(liveSpecOf());
  const stopped = run.stop();
  process.kill((run as ProcessRun).pid!, 'SIGKILL');
  await stopped;
  assert.deepEqual(states, ['pending', 'stopped']);
});

test('a run whose process cannot start leaves no streams', (t) => {
  const harness = new MediaHarness(t);
  const ids: string[] = [];
  const ended: string[] = [];
  const streams = {
    host() {
      const stream = harness.streams.host();
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
  const spec = liveSpecOf({ pictureInPicture: true });
  assert.throws(() => new ProcessRun(spec, streams, stamped, 15_000, start), /no more processes/);
  assert.equal(ids.length, 2);
  assert.deepEqual(ended, ids);
});

test('after close() no run is started', async (t) => {
  const harness = new MediaHarness(t);
  await harness.media.close();
  assert.throws(() => harness.media.start(liveSpecOf()), /closed/);
});
