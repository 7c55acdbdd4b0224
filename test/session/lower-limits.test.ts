// A session that allows less than the one before it (document 3: limits are read from each session.ready).
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf } from './stage.ts';

test('a session that allows less cuts anew what was not signed yet', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('One. Two.');
  stage.socket.drop();
  await stage.reconnected({ max_text_length: 5 });
  assert.deepEqual(stage.asked, [['One. Two.'], ['One.', 'Two.']]);
  assert.equal(
    stage.socket.asked.some(({ id }) => id === ref),
    false,
  );
  for (const { id } of [...stage.socket.asked]) stage.socket.result(id);
  const { parts } = await result;
  assert.deepEqual(
    parts.map(({ ref: of, partIndex, partCount }) => [of, partIndex, partCount]),
    [
      [ref, 0, 2],
      [ref, 1, 2],
    ],
  );
});

test('a session that allows too little for what is left of a text half signed rejects it text_too_long', async () => {
  const stage = await readyStage({ max_text_length: 12 });
  const { ref, result } = stage.session.sign('First one. Second one.');
  const end = reasonOf(result);
  stage.socket.result(ref);
  stage.socket.drop();
  await stage.reconnected({ max_text_length: 7 });
  assert.equal(await end, 'text_too_long');
  assert.deepEqual(stage.asked[1], []);
});

test('places given back by a text that is cut anew go to those that wait', async () => {
  const stage = await readyStage({}, { maxUnplayed: 1 });
  const { result } = stage.session.sign('One. Two.');
  stage.socket.drop();
  await stage.reconnected({ max_text_length: 5 });
  assert.deepEqual(stage.asked[1], ['One.']);
  stage.socket.result();
  stage.session.played(stage.details('sign-result')[0]?.ref ?? '');
  stage.socket.result();
  assert.equal((await result).parts.length, 2);
});

test('a renewal that has to be signed again and does not fit any more rejects text_too_long', async () => {
  const stage = await readyStage();
  const { ref } = stage.session.sign('One. Two.');
  stage.socket.result();
  const end = reasonOf(stage.session.renew(ref));
  stage.socket.drop();
  await stage.reconnected({ max_text_length: 5 });
  stage.socket.error('result_expired');
  assert.equal(await end, 'text_too_long');
  assert.deepEqual(stage.asked[1], [`? ${ref}`]);
});
