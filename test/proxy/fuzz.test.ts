// A short run of the fuzzer, always the same one: `npm run fuzz:proxy` draws others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from './fuzz/campaign.ts';

test('four hundred hostile requests and sockets, before a hostile service: no crash, no secret, nothing left behind', async (t) => {
  const { findings, answered, redacted } = await runCampaign(t, { seed: 1, cases: 400 });
  assert.deepEqual(findings, []);
  assert.ok(answered > 240, `only ${answered} were answered`);
  assert.ok(redacted > 10, `a secret was taken out of only ${redacted} answers`);
});
