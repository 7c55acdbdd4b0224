// What a cache between the proxy and a page may keep of a live session: never what is the operator's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountedProxy } from './mounted-proxy.ts';

const TOKEN = 'token-of-the-operator';
const SESSIONS = '/sign/v2/live/sessions';
const operator = { Authorization: `Bearer ${TOKEN}` };

test('no cache may keep what the operator gets, nor give it to a page', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, s-maxage=60' })
      .end('{"sessionId":"live-1","streamKey":"hidden"}');
  const json = { ...operator, 'Content-Type': 'application/json' };
  for (const [path, init] of [
    [SESSIONS, { method: 'POST', headers: json, body: '{}' }],
    [SESSIONS, { headers: operator }],
    [`${SESSIONS}/live-1`, { method: 'DELETE', headers: operator }],
  ] as const) {
    assert.equal((await fetch(origin + path, init)).headers.get('cache-control'), 'no-store');
  }
  for (const [headers, cached] of [
    [operator, 'no-store'],
    [{}, 'public, s-maxage=60'],
  ] as const) {
    const response = await fetch(`${origin}${SESSIONS}/live-1`, { headers });
    assert.equal(response.headers.get('cache-control'), cached);
    assert.equal(response.headers.get('vary'), 'Origin, Authorization');
  }
});
