// Secrets that come from files (CONTRACT: `SIGN_..._FILE`): what is read, and what is a problem.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../proxy/index.ts';
import { API, named, problemsOf, secretFile, secrets, transport } from './config-harness.ts';

test('a secret comes from a file, without the line break at its end', () => {
  const file = secretFile('redis://from-a-file:6379\r\n');
  for (const name of secrets) {
    const config = readConfig({
      ...API,
      ...(name === 'SIGN_CLIENT_SECRET' ? transport : {}),
      [`${name}_FILE`]: file,
    });
    assert.ok(JSON.stringify(config).includes('"redis://from-a-file:6379"'), name);
  }
});

test('a secret by value and by file is a problem of the file variable, which is not read', () => {
  for (const name of secrets) {
    const env = {
      ...API,
      ...transport,
      SIGN_CLIENT_SECRET: 'secret-of-the-client-1',
      SIGN_REDIS_URL: 'redis://r',
    };
    assert.deepEqual(named({ ...env, [name]: 'redis://value', [`${name}_FILE`]: '/nowhere' }), [
      `${name}_FILE`,
    ]);
  }
});

test('a file that is missing or empty is named, and its path is not', () => {
  const missing = problemsOf({ ...API, SIGN_API_KEY_FILE: '/nowhere/the-key-itself' });
  assert.match(missing.message, /^SIGN_API_KEY_FILE .*ENOENT/);
  assert.ok(!missing.message.includes('the-key-itself'));
});

test('an empty file is a problem', () => {
  assert.deepEqual(named({ ...API, SIGN_API_KEY_FILE: secretFile('\n') }), ['SIGN_API_KEY_FILE']);
});

test('a file that never ends is a problem, and is not read to its end', () => {
  assert.deepEqual(named({ ...API, SIGN_API_KEY_FILE: '/dev/zero' }), ['SIGN_API_KEY_FILE']);
});
