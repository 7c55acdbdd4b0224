// The operator tokens of many sites: the token of a request is searched for among them before the request counts towards a rate.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { mountedProxy } from '../mounted-proxy.ts';
import { A, folder } from '../site-harness.ts';

test('a wrong token of a client is hashed a few times, however many sites have an operator', async (t) => {
  const sites = Array.from({ length: 200 }, (_, n) => ({
    name: `s${n}`,
    origins: [`${A}:${n + 1}`],
    operatorTokenFile: 'op',
  }));
  const SIGN_SITES = folder(JSON.stringify({ sites })).file;
  const { origin } = await mountedProxy(t, { env: { SIGN_API_KEY: '', SIGN_SITES } });
  const ask = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${'a'.repeat(10_000)}` };
    return (await fetch(`${origin}/sign/v2/live/sessions`, { headers })).status;
  };
  assert.equal(await ask(), 403);
  const hashes = t.mock.method(crypto, 'createHash');
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  assert.equal(await ask(), 403);
  const count = hashes.mock.callCount();
  assert.ok(count > 0 && count < 10, `${count} hashes`);
});
