// Every path under `/v2/live/` answers in the live envelope with the request's id (document 2, Errors, envelope 2), sent to the
// whole sandbox: unknown paths, methods that no route serves, addresses that cannot be parsed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startSandbox } from '../../../demo/sandbox/index.ts';

const ID = '00000000-0000-4000-a000-000000000000';

const asked: readonly (readonly [method: string, path: string, status: number, code: string])[] = [
  ['GET', '', 404, 'NOT_FOUND'],
  ['GET', '/', 404, 'NOT_FOUND'],
  ['GET', '/session', 404, 'NOT_FOUND'],
  ['POST', '/sessions/', 405, 'METHOD_NOT_ALLOWED'],
  ['PATCH', `/sessions/${ID}/stop`, 404, 'NOT_FOUND'],
  ['HEAD', '/nothing', 404, 'NOT_FOUND'],
  ['PUT', '/sessions', 405, 'METHOD_NOT_ALLOWED'],
  ['OPTIONS', `/sessions/${ID}`, 405, 'METHOD_NOT_ALLOWED'],
  ['TRACE', '/sessions', 404, 'NOT_FOUND'],
  ['PROPFIND', `/sessions/${ID}`, 404, 'NOT_FOUND'],
  ['GET', `/sessions/${'a'.repeat(5000)}`, 400, 'BAD_REQUEST'],
  ['GET', '/sessions/%zz', 400, 'BAD_REQUEST'],
];

test('every path under /v2/live/ answers errors in the live envelope, with X-Request-Id', async (t) => {
  const { addresses, close } = await startSandbox({ render: { stamp: true } });
  t.after(close);
  const ask = async (method: string, path: string, key: Readonly<Record<string, string>>) => {
    const headers = { ...key, 'X-Request-Id': 'request-1' };
    const sent = request(`${addresses.apiUrl}/v2/live${path}`, { method, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(answer.headers['x-request-id'], 'request-1', `${method} ${path}`);
    return { status: answer.statusCode, body: await text(answer) };
  };
  for (const [method, path, status, code] of asked) {
    const answer = await ask(method, path, { 'X-API-KEY': addresses.apiKey });
    assert.equal(answer.status, status, `${method} ${path}: ${answer.body}`);
    if (method === 'HEAD') continue;
    const { error } = JSON.parse(answer.body) as { error: Readonly<Record<string, unknown>> };
    assert.deepEqual([error['code'], error['requestId']], [code, 'request-1'], `${method} ${path}`);
  }
  const { status, body } = await ask('GET', '/nothing', {});
  assert.equal(status, 401, body);
});
