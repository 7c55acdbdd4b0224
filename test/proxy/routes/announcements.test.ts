// The announcement routes: our token on them, its renewal, one answer for many clients, and the budget.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECK, CLIENT_SECRET, say, harness, submit, SUBMIT, tokenOf } from '../announcement-harness.ts';
import type { FakeUpstream } from '../fake-upstream.ts';
import { mountedProxy } from '../mounted-proxy.ts';

test('the token is requested as document 1 says, and the announcement is sent with it', async (t) => {
  const all = await harness(t);
  const response = await submit(all, { destination: 'KGX', cancelled: 'true', tomorrow: 1 });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { data: { id: 'request-1' } });

  const grant = await all.auth.asked.next();
  assert.deepEqual([grant.request.method, grant.request.url], ['POST', '/oauth2/token']);
  assert.match(grant.request.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/);
  assert.equal(grant.body, 'grant_type=client_credentials');
  assert.equal(tokenOf(grant), `Basic ${Buffer.from(`client-1:${CLIENT_SECRET}`).toString('base64')}`);

  const { request, body } = await all.api.asked.next();
  assert.deepEqual([request.method, request.url], ['POST', '/v1/sign-requests/train-announcements']);
  assert.equal(request.headers.authorization, 'Bearer issued-token-1');
  assert.equal(request.headers['x-request-id'], 'client-1');
  assert.equal(request.headers['x-api-key'], undefined);
  assert.deepEqual(JSON.parse(body), { destination: 'KGX', cancelled: 'true', tomorrow: 1 });
});

test('many clients at once need one token, and later ones none', async (t) => {
  const all = await harness(t);
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await submit(all)).status));
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal((await submit(all)).status, 200);
  assert.equal(all.auth.asked.all.length, 1);
});

test('a token is renewed beside the last requests that it serves, and never used when it has expired', async (t) => {
  const all = await harness(t, { seconds: 100 });
  const tokens = async (ms: number): Promise<string | undefined> => {
    all.clock.advance(ms);
    await submit(all);
    return tokenOf(await all.api.asked.next());
  };
  // The service takes any token here, so that a renewal does not show as a refusal.
  all.api.answer = (response) => say(response, 200, {});
  assert.equal(await tokens(0), 'Bearer issued-token-1');
  assert.equal(await tokens(89_999), 'Bearer issued-token-1');
  assert.equal(all.auth.asked.all.length, 1);
  await all.auth.asked.next();
  assert.equal(await tokens(1), 'Bearer issued-token-1');
  await all.auth.asked.next();
  assert.equal(await tokens(95_000), 'Bearer issued-token-3');
});

test('a token of a few seconds serves requests until it expires', async (t) => {
  const all = await harness(t, { seconds: 4 });
  for (let requests = 0; requests < 15; requests += 1) {
    await submit(all);
    all.clock.advance(200);
  }
  assert.equal(all.auth.asked.all.length, 1);
});

for (const status of [401, 403]) {
  test(`a token that is refused with ${status} is renewed once, and the request sent once more`, async (t) => {
    const all = await harness(t);
    await submit(all);
    const { answer } = all.api;
    let refusals = 0;
    all.api.answer = (response, asked) =>
      refusals++ === 0 ? say(response, status, { data: {} }) : answer(response, asked);
    assert.equal((await submit(all)).status, 200);
    assert.deepEqual(all.api.asked.all.map(tokenOf), [
      'Bearer issued-token-1',
      'Bearer issued-token-1',
      'Bearer issued-token-2',
    ]);
  });

  test(`a second ${status} comes down as it is`, async (t) => {
    const all = await harness(t);
    const error = { data: { status: 'FAILED', errorLog: 'not for you' } };
    all.api.answer = (response) => say(response, status, error);
    const response = await submit(all);
    assert.equal(response.status, status);
    assert.deepEqual(await response.json(), error);
    assert.equal(all.api.asked.all.length, 2);
    assert.equal(all.auth.asked.all.length, 2);
  });
}

test('clients that are refused together renew the token together', async (t) => {
  const all = await harness(t);
  await submit(all);
  const { answer } = all.api;
  const held: (() => void)[] = [];
  all.api.answer = (response, asked) => {
    if (tokenOf(asked) !== 'Bearer issued-token-1') return answer(response, asked);
    held.push(() => say(response, 401, {}));
    if (held.length === 4) for (const refuse of held) refuse();
  };
  const statuses = await Promise.all(
    Array.from({ length: 4 }, async (_, platform) => (await submit(all, { platform })).status),
  );
  assert.deepEqual(statuses, [200, 200, 200, 200]);
  assert.equal(all.auth.asked.all.length, 2);
});

test('equal submits of many clients are one request while it is under way; a different body, and a submit after the answer, is another', async (t) => {
  let arrived = 0;
  let allArrived = (): void => undefined;
  const all = await harness(t, {
    host: (app) =>
      void app.addHook('preHandler', async () => {
        if (++arrived === 6) allArrived();
      }),
  });
  const { answer } = all.api;
  const held: (() => void)[] = [];
  all.api.answer = (response, asked) => void held.push(() => answer(response, asked));
  const known = new Promise<void>((resolve) => (allArrived = resolve));
  const bodies = [...Array.from({ length: 5 }, () => ({ destination: 'KGX' })), { destination: 'EUS' }];
  const answers = bodies.map(async (body) => (await submit(all, body)).json());
  await known;
  await Promise.all([all.api.asked.next(), all.api.asked.next()]);
  all.api.answer = answer;
  for (const release of held) release();
  for (const body of await Promise.all(answers)) assert.deepEqual(body, { data: { id: 'request-1' } });
  assert.equal(all.api.asked.all.length, 2);
  assert.equal((await submit(all)).status, 200);
  assert.equal(all.api.asked.all.length, 3);
});

test('clients cannot make the proxy ask for more than 12 tokens a minute', async (t) => {
  const all = await harness(t);
  all.auth.answer = (response) => say(response, 500, {});
  for (let n = 0; n < 20; n++) assert.equal((await submit(all)).status, 502);
  assert.equal(all.auth.asked.all.length, 12);
});

for (const status of [401, 403]) {
  test(`a client whose requests are refused with ${status} gets that status each time, and costs two tokens a minute`, async (t) => {
    const all = await harness(t);
    const error = { data: { status: 'FAILED', errorLog: 'not for you' } };
    all.api.answer = (response) => say(response, status, error);
    for (let n = 0; n < 20; n++) {
      const response = await submit(all);
      assert.deepEqual([response.status, await response.json()], [status, error]);
    }
    assert.equal(all.auth.asked.all.length, 3);
    all.clock.advance(60_000);
    for (let n = 0; n < 20; n++) await submit(all);
    assert.equal(all.auth.asked.all.length, 5);
  });
}

test('a 401 for the token is 502 upstream_unreachable while the token server gives no other token', async (t) => {
  const all = await harness(t);
  await submit(all);
  const { answer } = all.api;
  const issue = all.auth.answer;
  all.api.answer = (response) => say(response, 401, { data: { status: 'FAILED', errorLog: 'expired' } });
  all.auth.answer = (response) => say(response, 503, {});
  const response = await submit(all);
  const { code } = (await response.json()) as { code: string };
  assert.deepEqual([response.status, code], [502, 'upstream_unreachable']);
  all.api.answer = answer;
  all.auth.answer = issue;
  assert.equal((await submit(all)).status, 200);
});

test('a refusal with 403 comes down as it is when the token server has no other token', async (t) => {
  const all = await harness(t);
  await submit(all);
  all.api.answer = (response) => say(response, 403, { data: {} });
  all.auth.answer = (response) => response.destroy();
  assert.equal((await submit(all)).status, 403);
  // The present token goes on serving clients that are not refused.
  all.api.answer = (response) => say(response, 200, {});
  assert.equal((await submit(all)).status, 200);
});

for (const [what, answer] of Object.entries<FakeUpstream['answer']>({
  'refuses us': (response) => say(response, 403, { data: { status: 'FAILED', errorLog: CLIENT_SECRET } }),
  'sends no JSON': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'sends a token that fits no header': (response) =>
    say(response, 200, { access_token: 'a b\r\nc: d', token_type: 'Bearer' }),
  'hangs up': (response) => void response.destroy(),
})) {
  test(`a token server that ${what} is 502 upstream_unreachable, and the next client tries again`, async (t) => {
    const all = await harness(t);
    const issue = all.auth.answer;
    all.auth.answer = answer;
    const response = await submit(all);
    const { code } = (await response.json()) as { code: string };
    assert.deepEqual([response.status, code], [502, 'upstream_unreachable']);
    assert.equal(all.api.asked.all.length, 0);
    all.auth.answer = issue;
    assert.equal((await submit(all)).status, 200);
  });
}

test('a token server may send null for a missing field, and the seconds as a string', async (t) => {
  const all = await harness(t);
  all.auth.answer = (response) =>
    say(response, 200, {
      access_token: 'issued-token-0',
      expires_in: '3600',
      token_type: 'Bearer',
      scope: null,
      refresh_token: null,
      id_token: null,
    });
  assert.equal((await submit(all)).status, 200);
});

test('no spelling of the token comes down', async (t) => {
  const all = await harness(t);
  const token = 'token/with+slash-2==';
  all.auth.answer = (response) => say(response, 200, { access_token: token, token_type: 'Bearer' });
  all.api.answer = (response) =>
    void response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(`{"a":"${token.replaceAll('/', '\\/')}","b":"${encodeURIComponent(token)}"}`);
  assert.equal(await (await submit(all)).text(), '{"a":"[redacted]","b":"[redacted]"}');
});

test('neither the token nor the secret comes down in any answer of the service', async (t) => {
  const all = await harness(t);
  all.api.answer = (response, asked) =>
    say(
      response,
      400,
      { data: { errorLog: `${tokenOf(asked)} ${CLIENT_SECRET}` } },
      { 'cache-control': 'issued-token-1' },
    );
  const response = await submit(all);
  assert.equal(response.headers.get('cache-control'), '[redacted]');
  assert.deepEqual(await response.json(), { data: { errorLog: 'Bearer [redacted] [redacted]' } });
});

test('after a 429 of the service nothing goes up until its Retry-After has passed', async (t) => {
  const all = await harness(t);
  const { answer } = all.api;
  all.api.answer = (response) => say(response, 429, {}, { 'retry-after': '20' });
  assert.equal((await submit(all)).headers.get('retry-after'), '20');
  all.api.answer = answer;
  all.clock.advance(5_000);
  const held = await submit(all);
  assert.deepEqual([held.status, held.headers.get('retry-after')], [429, '15']);
  assert.equal(((await held.json()) as { code: string }).code, 'rate_limited');
  assert.equal(all.api.asked.all.length, 1);
  all.clock.advance(15_000);
  assert.equal((await submit(all)).status, 200);
});

test('a 429 of the service with a date is obeyed for the seconds from its own Date', async (t) => {
  const all = await harness(t);
  // The proxy's clock does not matter: the service's clock may be in another year.
  const dates = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:40 GMT' };
  all.api.answer = (response) => say(response, 429, {}, dates);
  assert.equal((await submit(all)).headers.get('retry-after'), '40');
  all.clock.advance(5_000);
  assert.equal((await submit(all)).headers.get('retry-after'), '35');
  assert.equal(all.api.asked.all.length, 1);
});

test('a 429 of the service that does not say how long to wait is a wait of 5 s', async (t) => {
  const all = await harness(t);
  all.api.answer = (response) => say(response, 429, {});
  assert.equal((await submit(all)).headers.get('retry-after'), '5');
});

test('a body that is no object, a malformed id, and a filter that is there twice do not go up', async (t) => {
  const all = await harness(t);
  for (const body of [[], null, 'KGX', 1]) assert.equal((await submit(all, body)).status, 400);
  for (const path of [`${CHECK}%2F..`, `${CHECK}?filter=a&filter=b`])
    assert.equal((await fetch(all.origin + path)).status, 400);
  assert.equal(all.api.asked.all.length, 0);
});

test('announcements are paid requests: over their limit they get 429, and look-ups still pass', async (t) => {
  const all = await harness(t, { env: { SIGN_GENERATES_PER_MINUTE: '1' } });
  assert.equal((await submit(all)).status, 200);
  const refused = await submit(all);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.equal((await fetch(all.origin + CHECK)).status, 200);
  assert.equal(all.api.asked.all.length, 2);
});

test('other methods get 405, and without a configured announcement API its paths get 404', async (t) => {
  const { origin } = await harness(t);
  assert.equal((await fetch(origin + SUBMIT)).headers.get('allow'), 'POST');
  assert.equal((await fetch(origin + CHECK, { method: 'DELETE' })).headers.get('allow'), 'GET, HEAD');
  const other = await mountedProxy(t);
  assert.equal((await fetch(other.origin + CHECK)).status, 404);
});
