// Limits of a client address over two replicas and a real Redis: exact to one request, and local while Redis is gone.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { RedisServer } from '../../redis/redis-server.ts';
import { until } from '../../until.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import type { MountedProxy } from '../mounted-proxy.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { generate } from '../spending-harness.ts';
import { statusesOf, twoReplicas } from './two-replicas.ts';

const say = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const status = ({ origin }: MountedProxy): Promise<Response> => fetch(`${origin}/sign/v1/status/job-1`);

/** Redis' clock. */
async function secondsOf({ command }: RedisServer): Promise<number> {
  const [seconds, microseconds] = (await command('TIME')) as [string, string];
  return Number(seconds) + Number(microseconds) / 1e6;
}

/** Waits until this address may open a socket. */
async function hasRoom({ origin }: MountedProxy): Promise<void> {
  await until(
    async () => (await fetch(`${origin}/sign/ws/`)).status,
    (status) => status !== 429,
  );
}

test('at two replicas together exactly the requests of one minute reach the service, and the others wait', async (t) => {
  const { redis, both } = await twoReplicas(t, { SIGN_REQUESTS_PER_MINUTE: '5' });
  for (const { upstream } of both) upstream.answer = (response) => say(response, {});
  const from = await secondsOf(redis);
  const statuses = await statusesOf(both, 40, status);
  const passed = statuses.get(200) ?? 0;
  // One more for each 12 s of Redis' clock that this took: on a busy machine that may be some.
  const filled = Math.floor(((await secondsOf(redis)) - from) / 12);
  assert.ok(passed >= 5 && passed <= 5 + filled, `${passed} passed, ${filled} filled up`);
  assert.equal(statuses.get(429), 40 - passed);
  assert.equal(both[0].upstream.checks.length + both[1].upstream.checks.length, passed);
  const seconds = Number((await status(both[1])).headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 12, `${seconds} s`);
});

test('on sockets at two replicas together exactly the messages of one minute are relayed', async (t) => {
  const { redis, both } = await twoReplicas(t, { SIGN_MESSAGES_PER_MINUTE: '4' });
  const from = await secondsOf(redis);
  const pairs = await Promise.all(both.map((replica) => replica.started()));
  // Four messages each, so that neither client is refused so often that its socket is closed, whichever is faster.
  for (let n = 0; n < 4; n += 1) {
    for (const { client } of pairs)
      client.socket.send(JSON.stringify({ type: 'text', id: `t-${n}`, data: 'A.' }));
  }
  // What is not relayed is answered; the two session.starts are relayed too.
  const refused = (): string[] => pairs.flatMap(({ client }) => client.frames.all);
  const relayed = (): string[] => pairs.flatMap(({ session }) => session.frames.all.map(({ text }) => text));
  await until(
    () => refused().length + relayed().length,
    (count) => count >= 10,
  );
  // One more message is allowed for each 15 s of Redis' clock that this took.
  const filled = Math.floor(((await secondsOf(redis)) - from) / 15);
  for (const frame of refused()) assert.match(frame, /"code":"rate_limited"/);
  for (const { client } of pairs) client.socket.close();
  await Promise.all(pairs.map(({ session }) => session.closed));
  assert.equal(refused().length + relayed().length, 10);
  const count = relayed().length;
  assert.ok(count >= 4 && count <= 4 + filled, relayed().join('\n'));
});

test('at two replicas together exactly as many sockets open as an address may have, and a closed one makes room at both', async (t) => {
  const { both } = await twoReplicas(t, { SIGN_MAX_SOCKETS_PER_CLIENT: '3' });
  const opening = Array.from({ length: 10 }, (_, n) => openClient(both[n % 2 === 0 ? 0 : 1].address));
  const settled = await Promise.allSettled(opening);
  const clients = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.after(() => clients.forEach(({ socket }) => socket.terminate()));
  assert.equal(clients.length, 3);
  for (const { origin } of both) {
    const diagnosis = await fetch(`${origin}/sign/ws/`);
    const { code } = (await diagnosis.json()) as { code: string };
    assert.deepEqual([diagnosis.status, code], [429, 'too_many_sockets']);
  }
  clients[0]?.socket.close();
  await clients[0]?.closed;
  for (const replica of both) await hasRoom(replica);
  clients.push(await openClient(both[1].address));
  await assert.rejects(openClient(both[0].address), /429/);
});

test('a replica that closes gives its places back at once', async (t) => {
  const { both } = await twoReplicas(t, { SIGN_MAX_SOCKETS_PER_CLIENT: '1' });
  const { client } = await both[0].pair();
  await assert.rejects(openClient(both[1].address), /429/);
  await both[0].proxy.close();
  assert.equal((await client.closed).code, 1012);
  await hasRoom(both[1]);
  const there = await both[1].pair();
  there.client.socket.send(SESSION_START);
  await there.session.frames.next();
});

/** An announcement API and its token server, and two replicas before them. */
async function announcing(t: TestContext, env: Record<string, string> = {}) {
  const [api, auth] = await Promise.all([fakeUpstream(), fakeUpstream()]);
  t.after(() => Promise.all([api.close(), auth.close()]));
  auth.answer = (response) =>
    say(response, { access_token: 'issued-token-1', expires_in: 3600, token_type: 'Bearer' });
  api.answer = (response) => say(response, { data: { id: 'request-1' } });
  const replicas = await twoReplicas(t, {
    SIGN_TRANSPORT_URL: api.url,
    SIGN_AUTH_URL: auth.url,
    SIGN_CLIENT_ID: 'client-1',
    SIGN_CLIENT_SECRET: 'secret:of/the+client',
    ...env,
  });
  return { ...replicas, api, auth };
}

/** As if the address had sent this many requests just now. */
async function spend({ command }: RedisServer, address: string, count: number): Promise<void> {
  const [seconds] = (await command('TIME')) as [string];
  const key = `sign:budget:of:${address}`;
  await command('RPUSH', key, ...Array<string>(count).fill(`${seconds}000000`));
  await command('PEXPIRE', key, '301000');
}

test('one access token serves both replicas, and one address has exactly 150 announcement requests at both', async (t) => {
  const { redis, both, api, auth } = await announcing(t);
  await spend(redis, '127.0.0.1', 140);
  // Each has another body, because equal submits under way are one request.
  let platform = 0;
  const submit = ({ origin }: MountedProxy): Promise<Response> =>
    fetch(`${origin}/sign/v1/sign-requests/train-announcements`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ destination: 'KGX', platform: ++platform }),
    });
  // One after the other, so that both replicas have the token before they get many requests.
  for (const replica of both) assert.equal((await submit(replica)).status, 200);
  assert.deepEqual(
    await statusesOf(both, 40, submit),
    new Map([
      [200, 8],
      [429, 32],
    ]),
  );
  assert.equal(api.asked.all.length, 10);
  assert.equal(auth.asked.all.length, 1);
  assert.deepEqual(
    new Set(api.asked.all.map(({ request }) => request.headers.authorization)),
    new Set(['Bearer issued-token-1']),
  );
  const refused = await submit(both[1]);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 100 && seconds <= 301, `${seconds} s`);
  assert.match(((await refused.json()) as { detail: string }).detail, /announcement requests/);
});

test('an announcement of one replica can be looked up at the other, also while Redis is gone', async (t) => {
  const { redis, both, api } = await announcing(t);
  const [one, other] = both;
  const check = async (replica: MountedProxy, id: string): Promise<number> =>
    (await fetch(`${replica.origin}/sign/v1/sign-requests/${id}`)).status;
  await fetch(`${one.origin}/sign/v1/sign-requests/train-announcements`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"destination":"KGX"}',
  });
  assert.equal(await check(other, 'request-1'), 200);
  assert.equal(api.asked.all.length, 2);
  await redis.kill();
  await until(async () =>
    (await (await fetch(`${other.origin}/metrics`)).text()).includes('sign_proxy_redis_up 0'),
  );
  // The answer may be the other replica's.
  assert.equal(await check(other, 'perhaps'), 200);
});

test('a client whose address has used up its part does not keep another client from the same answer', async (t) => {
  // A low rate, because Redis keeps a count only until the rate has refilled, and this test waits for the count there.
  const { redis, both, auth } = await announcing(t, {
    SIGN_TRUST_PROXY: '127.0.0.1',
    SIGN_REQUESTS_PER_MINUTE: '5',
  });
  await spend(redis, '192.0.2.1', 150);
  await redis.command('SET', 'sign:announcement:4f6c', '1');
  const issue = auth.answer;
  const held = new Promise<() => void>((begin) => {
    auth.answer = (response, asked) => begin(() => issue(response, asked));
  });
  const check = (address: string): Promise<Response> =>
    fetch(`${both[0].origin}/sign/v1/sign-requests/4f6c`, { headers: { 'X-Forwarded-For': address } });
  const spent = check('192.0.2.1');
  const release = await held;
  const other = check('192.0.2.2');
  await until(() => redis.command('EXISTS', 'sign:rate:requests:192.0.2.2'));
  // When this is answered, the other client waits for the answer that the first one requested.
  await fetch(`${both[0].origin}/sign/v1/sign-requests`);
  release();
  assert.deepEqual([(await spent).status, (await other).status], [429, 200]);
});

test('while Redis is gone clients are answered by each replica’s own limits, and get no limit twice when it is back', async (t) => {
  const { redis, both } = await twoReplicas(t, { SIGN_REQUESTS_PER_MINUTE: '5' });
  for (const { upstream } of both) upstream.answer = (response) => say(response, {});
  await redis.kill();
  const gone = async ({ origin }: MountedProxy): Promise<boolean> =>
    (await (await fetch(`${origin}/metrics`)).text()).includes('sign_proxy_redis_up 0');
  for (const replica of both) await until(() => gone(replica));
  assert.deepEqual(
    await statusesOf(both, 40, status),
    new Map([
      [200, 10],
      [429, 30],
    ]),
  );
  await redis.start();
  for (const replica of both) {
    while (await gone(replica)) {
      // The manual clock moves slower than real time, so that Redis has time to answer a probe.
      replica.clock.advance(1);
      await new Promise((go) => setTimeout(go, 1));
    }
  }
  // Redis has forgotten everything, and each replica remembers the requests that passed it.
  assert.deepEqual(await statusesOf(both, 40, status), new Map([[429, 40]]));
});

test('a client’s messages go up in their order while Redis stops answering, is killed and comes back', async (t) => {
  const { redis, both } = await twoReplicas(t, { SIGN_MESSAGES_PER_MINUTE: '100000' });
  const [{ clock, started, origin }] = both;
  const { client, session } = await started();
  const sent: string[] = [];
  const send = (count: number): void => {
    for (let n = 0; n < count; n += 1) {
      const text = JSON.stringify({ type: 'text', id: `t-${sent.length}`, data: 'A.' });
      sent.push(text);
      client.socket.send(text);
    }
  };
  const arrived = async (): Promise<void> => {
    // The session.start came before them.
    await until(
      () => session.frames.all.length,
      (count) => count > sent.length,
    );
    assert.deepEqual(
      session.frames.all.slice(1).map(({ text }) => text),
      sent,
    );
  };
  send(50);
  redis.freeze();
  send(50);
  // The manual clock moves no faster than real time, and a message waits at most 250 ms for Redis.
  const moving = setInterval(() => clock.advance(5), 5);
  t.after(() => clearInterval(moving));
  await arrived();
  send(50);
  redis.thaw();
  send(50);
  await arrived();
  const killed = redis.kill();
  send(50);
  await killed;
  send(50);
  await arrived();
  await redis.start();
  const isBack = async (): Promise<boolean> =>
    (await (await fetch(`${origin}/metrics`)).text()).includes('sign_proxy_redis_up 1');
  await until(isBack);
  send(50);
  await arrived();
});

test('paid requests under way at both replicas together stay within a cap', async (t) => {
  const { both } = await twoReplicas(t, { SIGN_DAILY_SECONDS: '30', SIGN_GENERATES_PER_MINUTE: '10000' });
  const held: (() => void)[] = [];
  for (const { upstream } of both)
    upstream.answer = (response) => void held.push(() => say(response, { job_id: 'a' }));
  // Each request counts 4 s, so seven of them fit.
  const ask = (replica: MountedProxy): Promise<Response> => generate(replica, 'One two three four five.');
  const asked: Promise<Response>[] = [];
  await until(
    () => {
      asked.push(...both.map(ask));
      return held.length;
    },
    (count) => count >= 7,
  );
  const refused = await Promise.all(both.map(async (replica) => (await ask(replica)).status));
  const count = held.length;
  for (const answer of held) answer();
  assert.deepEqual([count, refused], [7, [429, 429]]);
  const passed = (await Promise.all(asked)).filter(({ status }) => status === 200);
  assert.equal(passed.length, 7);
});
