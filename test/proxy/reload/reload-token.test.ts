// The access token of a site whose client secret a reload replaces, where replicas share the token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { until } from '../../until.ts';
import { harness, submit } from '../announcement-harness.ts';
import { A, folder } from '../site-harness.ts';

const SITES = JSON.stringify({
  sites: [{ name: 'a', origins: [A], clientId: 'client-1', clientSecretFile: 'a' }],
});

test('a new client secret of a site fetches a new access token, also where replicas share the old one', async (t) => {
  const files = folder(SITES);
  const redis = await redisServer(t);
  const env = {
    SIGN_API_KEY: '',
    SIGN_CLIENT_ID: '',
    SIGN_CLIENT_SECRET: '',
    SIGN_SITES: files.file,
    SIGN_REDIS_URL: redis.url,
  };
  const all = await harness(t, { env });
  assert.equal((await submit(all)).status, 200);
  files.write('a', 'client-secret-number-two');
  const urls = {
    SIGN_API_URL: all.upstream.url,
    SIGN_TRANSPORT_URL: all.api.url,
    SIGN_AUTH_URL: all.auth.url,
  };
  all.proxy.reload(readConfig({ ...env, ...urls }));
  const secretsOf = (): readonly string[] =>
    all.auth.asked.all.map(({ request }) => {
      const [, basic = ''] = request.headers.authorization?.split(' ') ?? [];
      return Buffer.from(basic, 'base64').toString();
    });
  assert.equal((await submit(all)).status, 200);
  await until(() => secretsOf().includes('client-1:client-secret-number-two'));
});
