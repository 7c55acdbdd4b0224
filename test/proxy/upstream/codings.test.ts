// Answers of a service that uses a content coding although none is accepted, as some gateways do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { asking } from './upstream-harness.ts';

const MAX_BYTES = 1024 * 1024;
const get = { method: 'GET', path: '/a', headers: {} } as const;
const post = { method: 'POST', path: '/a', headers: {}, body: '{}' } as const;

test('gzip that was not accepted is decoded, up to 1 MB', async (t) => {
  const { upstream, service } = await asking(t);
  const answerAs = (coding: string, body: Buffer): void => {
    service.answer = (response) => void response.writeHead(200, { 'content-encoding': coding }).end(body);
  };
  for (const coding of ['gzip', 'GZip', 'x-gzip']) {
    answerAs(coding, gzipSync('{}'));
    for (const asked of [get, post]) assert.equal((await upstream.request(asked)).body.toString(), '{}');
  }
  answerAs('gzip', Buffer.alloc(0));
  assert.equal((await upstream.request(get)).body.length, 0);
  answerAs('gzip', gzipSync(Buffer.alloc(MAX_BYTES)));
  assert.equal((await upstream.request(get)).body.length, MAX_BYTES);
});

const refused: Readonly<Record<string, readonly [coding: string, body: Buffer]>> = {
  'gzip of more than 1 MB': ['gzip', gzipSync(Buffer.alloc(MAX_BYTES + 1))],
  'gzip without its end': ['gzip', gzipSync('{"a":1}').subarray(0, -9)],
  'two codings': ['gzip, gzip', gzipSync(gzipSync('{}'))],
  'another coding': ['br', brotliCompressSync('{}')],
};
for (const [what, [coding, body]] of Object.entries(refused)) {
  test(`${what} is 502 protocol_error`, async (t) => {
    const { upstream, service } = await asking(t);
    service.answer = (response) => void response.writeHead(200, { 'content-encoding': coding }).end(body);
    await assert.rejects(upstream.request(get), { code: 'protocol_error', status: 502 });
  });
}
