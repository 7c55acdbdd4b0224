// Look-ups of announcements: one answer for many clients, ids that nobody has submitted, and shares of the budget.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CHECK, say, harness, submit, SUBMIT } from '../announcement-harness.ts';

/** Announcements with these ids are submitted, and what went up for them is not in `asked` of the result. */
async function submitted(t: TestContext, ...ids: string[]) {
  const all = await harness(t);
  const { answer } = all.api;
  for (const id of ids) {
    all.api.answer = (response) => say(response, 200, { data: { id } });
    await submit(all);
  }
  all.api.answer = answer;
  const check = (path = CHECK): Promise<Response> => fetch(all.origin + path);
  return { ...all, check, lookUps: () => all.api.asked.all.length - ids.length };
}

test('look-ups of one announcement share an answer for a second; another announcement or filter has its own', async (t) => {
  const { check, clock, lookUps } = await submitted(t, 'request-1', 'other');
  const answers = await Promise.all([check(), check(), check()]);
  for (const answer of answers) assert.deepEqual(await answer.json(), { data: { id: 'request-1' } });
  await check();
  assert.equal(lookUps(), 1);
  await Promise.all([check(`${CHECK}?filter=status`), check('/sign/v1/sign-requests/other')]);
  assert.equal(lookUps(), 3);
  clock.advance(1_000);
  await check();
  assert.equal(lookUps(), 4);
});

test('the answer of a failed look-up is not kept', async (t) => {
  const { api, check } = await submitted(t, 'request-1');
  const { answer } = api;
  api.answer = (response) => void response.destroy();
  assert.equal((await check()).status, 502);
  api.answer = answer;
  assert.equal((await check()).status, 200);
});

test('an id that nobody has submitted here is 404, and nothing goes up for it', async (t) => {
  const { check, clock, lookUps } = await submitted(t, 'request-1');
  clock.advance(600_000);
  const refused = await check('/sign/v1/sign-requests/guessed?filter=status');
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [404, 'not_found']);
  clock.advance(24 * 3_600_000 - 600_000 - 1);
  assert.equal((await check()).status, 200);
  clock.advance(1);
  assert.equal((await check()).status, 404, 'an id is known for a day');
  assert.equal(lookUps(), 1);
});

for (const status of [201, 202]) {
  test(`an announcement that the service accepts with ${status} may be looked up`, async (t) => {
    const all = await harness(t);
    const { answer } = all.api;
    all.api.answer = (response) => say(response, status, { data: { id: 'request-1' } });
    assert.equal((await submit(all)).status, status);
    all.api.answer = answer;
    all.clock.advance(600_000);
    assert.equal((await fetch(all.origin + CHECK)).status, 200);
  });
}

test('pages that poll during a restart get their announcement, and guessed ids have a small share of the requests', async (t) => {
  const { api, check, clock, lookUps } = await submitted(t);
  const { answer } = api;
  const path = (id: string): string => `/sign/v1/sign-requests/${id}`;
  assert.equal((await check(path('of-before'))).status, 200);
  api.answer = (response) => say(response, 404, {});
  const guesses: number[] = [];
  for (let n = 0; n < 200; n++) guesses.push((await check(path(`guess-${n}`))).status);
  assert.deepEqual([...new Set(guesses)], [404, 429]);
  assert.equal(lookUps(), 50);
  api.answer = answer;
  clock.advance(600_000);
  assert.equal((await check(path('of-before'))).status, 200, 'found once, it is known');
  assert.equal((await check(path('another'))).status, 404);
});

test('an address that guesses ids after a restart leaves look-ups for the pages of others', async (t) => {
  const { api, origin } = await harness(t, { env: { SIGN_TRUST_PROXY: '127.0.0.1' } });
  const { answer } = api;
  const statusFor = async (id: string, address: string): Promise<number> =>
    (await fetch(`${origin}/sign/v1/sign-requests/${id}`, { headers: { 'X-Forwarded-For': address } }))
      .status;
  api.answer = (response) => say(response, 404, {});
  for (let n = 0; n < 200; n++) await statusFor(`guess-${n}`, '203.0.113.9');
  api.answer = answer;
  assert.equal(await statusFor('of-before', '198.51.100.1'), 200);
  api.answer = (response) => say(response, 404, {});
  for (let n = 0; n < 200; n++) await statusFor(`guess-of-many-${n}`, `2001:db8:1:${n}::1`);
  assert.equal(api.asked.all.length, 50 + 1 + 99, 'all together have 150');
});

test('what the service answers with 404 is not asked for again for a minute', async (t) => {
  const { api, check, clock, lookUps } = await submitted(t, 'request-1');
  const gone = { data: { status: 'FAILED', errorLog: 'no such request' } };
  api.answer = (response) => say(response, 404, gone);
  clock.advance(60_000);
  const first = await check();
  assert.deepEqual([first.status, await first.json()], [404, gone]);
  for (let n = 0; n < 3; n++) assert.equal((await check()).status, 404);
  assert.equal(lookUps(), 1);
  clock.advance(60_000);
  await check();
  assert.equal(lookUps(), 2);
});

test('an announcement that the service does not know right after its submit is requested again', async (t) => {
  const { api, check, clock } = await submitted(t, 'request-1');
  const { answer } = api;
  api.answer = (response) => say(response, 404, { data: { status: 'FAILED', errorLog: 'no such request' } });
  assert.equal((await check()).status, 404);
  api.answer = answer;
  clock.advance(1_000);
  assert.equal((await check()).status, 200);
});

test('three IPv6 networks of one host do not use up the announcements of the others', async (t) => {
  const all = await harness(t, { env: { SIGN_TRUST_PROXY: '127.0.0.1' } });
  const submitFrom = async (address: string): Promise<number> =>
    (
      await fetch(all.origin + SUBMIT, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
        body: JSON.stringify({ destination: address }),
      })
    ).status;
  const statuses: number[] = [];
  for (let n = 0; n < 100; n++)
    statuses.push(...(await Promise.all([1, 2, 3].map((net) => submitFrom(`2001:db8:1:${net}::${n}`)))));
  assert.equal(statuses.filter((status) => status === 200).length, 225);
  assert.equal(await submitFrom('198.51.100.1'), 200);
});

test('a look-up goes up with only its filter', async (t) => {
  const all = await harness(t);
  await submit(all);
  await all.api.asked.next();
  await fetch(`${all.origin}${CHECK}?filter=status&x=1`, { headers: { Accept: 'text/html' } });
  const { request } = await all.api.asked.next();
  assert.equal(request.url, '/v1/sign-requests/request-1?filter=status');
  assert.equal(request.headers.accept, 'application/json');
});
