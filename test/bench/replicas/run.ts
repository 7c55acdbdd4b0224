// `npm run bench:replicas [minutes]` (default 20): three replicas behind nginx with a Redis, while pages sign without a pause.
// - One replica is killed, one drained, Redis is stopped and comes back, a new build is rolled out, a site is added, and a
//   replica is killed again.
// - Fails when a text is lost or signed twice, when a limit is not exact while Redis runs or exceeds the sum of the replicas' own
//   limits while it does not, or when a page of one build does not get its chunk.
// - Run `npm run build` before it.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../until.ts';
import { openPages, type Pages } from './pages.ts';
import { ORIGINS, REPLICAS, REQUESTS_PER_MINUTE, startHarness, type Harness } from './site.ts';

const PAGES = 8;
const PROBES = 5 * REQUESTS_PER_MINUTE;
const AT_ONCE = 10;
/** How long the balancer leaves out a replica that it could not reach (`fail_timeout`), and a little more. */
const LEFT_OUT_MS = 6_000;

const minutes = Number(process.argv[2] ?? 20);
const begun = performance.now();
const minute = (): number => (performance.now() - begun) / 60_000;
const say = (what: string): void => console.log(`${minute().toFixed(1).padStart(5)} min  ${what}`);
/** Waits for this share of the run. */
const at = (share: number): Promise<unknown> =>
  setTimeout(Math.max(0, (share * minutes - minute()) * 60_000));

async function statusOf(port: number, path: string, localAddress: string): Promise<number> {
  const request = get({
    host: '127.0.0.1',
    port,
    path,
    localAddress,
    headers: { Origin: ORIGINS.a },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return response.statusCode ?? 0;
}

let visitors = 10;

/** How many requests of a new visitor pass, and how many tokens the rate adds in the time that they take. */
async function probe({ port }: Harness): Promise<{ readonly passed: number; readonly refilled: number }> {
  visitors += 1;
  const from = performance.now();
  const statuses: number[] = [];
  while (statuses.length < PROBES) {
    // A path that does not exist, because requests to the service have a limit of their own. Only a few are sent at a time,
    // because all of them at once would make Redis late.
    const some = Array.from({ length: AT_ONCE }, () =>
      statusOf(port, '/sign/nothing', `127.0.0.${visitors}`),
    );
    statuses.push(...(await Promise.all(some)));
  }
  const seconds = (performance.now() - from) / 1_000;
  assert.ok(
    statuses.every((status) => status < 500),
    'each is answered',
  );
  const passed = statuses.filter((status) => status !== 429).length;
  return { passed, refilled: Math.ceil((seconds * REQUESTS_PER_MINUTE) / 60) };
}

const lossesOf = ({ replicas }: Harness): number =>
  replicas.reduce((sum, replica) => sum + replica.redisLosses(), 0);

/** On a busy machine Redis may answer late, and replicas report that they limit alone: then it probes again, five times in all. */
async function exactly(harness: Harness, when: string, tries = 5): Promise<void> {
  await until(
    () => redisIsUp(harness),
    (up) => up.every(Boolean),
  );
  const before = lossesOf(harness);
  const { passed, refilled } = await probe(harness);
  if (lossesOf(harness) > before && tries > 1) {
    say(`${when}: Redis was late, and a replica said so: again`);
    return exactly(harness, when, tries - 1);
  }
  say(`${when}: ${passed} of ${PROBES} requests of one visitor pass, of ${REQUESTS_PER_MINUTE} a minute`);
  assert.ok(passed >= REQUESTS_PER_MINUTE && passed <= REQUESTS_PER_MINUTE + refilled, `${passed} passed`);
}

const redisIsUp = async ({ replicas }: Harness): Promise<boolean[]> =>
  Promise.all(
    replicas.map(async ({ port }) =>
      /^sign_proxy_redis_up 1$/m.test(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    ),
  );

async function chunksAreServed({ port, replicas, chunkOf }: Harness, builds: readonly ('old' | 'new')[]) {
  for (const build of builds) {
    for (const each of [port, ...replicas.map((replica) => replica.port)])
      assert.equal(await statusOf(each, chunkOf[build], '127.0.0.1'), 200, `chunk of the ${build} build`);
  }
}

async function play(harness: Harness, pages: Pages): Promise<Pages> {
  const { replicas, redis } = harness;
  await at(0.05);
  await exactly(harness, 'all are there');

  await at(0.1);
  await replicas[0]?.end('SIGKILL');
  say('one replica killed');
  await at(0.15);
  await harness.start(0);
  say('and started again');

  await at(0.25);
  assert.equal(await replicas[1]?.end('SIGTERM'), 0);
  say('one replica drained, and ended with 0');
  await harness.start(1);

  await at(0.35);
  await redis.kill();
  await until(
    () => redisIsUp(harness),
    (up) => up.every((each) => !each),
  );
  const local = await probe(harness);
  say(`Redis stopped, and each replica says so: ${local.passed} of ${PROBES} pass`);
  assert.ok(local.passed <= REPLICAS * (REQUESTS_PER_MINUTE + local.refilled), `${local.passed} passed`);
  await at(0.45);
  await redis.start();
  await until(
    () => redisIsUp(harness),
    (up) => up.every(Boolean),
  );
  await exactly(harness, 'Redis is back');

  await at(0.55);
  await chunksAreServed(harness, ['old']);
  for (const n of replicas.keys()) {
    assert.equal(await replicas[n]?.end('SIGTERM'), 0);
    await harness.start(n, 'new');
    await setTimeout(LEFT_OUT_MS);
    if (n === 0) await chunksAreServed({ ...harness, replicas: replicas.slice(0, 1) }, ['old', 'new']);
  }
  await chunksAreServed(harness, ['old', 'new']);
  say('a new build rolled out; each replica serves the chunks of both');

  await at(0.8);
  const before = pages.reconnects;
  harness.writeSites(['a', 'b']);
  // A page of the new site is refused by a replica that has not read it yet.
  await Promise.all(replicas.map((replica) => replica.reload()));
  const others = openPages(harness.port, 1, 'b');
  await until(() => others.signed.length > 0);
  assert.equal(pages.reconnects, before, 'no page lost its session');
  say('a site added, a page of it signs, and no page of the other lost its session');

  await at(0.9);
  await replicas[0]?.end('SIGKILL');
  await harness.start(0, 'new');
  say('with both sites one replica killed, and started again');

  await at(1);
  await exactly(harness, 'at the end');
  return others;
}

const harness = await startHarness();
const pages = openPages(harness.port, PAGES, 'a');
try {
  const others = await play(harness, pages);
  await Promise.all([pages.stop(), others.stop()]);
  const [asked, signed] = [
    [...pages.asked, ...others.asked],
    [...pages.signed, ...others.signed],
  ];
  const lostOf = (some: Pages): number => some.asked.filter((ref) => !some.signed.includes(ref)).length;
  say(
    `${asked.length} texts asked for, ${lostOf(pages)} and of the new site ${lostOf(others)} lost, ${signed.length - new Set(signed).size} signed twice; ` +
      `${pages.reconnects} sessions lost and replaced; the longest text took ${(pages.longestMs / 1000).toFixed(1)} s`,
  );
  assert.deepEqual([...pages.failed, ...others.failed], []);
  assert.deepEqual(signed.toSorted(), asked.toSorted(), 'each text that was asked for was signed once');
} finally {
  await harness.close();
}
