// Outages over REST: the browser is offline, the proxy restarts or a gateway does not reach its proxy. No
// text is lost, and none that may have been billed is sent again.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';
import { clientHarness, download, sessionHarness, watched } from './rest-harness.ts';

const gatewayPage = '<h1>502 Bad Gateway</h1>';

test('a proxy that is away for 30 s loses no text: none is sent until a harmless HEAD reaches it', async () => {
  const { proxy, clock, session } = sessionHarness();
  proxy.head = null;
  const calls = ['A', 'B'].map((text) => session.sign(text));
  await promisesSettled();
  const isAway = () => proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted);
  for (let ms = 0; ms < 30_000; ms += 250) {
    for (const each of isAway()) await each.breakOff();
    await clock.advance(250);
  }
  assert.deepEqual([session.state, proxy.texts], ['reconnecting', []]);
  proxy.head = () => new Response();
  for (let ms = 0; proxy.texts.length < 2; ms += 250) {
    for (const each of isAway()) {
      await each.answer({ code: 'upgrade_required' }, 426, { 'content-type': 'application/problem+json' });
    }
    await clock.advance(250);
    assert.ok(ms < 60_000, 'the texts are sent');
  }
  assert.equal(session.state, 'ready');
  for (const text of ['A', 'B']) await proxy.request(text).video();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), ['resolved', 'resolved']);
});

test('after the error page of a gateway without its proxy, the text waits and is signed', async () => {
  const { proxy, clock, session, errors } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  await proxy.last.answer(gatewayPage, 502);
  assert.equal(session.state, 'reconnecting');
  await clock.advance(250);
  assert.equal(proxy.last.path, 'ws/');
  await proxy.last.answer(gatewayPage, 502);
  await clock.advance(500);
  await proxy.last.answer({}, 426);
  await proxy.request('A').video();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.ok(
    errors().every(([, severity]) => severity === 'warning'),
    'warnings only',
  );
});

test('a text waits while the proxy says that it is restarting, and is signed afterwards', async () => {
  const { proxy, clock, session, errors } = sessionHarness();
  proxy.head = () => new Response(null, { status: 503 });
  const call = session.sign('A');
  await promisesSettled();
  await proxy.last.answer({ code: 'restarting' }, 503, {
    'content-type': 'application/problem+json',
    'retry-after': '2',
  });
  assert.deepEqual([session.state, proxy.texts], ['reconnecting', []]);
  proxy.head = () => new Response();
  await clock.advance(2_000);
  await proxy.last.answer({}, 426);
  await clock.advance(500);
  await proxy.request('A').video();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.ok(
    errors().every(([, severity]) => severity === 'warning'),
    'warnings only',
  );
});

test('while the address of the page gives no ticket, the text waits, and no request is made for it', async () => {
  const { proxy, clock, session, errors } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  // What ticket.ts answers in place of the proxy.
  const problem = { 'content-type': 'application/problem+json' };
  await proxy.last.answer({ code: 'proxy_unreachable' }, 503, problem);
  assert.equal(session.state, 'reconnecting');
  for (let ms = 0; ms < 30_000; ms += 250) {
    if (proxy.last.path === 'ws/') await proxy.last.answer({ code: 'proxy_unreachable' }, 503, problem);
    await clock.advance(250);
  }
  assert.deepEqual([session.state, proxy.texts], ['reconnecting', ['A']]);
  while (proxy.texts.length < 2) {
    if (proxy.last.path === 'ws/') await proxy.last.answer({ code: 'upgrade_required' }, 426, problem);
    await clock.advance(250);
  }
  await proxy.request('A').video();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.ok(
    errors().every(([, severity]) => severity === 'warning'),
    'warnings only',
  );
});

/** The browser is offline for ten minutes, in which nothing is requested; after that the proxy answers again. */
async function tenMinutesOffline({
  proxy,
  clock,
  network,
}: ReturnType<typeof sessionHarness>): Promise<void> {
  const before = proxy.asked.length;
  await clock.advance(600_000);
  assert.equal(proxy.asked.length, before);
  network.go('online');
  await promisesSettled();
  await proxy.last.answer({}, 426);
}

test('while the browser is offline nothing is sent and no try is counted; when it is online the text is sent', async () => {
  const harness = sessionHarness();
  const { proxy, network, session, details } = harness;
  const call = session.sign('A');
  await promisesSettled();
  for (let spell = 0; spell < 10; spell += 1) {
    network.go('offline');
    await proxy.request('A').breakOff();
    for (let look = 0; look < 2; look += 1) await proxy.last.breakOff();
    await tenMinutesOffline(harness);
  }
  assert.equal(proxy.texts.length, 11);
  await proxy.request('A').video();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.deepEqual(
    details('sign-statechange').slice(0, 3),
    ['ready', 'reconnecting', 'ready'].map((state) => ({ state })),
  );
});

test('an answer that was on its way when the browser went offline does not mean that there is a network', async () => {
  const harness = sessionHarness();
  const { proxy, network, session } = harness;
  const first = session.sign('A');
  await promisesSettled();
  network.go('offline');
  await proxy.request('A').video();
  assert.equal(await reasonOf(first.result), 'resolved');
  const second = session.sign('B');
  await tenMinutesOffline(harness);
  await proxy.request('B').video();
  assert.equal(await reasonOf(second.result), 'resolved');
});

test('a text whose connection breaks while the browser is offline is sent again at the event online, however long the request had taken', async () => {
  const { proxy, clock, network, session } = sessionHarness();
  const call = session.sign('A');
  await clock.advance(5_000);
  network.go('offline');
  await proxy.request('A').breakOff();
  for (let look = 0; look < 2; look += 1) await proxy.last.breakOff();
  network.go('online');
  await promisesSettled();
  await proxy.last.answer({}, 426);
  await proxy.request('A').video();
  assert.deepEqual([await reasonOf(call.result), proxy.texts], ['resolved', ['A', 'A']]);
});

test('a connection that breaks up to a second before the browser reports offline counts as broken offline', async () => {
  const { proxy, clock, network, session } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  await proxy.request('A').breakOff();
  await proxy.refuseLook();
  await clock.advance(999);
  network.go('offline');
  await clock.advance(60_000);
  assert.deepEqual([proxy.texts, session.state], [['A'], 'reconnecting']);
  network.go('online');
  await promisesSettled();
  await proxy.last.answer({}, 426);
  await proxy.request('A').video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('a connection that breaks online after the request was sent fails the text: it may have been billed', async () => {
  const { proxy, clock, session } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  await proxy.last.breakOff();
  await proxy.last.answer({}, 426);
  await clock.advance(1_000);
  assert.equal(await reasonOf(call.result), 'proxy_unreachable');
  assert.deepEqual([proxy.texts, session.state], [['A'], 'ready']);
});

test('a text that was sent after the browser was offline fails too when its connection breaks online', async () => {
  const { proxy, clock, network, session } = sessionHarness();
  const { head } = proxy;
  proxy.head = () => {
    proxy.head = head;
    network.go('offline');
    network.go('online');
    return head!();
  };
  const call = session.sign('A');
  await promisesSettled();
  const looks = () => proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted);
  for (const look of looks()) await look.answer({}, 426);
  await proxy.request('A').breakOff();
  for (const look of looks()) await look.answer({}, 426);
  await clock.advance(1_000);
  assert.deepEqual([await reasonOf(call.result), proxy.texts], ['proxy_unreachable', ['A']]);
});

test('a job that the service accepted is polled after the outage, and not sent again', async () => {
  const { proxy, clock, network, session } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1', status: 'queued' });
  network.go('offline');
  await clock.advance(60_000);
  assert.equal(proxy.asked.length, 1);
  network.go('online');
  await promisesSettled();
  await proxy.last.answer({}, 426);
  await promisesSettled();
  assert.equal(proxy.last.path, 'v1/status/j-1');
  await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
  assert.equal((await call.result).url, 'https://media.example/j');
  assert.deepEqual(proxy.texts, ['A']);
});

test('when the proxy stays away, waiting texts fail after a minute or more, and the next text tries again', async () => {
  const { proxy, clock, session } = sessionHarness();
  proxy.head = null;
  const call = session.sign('A');
  let reason: string | undefined;
  void reasonOf(call.result).then((code) => (reason = code));
  let seconds = 0;
  for (; reason === undefined && seconds < 300; seconds += 1) {
    await clock.advance(1_000);
    for (const each of proxy.asked.filter(({ signal }) => !signal.aborted)) await each.breakOff();
  }
  assert.equal(reason, 'proxy_unreachable');
  assert.ok(seconds >= 60, `given up after ${seconds} s`);
  assert.equal(session.state, 'failed');
  proxy.head = () => new Response();
  session.sign('B');
  await promisesSettled();
  await proxy.last.answer({}, 426);
  assert.equal(proxy.last.text, 'B');
});

test('the page of a gateway with 502 within a second is no answer; after a second the request may have been sent on, and is not made again', async () => {
  for (const [ms, posts] of [
    [999, 2],
    [1_000, 1],
  ] as const) {
    const { proxy, client, clock } = clientHarness(0.5);
    const seen = watched(client.generate(download));
    await promisesSettled();
    await clock.advance(ms);
    await proxy.last.answer('<h1>502</h1>', 502);
    assert.equal(seen.error?.code, posts === 1 ? 'proxy_unreachable' : undefined);
    await clock.advance(60_000);
    assert.equal(proxy.texts.length, posts);
  }
});

test('a proxy that takes the connection and never answers counts as away after 5 s, and no POST is sent', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  proxy.head = () => new Response(null, { status: 502 });
  const seen = watched(client.generate(download));
  await promisesSettled();
  await clock.advance(5_000);
  assert.equal(proxy.last.signal.aborted, true);
  proxy.head = () => new Response();
  await clock.advance(2_250);
  await proxy.last.video();
  assert.ok(seen.value?.mediaUrl, 'the second try brought the video');
  assert.equal(clock.pending, 0);
});

test('a text whose job waits for the proxy leaves no timer when the session ends', async () => {
  const { proxy, clock, session } = sessionHarness();
  const call = session.sign('A');
  await promisesSettled();
  await proxy.request('A').answer({ jobId: 'j-1' });
  await clock.advance(1_000);
  await proxy.last.breakOff();
  await clock.advance(2_000);
  assert.equal(session.state, 'reconnecting');
  void session.end();
  await promisesSettled();
  assert.equal(await reasonOf(call.result), 'AbortError');
  assert.equal(clock.pending, 0);
});
