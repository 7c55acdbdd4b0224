// A short run of each fuzzer, always the same one: `npm run fuzz:proxy` and `npm run fuzz:frames` draw others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from './campaign.ts';
import { compareRelays } from './frames.ts';
import { randomOf } from './random.ts';
import { secretIn, spelledSecret } from './secrets.ts';

test('four hundred hostile requests and sockets, in front of a hostile service, cause no crash, leak no secret and leave nothing behind', async (t) => {
  const { findings, answered, redacted } = await runCampaign(t, { seed: 1, cases: 400 });
  assert.deepEqual(findings, []);
  assert.ok(answered > 240, `only ${answered} were answered`);
  assert.ok(redacted > 10, `a secret was taken out of only ${redacted} answers`);
});

test('frames split anywhere are passed on as if `ws` had read them all', async () => {
  for (let number = 0; number < 100; number += 1) assert.equal(await compareRelays(1, number), null);
});

test('every spelling that the service uses is found at any position', () => {
  const random = randomOf(1);
  for (let count = 0; count < 2_000; count += 1) {
    const spelling = spelledSecret(random);
    assert.notEqual(secretIn(`{"message":"${spelling}"}`), null, spelling);
  }
});

test('output without a secret has no finding', () => {
  assert.equal(secretIn('{"message":"[redacted]","url":"https://cdn.example/a%2Fb?c=\\u0064"}'), null);
});
