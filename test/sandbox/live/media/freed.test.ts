// A session leaves nothing behind, whoever ends it. The system says which processes, ports, pipes and files are open, and the
// engine how much memory is in use after a collection. Streams that have ended are served for a minute, so the test waits for it.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProcessRun, type LiveRun, type LiveState } from '../../../../demo/sandbox/live/media/live-media.ts';
import type { LiveSpec } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { smallStamped } from '../../stamped.ts';
import { takePort } from './ingest-port.ts';
import { MediaHarness, liveSpecOf } from './media-harness.ts';
import { endOf, pushUntil, stampedSource } from './stamped-source.ts';

const srt = { kind: 'srt', passphrase: 'sandbox-passphrase', keyLength: 16, latencyMs: 120 } as const;
const orders: readonly LiveSpec[] = [liveSpecOf({ pictureInPicture: true }), liveSpecOf({ source: srt })];

/** A run that ends with the test. The test does not keep it in memory. */
function runOf(t: TestContext, spec: LiveSpec, { streams }: MediaHarness): ProcessRun {
  const run = new ProcessRun(spec, streams, smallStamped, 15_000);
  const open = new WeakRef(run);
  t.after(() => open.deref()?.stop());
  return run;
}

/** Pushes a file to the session. @returns the process that pushes, once the first picture has come */
async function shown(file: string, t: TestContext, run: LiveRun): Promise<ChildProcess> {
  const { ingestUrl } = await run.ready;
  const states: LiveState[] = [];
  run.on((state) => states.push(state));
  const [format, url] = ingestUrl!.startsWith('srt')
    ? (['mpegts', `${ingestUrl}?passphrase=${srt.passphrase}&pbkeylen=${srt.keyLength}`] as const)
    : (['flv', ingestUrl!] as const);
  return pushUntil(() => states.includes('running'), t, file, format, url);
}

/** Whether there is such a process. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pipes = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe)/.test(kind)).length;

/** Files, sockets and pipes that this process has open. */
const openFiles = (): number => readdirSync('/proc/self/fd').length;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are in use. */
function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const MOST_LEFT_BYTES = 1_000_000;
const MINUTE_MS = 60_000;

/** Notes what is open. The returned function checks that nothing more is open then. */
function leavesNothing(harness: MediaHarness): () => Promise<void> {
  const [pipesBefore, filesBefore, bytesBefore] = [pipes(), openFiles(), memory()];
  return async () => {
    await until(() => pipes() <= pipesBefore && openFiles() <= filesBefore);
    harness.clock.advance(MINUTE_MS);
    await until(() => memory() - bytesBefore < MOST_LEFT_BYTES);
  };
}

/** Starts and stops one session, so that what the first session loads for all later ones does not count as left behind. */
async function warm(harness: MediaHarness): Promise<void> {
  const before = pipes();
  const { run } = await harness.start(liveSpecOf({ pictureInPicture: true }));
  await run.stop();
  // The pipes to a process close a moment after it has ended.
  await until(() => pipes() <= before);
}

test('twenty sessions that are created and stopped leave no process, port, open file or memory', async (t) => {
  const harness = new MediaHarness(t);
  await warm(harness);
  const nothingIsLeft = leavesNothing(harness);
  const file = stampedSource(temporaryFolder(), 10);
  for (let made = 0; made < 20; made += 4) {
    const runs = [0, 1, 2, 3].map((each) => runOf(t, orders[each % 2]!, harness));
    const ready = runs[(made / 4) % 2]!;
    // The sessions of the last round are stopped while they show their source. In each other round three are stopped before they
    // are ready.
    const senders = made < 16 ? [] : await Promise.all(runs.map((run) => shown(file, t, run)));
    await Promise.all(runs.filter((run) => run !== ready).map((run) => run.stop()));
    const { ingestUrl } = await ready.ready;
    await ready.stop();
    assert.deepEqual(
      runs.map(({ pid }) => lives(pid!)),
      [false, false, false, false],
    );
    await takePort(ingestUrl!);
    await Promise.all(senders.map(endOf));
  }
  await nothingIsLeft();
});

test('five sessions whose processes are killed fail and leave nothing: their streams end, their ports are free, and other sessions go on', async (t) => {
  const harness = new MediaHarness(t);
  await warm(harness);
  const nothingIsLeft = leavesNothing(harness);
  const file = stampedSource(temporaryFolder(), 10);
  const other = await harness.start(liveSpecOf());
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (each) => {
      const run = runOf(t, orders[each % 2]!, harness);
      const states: LiveState[] = [];
      run.on((state) => states.push(state));
      const { ingestUrl, hlsUrl } = await run.ready;
      // One of the sessions shows its source by then.
      const sender = each === 0 ? await shown(file, t, run) : null;
      process.kill(run.pid!, 'SIGKILL');
      await run.exited;
      const before = each === 0 ? ['pending', 'running'] : ['pending'];
      assert.deepEqual(states, [...before, { failed: 'the media process died' }]);
      await until(async () => (await harness.text(hlsUrl!)).includes('#EXT-X-ENDLIST'));
      await takePort(ingestUrl!);
      await run.stop();
      if (sender) await endOf(sender);
    }),
  );
  const sender = await shown(file, t, other.run);
  assert.deepEqual(other.states, ['pending', 'running']);
  await other.run.stop();
  await endOf(sender);
  await nothingIsLeft();
});

test('a session that is stopped while its source runs ends before the source', async (t) => {
  const harness = new MediaHarness(t);
  const { run, states, addresses } = await harness.start(liveSpecOf({ pictureInPicture: true }));
  const sender = await shown(stampedSource(temporaryFolder(), 30), t, run);
  await run.stop();
  await takePort(addresses.ingestUrl!);
  assert.deepEqual(states, ['pending', 'running', 'stopped']);
  const [code] = sender.exitCode === null ? await once(sender, 'exit') : [sender.exitCode];
  assert.notEqual(code, 0, 'its sender could not send all of it');
});

test('a session whose process no longer answers ends five seconds after its stop, by the clock of the sandbox', async (t) => {
  const harness = new MediaHarness(t);
  const run = runOf(t, liveSpecOf(), harness);
  const { ingestUrl } = await run.ready;
  process.kill(run.pid!, 'SIGSTOP');
  // The mock affects imported timers only after the exports of Node's modules are read again.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  syncBuiltinESMExports();
  const stopped = run.stop();
  t.mock.timers.tick(5000);
  t.mock.timers.reset();
  syncBuiltinESMExports();
  await stopped;
  assert.equal(lives(run.pid!), false);
  await takePort(ingestUrl!);
});
