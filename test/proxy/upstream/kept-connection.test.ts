// A kept connection to the service breaks during the next request: whether the service may have taken that request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamRequest } from '../../../proxy/upstream/upstream.ts';
import { asking } from './upstream-harness.ts';

const get: UpstreamRequest = { method: 'GET', path: '/a', headers: {} };
const post: UpstreamRequest = { ...get, method: 'POST', body: '{}' };

for (const [ms, code, why] of [
  [0, 'upstream_unreachable', 'the service had closed the connection before'],
  [50, 'upstream_unreachable', 'the service had closed the connection before'],
  [250, 'no_answer', 'the service may have billed it'],
] as const) {
  test(`a POST on a kept connection that breaks after ${ms} ms is ${code}: ${why}`, async (t) => {
    const { upstream, service, clock } = await asking(t);
    service.status = 200;
    await upstream.request(get);
    service.answer = (response) => {
      clock.advance(ms);
      response.destroy();
    };
    await assert.rejects(upstream.request(post), { code });
    const [first, second] = service.checks;
    assert.equal(first?.socket, second?.socket);
    assert.equal(service.checks.length, 2);
  });
}

for (const [what, begin] of [
  ['of which a part came', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{'],
  ['that cannot be read', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['that comes after an interim one', 'HTTP/1.1 102 Processing\r\n\r\n'],
] as const) {
  test(`a POST on a kept connection that breaks with an answer ${what} is no_answer: the service may have billed it`, async (t) => {
    const { upstream, service } = await asking(t);
    service.status = 200;
    await upstream.request(get);
    service.answer = ({ socket }) => void socket?.end(begin);
    await assert.rejects(upstream.request(post), { code: 'no_answer' });
    const [first, second] = service.checks;
    assert.equal(first?.socket, second?.socket);
    assert.equal(service.checks.length, 2);
  });
}
