// The fuzzer's eye: it would see a secret in every spelling in which the fuzzer's service says one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf } from './random.ts';
import { secretIn, spelledSecret } from './secrets.ts';

test('every spelling that the service uses is seen, wherever it stands', () => {
  const random = randomOf(1);
  for (let count = 0; count < 2_000; count += 1) {
    const spelling = spelledSecret(random);
    assert.notEqual(secretIn(`{"message":"${spelling}"}`), null, spelling);
  }
});

test('what holds none is not taken for one', () => {
  assert.equal(secretIn('{"message":"[redacted]","url":"https://cdn.example/a%2Fb?c=\\u0064"}'), null);
});
