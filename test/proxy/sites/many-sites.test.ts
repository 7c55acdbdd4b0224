// Counts objects and timers in the process: what a site without a request has, and what stays after reloads.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { queryObjects } from 'node:v8';
import { WebSocketServer } from 'ws';
import { readConfig } from '../../../proxy/index.ts';
import { TokenBucket } from '../../../proxy/limits/client-rate.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { mountedProxy, type MountedProxy, type MountedProxyInit } from '../mounted-proxy.ts';

interface Harness extends MountedProxy {
  /** Reloads the file of sites with this limit for all of them. */
  reload(requestsPerMinute: number): void;
}

/** A proxy for as many sites, `https://s0.example` and so on. */
async function harness(t: TestContext, count: number, env: MountedProxyInit['env'] = {}): Promise<Harness> {
  const folder = temporaryFolder();
  const file = join(folder, 'sites.json');
  const write = (requestsPerMinute: number): void => {
    const sites = Array.from({ length: count }, (_, n) => ({
      name: `s${n}`,
      origins: [`https://s${n}.example`],
      limits: { requestsPerMinute },
    }));
    writeFileSync(file, JSON.stringify({ sites }));
  };
  write(100);
  const own = { SIGN_API_KEY: '', SIGN_SITES: file, ...env };
  const proxy = await mountedProxy(t, { env: own });
  return {
    ...proxy,
    reload(requestsPerMinute) {
      write(requestsPerMinute);
      proxy.proxy.reload(readConfig({ ...own, SIGN_API_URL: proxy.upstream.url }));
    },
  };
}

const ask = async ({ origin }: MountedProxy, site: number, headers: object = {}): Promise<number> =>
  (
    await fetch(`${origin}/sign/v1/status/job`, {
      headers: { Origin: `https://s${site}.example`, ...headers },
    })
  ).status;

/** The number of relays. Each site has one, and all other objects of a site are made together with it. */
const relays = (): number => queryObjects(WebSocketServer, { format: 'count' });

test('only the sites that get requests take memory, of 300', async (t) => {
  const proxy = await harness(t, 300);
  const before = relays();
  await ask(proxy, 0);
  await ask(proxy, 299);
  await ask(proxy, 299);
  assert.equal(relays() - before, 2);
});

test('addresses that have sent a site nothing for a minute take no memory', async (t) => {
  const proxy = await harness(t, 1, { SIGN_TRUST_PROXY: '127.0.0.1' });
  const rates = (): number => queryObjects(TokenBucket, { format: 'count' });
  const askFrom = (last: number): Promise<number> =>
    ask(proxy, 0, { 'X-Forwarded-For': `198.51.100.${last}` });
  await askFrom(1);
  const before = rates();
  for (let last = 2; last <= 21; last += 1) await askFrom(last);
  assert.equal(rates() - before, 20);
  proxy.clock.advance(60_000);
  await askFrom(22);
  assert.equal(rates(), before);
});

test('a reload that changes limits keeps nothing of the old ones in memory', async (t) => {
  const proxy = await harness(t, 1);
  const rates = (): number => queryObjects(TokenBucket, { format: 'count' });
  await ask(proxy, 0);
  const before = [rates(), relays()];
  for (let times = 1; times <= 20; times += 1) {
    proxy.reload(100 + times);
    await ask(proxy, 0);
  }
  await until(
    () => [rates(), relays()],
    ([ratesNow, relaysNow]) => ratesNow === before[0] && relaysNow === before[1],
  );
});

test('shared limits set no timer without a socket, whatever the number of reloads', async (t) => {
  const { url } = await redisServer(t);
  const proxy = await harness(t, 10, { SIGN_REDIS_URL: url });
  const before = proxy.clock.pending;
  for (let times = 1; times <= 20; times += 1) proxy.reload(100 + times);
  await ask(proxy, 0);
  await until(
    () => proxy.clock.pending,
    (now) => now === before,
  );
});
