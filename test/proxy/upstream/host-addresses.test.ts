// A service whose name servers fail or do not answer after the proxy has reached the service. The test takes the place of the
// system's resolver.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../proxy/clock.ts';
import { createMetrics } from '../../../proxy/metrics.ts';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { createUpstream, type UpstreamRequest } from '../../../proxy/upstream/upstream.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { arrivals } from '../arrivals.ts';
import { fakeUpstream } from '../fake-upstream.ts';

const get: UpstreamRequest = { method: 'GET', path: '/a', headers: {} };

type Answer = (error: Error | null, addresses?: object[]) => void;
type Resolver = (answer: Answer) => void;

const loopback: Resolver = (answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]);
/** Nothing listens there. */
const elsewhere: Resolver = (answer) => answer(null, [{ address: '127.0.0.2', family: 4 }]);
const failing: Resolver = (answer) => answer(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }));

/** The name of the service is another one in each test, because the process remembers it. */
async function named(t: TestContext, name: string) {
  const service = await fakeUpstream();
  service.status = 200;
  // Each request has a connection of its own.
  service.answer = (response) => void response.writeHead(200, { connection: 'close' }).end();
  const resolver = { act: loopback, lookUps: 0 };
  const { lookup } = dns;
  const lookUp = (host: string, ...rest: [object, Answer]): void => {
    if (host !== name) return Reflect.apply(lookup, dns, [host, ...rest]);
    resolver.lookUps += 1;
    resolver.act(rest[1]);
  };
  t.mock.method(dns, 'lookup', lookUp as never);
  const url = service.url.replace('127.0.0.1', name);
  const upstream = createUpstream(url, systemClock, createMetrics());
  t.after(async () => {
    upstream.close();
    await service.close();
  });
  return { upstream, resolver, url, service };
}

test('requests and /readyz reach a service while look-ups of its name fail or get no answer', async (t) => {
  const { upstream, resolver, url } = await named(t, 'mute.example');
  await upstream.request(get);
  for (const act of [failing, () => undefined]) {
    resolver.act = act;
    assert.equal((await upstream.request(get)).status, 200);
    assert.equal(await reachabilityCheck(url, systemClock)(), true);
  }
});

test('a service that moves is reached at its new address with the next look-up that is answered', async (t) => {
  const { upstream, resolver } = await named(t, 'moves.example');
  resolver.act = elsewhere;
  await assert.rejects(upstream.request(get), { code: 'upstream_unreachable' });
  resolver.act = loopback;
  assert.equal((await upstream.request(get)).status, 200);
  resolver.act = elsewhere;
  await assert.rejects(upstream.request(get), { code: 'upstream_unreachable' });
});

test('simultaneous requests share a look-up, and a late answer to a look-up counts for the next request', async (t) => {
  const { upstream, resolver } = await named(t, 'late.example');
  const asked = arrivals<Answer>();
  resolver.act = asked.push;
  const first = [upstream.request(get), upstream.request(get), upstream.request(get)];
  const answerFirst = await asked.next();
  await promisesSettled();
  loopback(answerFirst);
  for (const { status } of await Promise.all(first)) assert.equal(status, 200);
  assert.equal(resolver.lookUps, 1);
  assert.equal((await upstream.request(get)).status, 200);
  elsewhere(await asked.next());
  resolver.act = failing;
  await assert.rejects(upstream.request(get), { code: 'upstream_unreachable' });
});
