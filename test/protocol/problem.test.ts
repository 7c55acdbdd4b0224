// The proxy's own errors over HTTP, and the close codes that stand for them on a socket.
import assert from 'node:assert/strict';
import test from 'node:test';
import { closeCodes } from '../../src/protocol/websocket.ts';
import { parseProblem } from '../../src/protocol/problem.ts';

test('a problem is read with its code, title and detail', () => {
  const problem = { code: 'origin_refused', title: 'Forbidden', status: 403, detail: 'not you', extra: [1] };
  assert.deepEqual(parseProblem(problem), problem);
});

test('a code alone is a problem', () => {
  assert.deepEqual(parseProblem({ code: 'not_found' }), { code: 'not_found', title: '' });
});

for (const body of [
  null,
  undefined,
  'text',
  7,
  [],
  {},
  { code: 1 },
  { code: 'x', status: 'bad' },
  { code: 'x', title: {} },
]) {
  test(`${JSON.stringify(body)} is not a problem`, () => assert.equal(parseProblem(body), null));
}

test('close codes are those that a server may send (RFC 6455, 7.4)', () => {
  assert.deepEqual(closeCodes, {
    normal: 1000,
    policy: 1008,
    tooBig: 1009,
    upstreamFailed: 1011,
    restarting: 1012,
    overloaded: 1013,
  });
});
