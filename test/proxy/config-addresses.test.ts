// The addresses in the configuration that something else reads later: the hosts that an operator may name, and Redis.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../proxy/index.ts';

test('allowed hosts are spelled as the hosts of addresses will be', () => {
  const { allowedHosts } = readConfig({
    SIGN_API_URL: 'https://api.example.org',
    SIGN_ALLOWED_HOSTS: 'fd00:0:0::1, Media.lan., 0xa.9',
  });
  assert.deepEqual(allowedHosts, ['fd00::1', 'media.lan', '10.0.0.9']);
});

for (const url of [
  'redis://%zz:password@redis',
  'redis://:%zz@redis',
  'redis://redis/abc',
  'redis://redis/0/1',
  'redis://redis/-1',
]) {
  test(`the Redis URL ${url}, which its client cannot read, is refused at the start, without being told`, () => {
    const env = { SIGN_API_URL: 'https://api.example.org', SIGN_REDIS_URL: url };
    assert.throws(
      () => readConfig(env),
      (error) =>
        error instanceof ConfigError &&
        error.problems.length === 1 &&
        error.problems[0]?.variable === 'SIGN_REDIS_URL' &&
        !error.message.includes(url),
    );
  });
}

for (const url of ['redis://redis', 'rediss://redis/', 'redis://us%65r:p%2Fw@redis:6379/15']) {
  test(`the Redis URL ${url} is taken`, () => {
    const env = { SIGN_API_URL: 'https://api.example.org', SIGN_REDIS_URL: url };
    assert.equal(readConfig(env).redisUrl, url);
  });
}
