// Replicas under load lose no text when one of them is killed or drained: each text is signed exactly once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../../demo/sandbox/index.ts';
import { startLoad, startSite, type Replica } from './load.ts';

test('every text is signed exactly once when a replica under load is killed, and then both that run drain one after the other', async (t) => {
  const sandbox = await startSandbox({
    limits: { max_messages_per_minute: 100_000 },
    render: { framesPerWord: 2, scale: 0.25 },
  });
  t.after(() => sandbox.close());
  const site = await startSite(t, sandbox);
  const [first, second, third] = await Promise.all([site.start(), site.start(), site.start()]);
  site.balancer.setReplicas([first.port, second.port]);
  const load = startLoad(site);
  await load.more(2);

  const lost = load.reconnects;
  first.program.kill('SIGKILL');
  await first.program.exited;
  site.balancer.setReplicas([second.port, third.port]);
  await load.more(2);
  assert.ok(load.reconnects > lost, 'clients of the killed one went on at another');

  // A rolling restart: the balancer does not learn of a drain before the drain is over.
  const restart = async (old: Replica, others: readonly Replica[]): Promise<void> => {
    const before = load.reconnects;
    old.program.kill('SIGTERM');
    assert.equal(await old.program.exited, 0);
    site.balancer.setReplicas(others.map(({ port }) => port));
    await load.more(2);
    assert.ok(load.reconnects > before, 'clients of the drained one went on at another');
  };
  const fourth = await site.start();
  await restart(second, [third, fourth]);
  await restart(third, [fourth]);
  assert.ok(site.balancer.taken.has(fourth.port), 'the last one serves all');

  await load.stop();
  assert.deepEqual(load.signed.toSorted(), load.asked.toSorted(), 'texts in equal texts signed');
});
