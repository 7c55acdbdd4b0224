// A client of a service that answers as the test sets it, with a manual clock; both end with the test.
import type { TestContext } from 'node:test';
import { createMetrics } from '../../../proxy/metrics.ts';
import { createUpstream, type Upstream } from '../../../proxy/upstream/upstream.ts';
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts';
import { manualClock, type ManualClock } from '../manual-clock.ts';

interface Asking {
  readonly upstream: Upstream;
  readonly service: FakeUpstream;
  readonly clock: ManualClock;
}

export async function asking(t: TestContext): Promise<Asking> {
  const service = await fakeUpstream();
  const clock = manualClock();
  const upstream = createUpstream(service.url, clock, createMetrics());
  t.after(async () => {
    upstream.close();
    await service.close();
  });
  return { upstream, service, clock };
}
