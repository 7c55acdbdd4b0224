// What a site has spent of signed video: how it is counted, the caps, and what a page gets when a cap is reached.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { SpendingFile } from '../../../proxy/limits/spending-file.ts';
import { spendings, type SpendingConfig } from '../../../proxy/limits/spending.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { refusedUpgrade, SESSION_START } from '../client-socket.ts';
import { problemsOf } from '../config-harness.ts';
import { manualClock } from '../manual-clock.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { decision, generate, NO_CAPS, silent, spentBy } from '../spending-harness.ts';

async function capped(t: TestContext, env: NodeJS.ProcessEnv) {
  const proxy = await mountedProxy(t, { env });
  proxy.upstream.answer = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  return { ...proxy, seconds: () => spentBy(proxy, 'video_seconds') };
}

const result = (ref: string, seconds: number): string =>
  JSON.stringify({ type: 'result', ref, url: 'https://a.example/a.mp4', duration_seconds: seconds });
const summary = (total: number): string =>
  JSON.stringify({ type: 'session.summary', usage: { total_video_duration_sec: total } });

test('a session counts each result once, and its summary adds what is missing', async (t) => {
  const proxy = await capped(t, {});
  const { client, session } = await proxy.started();
  for (const frame of [result('a', 4), result('b', 2.5), result('a', 4), summary(8)]) {
    session.socket.send(frame);
    await client.frames.next();
  }
  assert.equal(await proxy.seconds(), 8);
});

test('a stream counts the seconds of its summary, or, without a summary, the time that it was open', async (t) => {
  const proxy = await capped(t, {});
  for (const [frames, expected] of [
    [[], 20],
    [[summary(3)], 23],
  ] as const) {
    const { client, session } = await proxy.pair();
    client.socket.send(SESSION_START.replace('translate', 'stream'));
    await session.frames.next();
    proxy.clock.advance(20_000);
    for (const frame of frames) {
      session.socket.send(frame);
      await client.frames.next();
    }
    client.socket.close();
    await session.closed;
    assert.equal(await proxy.seconds(), expected);
  }
});

test('over the cap an open session ends at its next frame, and sockets and paid requests get 429 without a wait', async (t) => {
  const proxy = await capped(t, { SIGN_DAILY_SECONDS: '10' });
  const { client, session } = await proxy.started();
  client.socket.send('{"type":"text","id":"a","data":"A."}');
  await session.frames.next();
  session.socket.send(result('a', 10));
  await client.frames.next();
  client.socket.send('{"type":"text","id":"b","data":"B."}');
  assert.deepEqual(await client.closed, { code: 1008, reason: 'budget_spent' });
  assert.equal(session.frames.all.length, 2, 'the second text did not go up');

  const { status, headers, body } = await refusedUpgrade(proxy.address);
  assert.deepEqual([status, body.code, headers['retry-after']], [429, 'budget_spent', undefined]);
  const diagnosis = await fetch(`${proxy.origin}/sign/ws/`);
  assert.equal(((await diagnosis.json()) as { code: string }).code, 'budget_spent');
  const refused = await generate(proxy);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, null]);
  assert.equal(proxy.upstream.asked.all.length, 0);
  assert.equal((await fetch(`${proxy.origin}/sign/v1/silence`)).status, 200);
});

test('REST is estimated by the words of the text, and a failed request costs nothing', async (t) => {
  const proxy = await capped(t, { SIGN_MONTHLY_SECONDS: '4' });
  const { answer } = proxy.upstream;
  proxy.upstream.answer = (response) => void response.writeHead(500).end();
  await generate(proxy);
  assert.equal(await proxy.seconds(), 0);
  proxy.upstream.answer = answer;
  assert.equal((await generate(proxy, 'One two three four five.')).status, 200);
  assert.equal(await proxy.seconds(), 4);
  assert.equal((await generate(proxy)).status, 429);
});

test('a cap of 0 refuses all, and a cap that is no number of seconds is named', async (t) => {
  const proxy = await capped(t, { SIGN_DAILY_SECONDS: '0' });
  assert.equal((await generate(proxy)).status, 429);
  const env = { SIGN_API_URL: 'https://a.example', SIGN_DAILY_SECONDS: '-1', SIGN_MONTHLY_SECONDS: 'many' };
  assert.match(problemsOf(env).message, /SIGN_DAILY_SECONDS "-1".*\n.*SIGN_MONTHLY_SECONDS "many"/);
});

test('the characters of texts that go up are counted as people count them, and have caps of their own', async (t) => {
  const proxy = await capped(t, { SIGN_DAILY_CHARACTERS: '14' });
  const { client, session } = await proxy.started();
  const characters = (): Promise<number> => spentBy(proxy, 'characters');
  for (const frame of [
    '{"type":"text","id":"a","data":"A 😀."}',
    '{"type":"text","id":"b","d\\u0061ta":"Hi."}',
    '{"type":"result.fetch","id":"c","data":"not a text"}',
  ]) {
    client.socket.send(frame);
    await session.frames.next();
  }
  assert.equal(await characters(), 7);
  assert.equal((await generate(proxy, 'Hello.!')).status, 200);
  assert.equal(await characters(), 14);
  assert.equal((await generate(proxy)).status, 429);
  client.socket.send('{"type":"text","id":"d","data":"B."}');
  assert.deepEqual(await client.closed, { code: 1008, reason: 'budget_spent' });
});

test('a file keeps the sums over a restart and after the process was killed, and an incomplete file is not read', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'spending.json');
  const warnings: string[] = [];
  const log = {
    warn: (_fields: unknown, message: string) =>
      void (message === 'budget nearly spent' || warnings.push(message)),
  } as never;
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 10 };
  let now = Date.parse('2026-11-23T12:00:00Z');
  const start = () => {
    const clock = manualClock();
    const file = new SpendingFile(path, { clock, log });
    const of = spendings({ clock, link: null, file, log, metrics: silent, time: () => now });
    return { clock, file, spending: of(caps) };
  };
  const stopped = start();
  stopped.spending.add({ seconds: 4 });
  stopped.spending.add({ seconds: 2, characters: 5 });
  await stopped.file.close();
  const killed = start();
  killed.spending.add({ seconds: 1 });
  killed.clock.advance(1_000);
  await until(async () => readFileSync(path, 'utf8').includes('"seconds":7'));
  assert.deepEqual(readdirSync(folder), ['spending.json']);
  killed.spending.add({ seconds: 1 });
  const third = start();
  assert.equal(await decision(third.spending), 'pass', 'the last second is lost');
  third.spending.add({ seconds: 3 });
  await third.file.close();
  assert.equal(await decision(start().spending), 'budget_spent');
  now += 86_400_000;
  assert.equal(await decision(start().spending), 'pass');

  writeFileSync(path, '{"a":{"2026-11');
  assert.equal(await decision(start().spending), 'pass');
  assert.deepEqual(warnings.splice(0), ['the sums of what is spent cannot be read and begin at 0']);
  rmSync(folder, { recursive: true });
  const unwritable = start();
  for (const seconds of [1, 1]) {
    unwritable.spending.add({ seconds });
    unwritable.clock.advance(1_000);
    await until(async () => warnings.length > 0);
  }
  assert.deepEqual(warnings.splice(0), ['the sums of what is spent cannot be written']);
  mkdirSync(folder);
  unwritable.spending.add({ seconds: 8 });
  await unwritable.file.close();
  assert.equal(await decision(start().spending), 'budget_spent');
});

test('the file keeps the sum of a month over a restart late in the month, and drops old days', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'spending.json');
  const log = { warn: () => undefined } as never;
  let now = Date.parse('2026-11-01T12:00:00Z');
  const start = () => {
    const clock = manualClock();
    const file = new SpendingFile(path, { clock, log });
    const of = spendings({ clock, link: null, file, log, metrics: silent, time: () => now });
    return { file, spending: of({ ...NO_CAPS, site: 'a', monthlySeconds: 10 }) };
  };
  const running = start();
  for (let day = 1; day <= 20; day += 1) {
    running.spending.add({ seconds: 0.5 });
    now += 86_400_000;
  }
  await running.file.close();
  assert.equal(await decision(start().spending), 'budget_spent');
  assert.equal(running.file.sum('a', '2026-11-20', 'seconds'), 0.5);
  assert.equal(running.file.sum('a', '2026-11-16', 'seconds'), 0);
});

test('the proxy writes the file when it closes, and reads it at the next start', async (t) => {
  const folder = temporaryFolder();
  const env = { SIGN_DAILY_CHARACTERS: '6', SIGN_SPENDING_FILE: join(folder, 'spending.json') };
  const first = await capped(t, env);
  assert.equal((await generate(first)).status, 200);
  first.app.server.closeAllConnections();
  await first.app.close();
  assert.equal((await generate(await capped(t, env))).status, 429);
});

test('the sums of the day and of the month begin at 0 again by UTC, other caps keep their sums, and 80 % is logged once', async () => {
  const warnings: unknown[] = [];
  let now = Date.parse('2026-11-29T12:00:00Z');
  const of = spendings({
    clock: manualClock(),
    link: null,
    file: null,
    log: { warn: (fields: unknown) => void warnings.push(fields) } as never,
    metrics: silent,
    time: () => now,
  });
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 10, monthlySeconds: 18 };
  const spending = of(caps);
  spending.add({ seconds: 8 });
  spending.add({ seconds: 0.5 });
  assert.deepEqual(warnings, [{ site: 'a', period: 'day', seconds: 8, cap: 10 }]);
  assert.equal(await decision(spending), 'pass');
  assert.equal(await decision(of({ ...caps, dailySeconds: 8 })), 'budget_spent');
  assert.equal(await decision(of({ ...caps, site: 'b', dailySeconds: 8 })), 'pass');
  spending.add({ seconds: 1.5 });
  assert.equal(await decision(spending), 'budget_spent');
  now = Date.parse('2026-11-30T00:00:00Z');
  assert.equal(await decision(spending), 'pass');
  spending.add({ seconds: 8 });
  assert.equal(await decision(spending), 'budget_spent', 'the month’s 18');
  now = Date.parse('2026-12-01T00:00:00Z');
  assert.equal(await decision(spending), 'pass');
});

for (const [what, ahead, cap] of [
  ['day', '2026-11-29', 'dailySeconds'],
  ['month', '2026-12-28', 'monthlySeconds'],
] as const) {
  test(`when a clock that was a ${what} ahead is set back, the cap of the ${what} is not given twice`, async () => {
    const noon = Date.parse('2026-11-28T12:00:00Z');
    let now = noon;
    const log = { warn: () => undefined };
    const deps = { clock: manualClock(), link: null, file: null, log, metrics: silent, time: () => now };
    const spending = spendings(deps)({ ...NO_CAPS, site: 'a', [cap]: 10 });
    spending.add({ seconds: 10 });
    now = Date.parse(ahead);
    assert.equal(await decision(spending), 'pass');
    now = noon;
    assert.equal(await decision(spending), 'budget_spent');
  });
}
