// A session that allows less than the one before it (document 3: limits are read from each session.ready).
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyHarness, reasonOf } from './harness.ts';

test('in a session with a lower limit, texts that are not signed yet are split again', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('One. Two.');
  harness.socket.drop();
  await harness.reconnected({ max_text_length: 5 });
  assert.deepEqual(harness.asked, [['One. Two.'], ['One.', 'Two.']]);
  assert.equal(
    harness.socket.asked.some(({ id }) => id === ref),
    false,
  );
  for (const { id } of [...harness.socket.asked]) harness.socket.result(id);
  const { parts } = await result;
  assert.deepEqual(
    parts.map(({ ref: of, partIndex, partCount }) => [of, partIndex, partCount]),
    [
      [ref, 0, 2],
      [ref, 1, 2],
    ],
  );
});

test('a session whose limit is too low for the rest of a partly signed text rejects it text_too_long', async () => {
  const harness = await readyHarness({ max_text_length: 12 });
  const { ref, result } = harness.session.sign('First one. Second one.');
  const end = reasonOf(result);
  harness.socket.result(ref);
  harness.socket.drop();
  await harness.reconnected({ max_text_length: 7 });
  assert.equal(await end, 'text_too_long');
  assert.deepEqual(harness.asked[1], []);
});

test('credits that a text gives back when it is split again go to the waiting texts', async () => {
  const harness = await readyHarness({}, { maxUnplayed: 1 });
  const { result } = harness.session.sign('One. Two.');
  harness.socket.drop();
  await harness.reconnected({ max_text_length: 5 });
  assert.deepEqual(harness.asked[1], ['One.']);
  harness.socket.result();
  harness.session.played(harness.details('sign-result')[0]?.ref ?? '');
  harness.socket.result();
  assert.equal((await result).parts.length, 2);
});

test('a renewal that has to be signed again and does not fit any more rejects text_too_long', async () => {
  const harness = await readyHarness();
  const { ref } = harness.session.sign('One. Two.');
  harness.socket.result();
  const end = reasonOf(harness.session.renew(ref));
  harness.socket.drop();
  await harness.reconnected({ max_text_length: 5 });
  harness.socket.error('result_expired');
  assert.equal(await end, 'text_too_long');
  assert.deepEqual(harness.asked[1], [`? ${ref}`]);
});
