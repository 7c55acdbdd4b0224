// Answers of a server in front of the service: statuses that a browser does not pass to a page or that make it send a POST again,
// and pages of gateways with a Retry-After.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { manualClock } from '../manual-clock.ts';
import { asking } from './upstream-harness.ts';

const get = { method: 'GET', path: '/a', headers: {} } as const;
const post = { method: 'POST', path: '/a', headers: {}, body: '{}' } as const;

for (const status of [407, 511]) {
  test(`${status} is 502 upstream_unreachable: a network in front of the service wants a login from the proxy`, async (t) => {
    const { upstream, service, clock } = await asking(t);
    service.status = status;
    const unreachable = { code: 'upstream_unreachable', status: 502, cause: { code: `status ${status}` } };
    for (const asked of [get, post]) await assert.rejects(upstream.request(asked), unreachable);
    assert.equal(service.asked.all.length, 2);
    assert.equal(await reachabilityCheck(service.url, manualClock())(), false);
    assert.equal(clock.pending, 0);
  });
}

test('408 to a POST is 504 no_answer, because Chromium sends a POST that gets a 408 a second time', async (t) => {
  const { upstream, service, clock } = await asking(t);
  service.status = 408;
  await assert.rejects(upstream.request(post), { code: 'no_answer', status: 504 });
  assert.equal((await upstream.request(get)).status, 408);
  assert.equal(clock.pending, 0);
});

test('after a page of a gateway the service counts as unreachable for the time that the page names, or for 2 s', async (t) => {
  const { upstream, service } = await asking(t);
  for (const [given, seconds] of [
    [{ 'retry-after': '120' }, '120'],
    [{}, '2'],
  ] as const) {
    service.answer = (response) =>
      void response.writeHead(503, { 'content-type': 'text/html', ...given }).end('<h1>Maintenance</h1>');
    const unreachable = { code: 'upstream_unreachable', headers: { 'retry-after': seconds } };
    for (const asked of [get, post]) await assert.rejects(upstream.request(asked), unreachable);
  }
});

test('a page of Cloudflare for a service that it does not connect to is upstream_unreachable, at once and for /readyz', async (t) => {
  const { upstream, service, clock } = await asking(t);
  const answerAfter = (status: number, seconds: number): void => {
    service.answer = (response) => {
      clock.advance(seconds * 1000);
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Web server is down</h1>');
    };
  };
  for (const status of [521, 522, 523, 525, 526, 530]) {
    answerAfter(status, 0);
    for (const asked of [get, post])
      await assert.rejects(upstream.request(asked), { code: 'upstream_unreachable' });
    assert.equal(await reachabilityCheck(service.url, manualClock())(), false);
  }
  answerAfter(522, 19);
  await assert.rejects(upstream.request(get), { code: 'upstream_unreachable' });
  await assert.rejects(upstream.request(post), { code: 'no_answer' });
});
