// Another server answers over HTTP in the place of the proxy: a network that wants a login, a router without the route, a wrong
// address.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';
import { clientHarness, download, sessionHarness, watched } from './rest-harness.ts';

for (const type of ['text/html', 'Text/HTML; charset=utf-8']) {
  test(`once the proxy has answered, the login page of a network, ${type}, counts as no answer: the text and the job wait`, async () => {
    const { proxy, client, clock } = clientHarness(0.5);
    const page = () => new Response('<h1>Log in</h1>', { headers: { 'content-type': type } });
    const login = () => proxy.last.answer('<h1>Log in</h1>', 200, { 'content-type': type });
    const before = watched(client.silence());
    await promisesSettled();
    await proxy.last.answer({ mp4: 'https://media.example/idle.mp4' });
    const seen = watched(client.generate(download));
    await promisesSettled();
    await login();
    proxy.head = page;
    await clock.advance(2_000);
    assert.equal(proxy.last.path, 'ws/');
    await login();
    proxy.head = () => new Response();
    await clock.advance(5_000);
    await proxy.last.answer({ jobId: 'j-1' });
    await clock.advance(1_000);
    await login();
    await clock.advance(2_000);
    await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
    assert.deepEqual([before.error, seen.value?.mediaUrl], [undefined, 'https://media.example/j']);
    assert.equal(proxy.texts.length, 2);
  });
}

test('when a server without the routes takes the place of a proxy that has answered, the text waits for the proxy', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const before = watched(client.silence());
  await promisesSettled();
  await proxy.last.answer({ mp4: 'https://media.example/idle.mp4' });
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer('404 page not found', 404, { 'content-type': 'text/plain' });
  await clock.advance(2_250);
  await proxy.last.video();
  assert.deepEqual([before.error, typeof seen.value?.mediaUrl], [undefined, 'string']);
  assert.equal(clock.pending, 0);
});

test('once the proxy has answered, a gateway that forbids or wants a login counts as no answer: the text and the job wait', async () => {
  for (const status of [401, 403]) {
    const { proxy, clock, session } = sessionHarness();
    const forbidden = (): Promise<void> =>
      proxy.last.answer('<h1>Forbidden</h1>', status, { 'content-type': 'text/html' });
    const askedAgain = async (path: string): Promise<void> => {
      for (let ms = 0; proxy.last.path !== path && ms < 10_000; ms += 250) await clock.advance(250);
      assert.equal(proxy.last.path, path, `${status}`);
    };
    const job = session.sign('A');
    await promisesSettled();
    await proxy.request('A').answer({ jobId: 'j-1' });
    await askedAgain('v1/status/j-1');
    proxy.head = () => new Response(null, { status });
    await forbidden();
    await askedAgain('ws/');
    assert.equal(session.state, 'reconnecting', `${status}`);
    const text = session.sign('B');
    await forbidden();
    proxy.head = () => new Response();
    await clock.advance(500);
    assert.deepEqual(proxy.texts, ['A'], `${status}`);
    await proxy.last.answer({}, 426);
    await proxy.request('B').video();
    for (let ms = 0; proxy.last.path !== 'v1/status/j-1' && ms < 10_000; ms += 250) await clock.advance(250);
    await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j.mp4' });
    assert.deepEqual(await Promise.all([job, text].map(({ result }) => reasonOf(result))), [
      'resolved',
      'resolved',
    ]);
  }
});

test('the service refusing with a page, which the proxy passes on, is final', async () => {
  const { proxy, client } = clientHarness();
  const before = watched(client.silence());
  await promisesSettled();
  await proxy.last.answer({ mp4: 'https://media.example/idle.mp4' });
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer('<h1>Forbidden</h1>', 403, { 'content-type': 'text/html', 'x-request-id': 'r-1' });
  assert.deepEqual(
    [before.error, seen.error?.code, seen.error?.retryable],
    [undefined, 'invalid_request', false],
  );
});

test('a server without routes that has the script but is no proxy is reported at once', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer('404 page not found', 404, { 'content-type': 'text/plain' });
  assert.match(seen.error?.message ?? '', /something else answers there, with 404$/);
  assert.deepEqual([seen.error?.retryable, clock.pending], [false, 0]);
});

test('an empty answer of the service does not count as the answer of another server', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer('', 200, { 'content-type': 'application/json' });
  assert.deepEqual(
    [seen.error?.code, seen.error?.message],
    ['protocol_error', 'no JSON from https://page.example/sign'],
  );
});

test('another server at the prefix is reported at once, and the text does not wait for a proxy', async () => {
  const { proxy, client, clock } = clientHarness();
  proxy.head = () => new Response('<h1>Shop</h1>', { headers: { 'content-type': 'text/html' } });
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer('<h1>Shop</h1>', 200, { 'content-type': 'text/html' });
  assert.deepEqual([seen.error?.code, seen.error?.retryable], ['proxy_unreachable', false]);
  assert.match(seen.error?.message ?? '', /something else answers there/);
  assert.deepEqual([proxy.texts, clock.pending], [[], 0]);
});

test('when another server takes the place of the proxy for 40 s, the next text is sent to it only once, and is signed by the proxy afterwards', async () => {
  const { proxy, clock, session } = sessionHarness();
  const missing = { 'content-type': 'text/plain' };
  const first = session.sign('A');
  await promisesSettled();
  await proxy.last.video();
  const second = session.sign('B');
  await promisesSettled();
  proxy.head = () => new Response(null, { status: 404, headers: missing });
  let answered = proxy.asked.length - 1;
  for (let ms = 0; ms < 40_000; ms += 250) {
    for (; answered < proxy.asked.length; answered += 1)
      await proxy.asked[answered]!.answer('404 page not found', 404, missing);
    await clock.advance(250);
  }
  assert.deepEqual([session.state, proxy.texts], ['reconnecting', ['A', 'B']]);
  proxy.head = () => new Response();
  const problem = { 'content-type': 'application/problem+json' };
  for (let ms = 0; proxy.texts.length < 3; ms += 250) {
    for (; answered < proxy.asked.length && proxy.asked[answered]!.path === 'ws/'; answered += 1)
      await proxy.asked[answered]!.answer({ code: 'upgrade_required' }, 426, problem);
    await clock.advance(250);
    assert.ok(ms < 60_000, 'the text is sent');
  }
  await proxy.last.video();
  assert.deepEqual([await reasonOf(first.result), await reasonOf(second.result)], ['resolved', 'resolved']);
});
