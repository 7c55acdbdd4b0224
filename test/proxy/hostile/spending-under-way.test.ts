// Work under way that a cap could miss: texts and paid requests that are not answered yet, texts that two parsers read
// differently, and texts that wait for a service that cannot be reached.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spendings } from '../../../proxy/limits/spending.ts';
import { until } from '../../until.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { manualClock } from '../manual-clock.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { generate, spentBy } from '../spending-harness.ts';

const text = (id: string, data: string): string => JSON.stringify({ type: 'text', id, data });

test('texts under way count towards the cap: a text that may exceed it waits, and passes when the others turn out shorter', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_DAILY_SECONDS: '10' } });
  const { client, session } = await proxy.started();
  const [first, second] = [text('a', 'One two three four five.'), text('b', 'One two three four five.')];
  for (const each of [first, second, text('c', 'One two three four five.')]) client.socket.send(each);
  assert.deepEqual(
    [(await session.frames.next()).text, (await session.frames.next()).text],
    [first, second],
    'together 8 s of 10',
  );
  const { code, ref } = JSON.parse(await client.frames.next()) as { code: string; ref: string };
  assert.deepEqual([code, ref], ['backpressure', 'c']);
  assert.equal(await spentBy(proxy, 'characters'), 48, 'what waits is not counted');
  const metrics = await (await fetch(`${proxy.origin}/metrics`)).text();
  assert.match(metrics, /^sign_proxy_limit_hits_total\{limit="budget_under_way"\} 1$/m);
  session.socket.send(JSON.stringify({ type: 'result', ref: 'a', duration_seconds: 2 }));
  await client.frames.next();
  const again = text('d', 'One two three four five.');
  client.socket.send(again);
  assert.equal((await session.frames.next()).text, again);
});

for (const [what, env] of [
  ['seconds', { SIGN_DAILY_SECONDS: '10' }],
  ['characters', { SIGN_MONTHLY_CHARACTERS: '60' }],
] as const) {
  test(`paid requests under way count towards the cap of ${what}, and a failed one no longer counts`, async (t) => {
    const proxy = await mountedProxy(t, { env });
    const held: (() => void)[] = [];
    proxy.upstream.answer = (response) => void held.push(() => response.writeHead(500).end());
    const both = [1, 2].map(() => generate(proxy, 'One two three four five.'));
    await Promise.all([proxy.upstream.asked.next(), proxy.upstream.asked.next()]);
    const third = await generate(proxy, 'One two three four five.');
    assert.deepEqual([third.status, third.headers.get('retry-after')], [429, '2']);
    for (const answer of held) answer();
    await Promise.all(both);
    proxy.upstream.answer = (response) => void response.writeHead(200).end();
    assert.equal((await generate(proxy, 'One two three four five.')).status, 200);
  });
}

test('a text of a session waits for paid requests that may use up the characters', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_MONTHLY_CHARACTERS: '60' } });
  const { client, session } = await proxy.started();
  let answer = (): void => undefined;
  proxy.upstream.answer = (response) => void (answer = () => response.writeHead(500).end());
  const paid = generate(proxy, 'A text of forty characters, or a few more.');
  await proxy.upstream.asked.next();
  client.socket.send(text('a', 'One two three four five.'));
  const goesUp = session.frames.next();
  assert.match(String(await Promise.race([client.frames.next(), goesUp])), /"backpressure"/);
  answer();
  await paid;
  client.socket.send(text('b', 'One two three four five.'));
  assert.match((await goesUp).text, /"b"/);
});

/** A frame with two `data`: some parsers read the first, others the last. */
const odd = (id: string, data: string): string => `{"type":"text","id":"${id}","data":"${data}","data":"x"}`;
/** 69 characters with the rest of its frame: its estimate is 1 s and 0.1 s for each character. */
const ODD = odd('a', 'One two three four five.');

test('a text that two parsers read differently waits as other texts do, and is counted when the client leaves before its result', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_DAILY_SECONDS: '15' } });
  const { client, session } = await proxy.started();
  client.socket.send(ODD);
  await session.frames.next();
  client.socket.send(odd('b', 'One two three four five.'));
  const next = await Promise.race([client.frames.next(), session.frames.next()]);
  assert.match(String(next), /"backpressure"/);
  client.socket.terminate();
  await session.closed;
  assert.equal(await until(() => spentBy(proxy, 'video_seconds')), 1 + 0.1 * ODD.length);
});

test('the result of a text that two parsers read differently counts in place of its estimate', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  for (const frame of [ODD, '{"type":"result.fetch","id":"other"}']) {
    client.socket.send(frame);
    await session.frames.next();
  }
  for (const [ref, seconds] of [
    ['other', 2],
    ['a', 3],
    ['a', 3],
  ] as const) {
    session.socket.send(JSON.stringify({ type: 'result', ref, duration_seconds: seconds }));
    await client.frames.next();
  }
  client.socket.close();
  await session.closed;
  assert.equal(await spentBy(proxy, 'video_seconds'), 2 + 3);
});

test('texts that wait for the service do not count while it cannot be reached, and count when it is reached', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.upgrades = 'ignore';
  for (const isReached of [false, true]) {
    if (isReached) proxy.upstream.upgrades = 'accept';
    const client = await openClient(proxy.address);
    for (const frame of [SESSION_START, text('a', 'One two three four five.')]) client.socket.send(frame);
    if (isReached) {
      const { frames } = await proxy.upstream.sessions.next();
      await frames.next();
      await frames.next();
    } else {
      client.socket.ping();
      await new Promise((pong) => client.socket.once('pong', pong));
      proxy.clock.advance(5_000);
      assert.equal((await client.closed).reason, 'upstream_unreachable');
    }
    assert.equal(await spentBy(proxy, 'characters'), isReached ? 24 : 0);
    client.socket.terminate();
  }
});

test('a rounding error makes no text wait when all texts are answered', () => {
  const nothing = (): void => {};
  const metrics = { limitHit: nothing, videoSpent: nothing, charactersSpent: nothing };
  const of = spendings({ clock: manualClock(), link: null, file: null, log: {} as never, metrics });
  const caps = { monthlySeconds: null, dailyCharacters: null, monthlyCharacters: null };
  const spending = of({ ...caps, site: 'a', dailySeconds: 10 });
  spending.add({ seconds: 6 });
  for (const seconds of [2.8, 5.800000000000001, -2.8, -5.800000000000001]) spending.expect(seconds, 0);
  assert.equal(spending.mustWait(5, 0), false);
});
