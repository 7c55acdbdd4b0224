// A signal that aborts a translation by REST at each of its steps.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { clientHarness, download, watched } from './rest-harness.ts';

type Steps = (harness: ReturnType<typeof clientHarness>) => Promise<void>;

const accept: Steps = ({ proxy }) => proxy.last.answer({ jobId: 'job' });
const steps: Readonly<Record<string, Steps>> = {
  'waits for the answer': () => Promise.resolve(),
  'asks why the connection broke': ({ proxy }) => proxy.last.breakOff(),
  'waits for its next try': ({ proxy }) => proxy.last.answer({ error: 'busy' }, 500),
  'waits for its next look at the job': accept,
  'looks at the job': async (harness) => {
    await accept(harness);
    await harness.clock.advance(1_000);
  },
  'waits after a look that failed': async (harness) => {
    await accept(harness);
    await harness.clock.advance(1_000);
    await harness.proxy.last.answer({ error: 'busy' }, 500);
  },
};

for (const [doing, go] of Object.entries(steps))
  test(`a request that is aborted while it ${doing} rejects with the reason of its signal and leaves no timer`, async () => {
    const harness = clientHarness(0.5);
    const stop = new AbortController();
    const seen = watched(harness.client.generate(download, { signal: stop.signal }));
    await promisesSettled();
    await go(harness);
    assert.deepEqual(seen, {});
    const reason = new Error('not wanted any more');
    stop.abort(reason);
    await promisesSettled();
    assert.equal(seen.error, reason);
    assert.equal(harness.clock.pending, 0);
  });
