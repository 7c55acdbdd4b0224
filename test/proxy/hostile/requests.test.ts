// Hostile HTTP, byte by byte: what each attack gets, and how many of its requests reach the service.
// - All attacks are sent to one program, one after the other, so that what one leaves behind would show in the next,
//   and the last case checks all requests that reached the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodies } from './attacks/bodies.ts';
import { headers } from './attacks/headers.ts';
import { origins } from './attacks/origins.ts';
import { paths } from './attacks/paths.ts';
import { smuggling } from './attacks/smuggling.ts';
import { hostileHarness, statuses } from './harness.ts';

const harness = hostileHarness();

for (const { what, send, got, reached = 0, hangsUp = false } of [
  ...smuggling,
  ...paths,
  ...origins,
  ...headers,
  ...bodies,
]) {
  test(`${what}: ${got.join(', ') || 'no answer'}`, async () => {
    const before = harness.upstream.checks.length;
    const parts = typeof send === 'string' || Buffer.isBuffer(send) ? [send] : send;
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part));
    const answer = await harness.raw(bytes, { hangsUp });
    assert.deepEqual(statuses(answer), got, answer.slice(0, 500));
    assert.equal(harness.upstream.checks.length - before, reached);
    assert.doesNotMatch(answer, /^set-cookie:/im);
    if (got.some((status) => status >= 400))
      assert.match(answer, /^content-type: application\/problem\+json/im);
    if (got.includes(403)) assert.doesNotMatch(answer, /^access-control-allow-origin: /im);
  });
}

test('all requests that went up had our key, JSON, and nothing else of the client', () => {
  const asked = harness.upstream.asked.all;
  assert.ok(asked.length > 0);
  for (const { request, body } of asked) {
    const known = [
      'accept',
      'accept-encoding',
      'host',
      'connection',
      'content-length',
      'content-type',
      'x-request-id',
      'x-api-key',
    ];
    assert.deepEqual(
      Object.keys(request.headers).filter((name) => !known.includes(name)),
      [],
    );
    // The proxy's own, of requests that pages share.
    assert.ok([undefined, 'application/json'].includes(request.headers.accept));
    if (request.method === 'POST') assert.equal(typeof JSON.parse(body), 'object');
    assert.doesNotMatch(body, /"push"|"display"/);
  }
});
