// The content of a frame in the style of document 3, and the movement of the signer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../../../demo/sandbox/painter/picture.ts';
import { layoutOf } from '../../../demo/sandbox/painter/layout.ts';
import { posesOf, restPose, wordPoses } from '../../../demo/sandbox/painter/motion.ts';
import { ScenePainter } from '../../../demo/sandbox/painter/scene-painter.ts';
import { glossOf, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { clipId, readStamp, stampHeight } from '../../../demo/sandbox/stamp.ts';
import { ink, styleOf, painted, part, pictureFor, same, white } from './frames.ts';

/** A painter of `text`, which paints all frames into one picture. */
function painterOf(text: string): (frame: number) => Picture {
  const painter = new ScenePainter(styleOf(), { stamp: true });
  const picture = pictureFor(styleOf());
  const script = scriptOf(text, null);
  return (frame) => {
    painter.paint(picture, script, frame);
    return picture;
  };
}

test('the word SANDBOX is on every frame, white on dark', () => {
  const paint = painterOf('One two');
  const badge = (frame: number) => part(paint(frame), 0.165, 0.07, 0.3, 0.12);
  const first = badge(0);
  assert.ok(white(first) > 500);
  assert.ok(ink(first) > 2000);
  for (let frame = 1; frame < glossOf('One two').frames; frame++) assert.ok(same(badge(frame), first));
});

test('the word SANDBOX is whole in the middle 5:4, which a panel on a phone shows, without a smaller signer', () => {
  for (const [width, height] of [
    [854, 480],
    [1280, 720],
    [1920, 1080],
  ] as const) {
    const { badge, figure } = layoutOf(styleOf({ width, height }), null, false);
    const cut = (width - (height * 5) / 4) / 2;
    assert.ok(badge.left >= cut && badge.right <= width - cut, `${badge.left} beside ${cut}`);
    assert.ok((figure.scale / height) * 720 > 1.04, `${figure.scale} at ${height}`);
  }
});

test('the word SANDBOX is on the shirt too, for a player that shows only the middle square', () => {
  const shirt = part(painterOf('One two')(0), 0.44, 0.38, 0.56, 0.5);
  assert.ok(white(shirt) > 200, String(white(shirt)));
});

test('the words under the signer and the subtitles are whole in the middle 5:4 too, however long the sentence and the word are', () => {
  const text = `Bring the letter and a list of all ${'medicines'.repeat(12)} that you take, with you to the hospital. `;
  const script = scriptOf(text.repeat(2), null);
  for (const subtitles of [false, true]) {
    const style = styleOf({ subtitles });
    for (const { from } of script.gloss.words) {
      const picture = painted(style, script, from);
      const aside = [part(picture, 0, 0.8, 0.148, 1), part(picture, 0.852, 0.8, 1, 1)];
      assert.deepEqual(aside.map(ink), [0, 0], `subtitles ${subtitles}, frame ${from}`);
    }
  }
});

test('the caption changes with the word, and is gone while the signer rests', () => {
  const paint = painterOf('One two');
  const [one, two] = glossOf('One two').words;
  const caption = (frame: number) => part(paint(frame), 0.2, 0.8, 0.8, 0.9);
  const [rest, first, still, second] = [0, one!.from, one!.to - 1, two!.from].map(caption);
  assert.equal(ink(rest!), 0);
  assert.ok(ink(first!) > 500);
  assert.ok(same(first!, still!));
  assert.ok(!same(first!, second!));
});

test('the sentence stays inside the picture, however long it is', () => {
  const picture = painterOf('Somewhat lengthy sentences are wrapped '.repeat(60))(40);
  assert.ok(ink(part(picture, 0.05, 0.9, 0.95, 1)) > 500);
  for (const edge of [
    part(picture, 0, 0.8, 0.02, 1),
    part(picture, 0.98, 0.8, 1, 1),
    part(picture, 0, 0.995, 1, 1),
  ]) {
    assert.equal(ink(edge), 0);
  }
});

test('every clip begins and ends in the rest pose', () => {
  for (const text of ['One', 'Quite another thing', '']) {
    const gloss = glossOf(text);
    const pose = posesOf(gloss);
    assert.deepEqual(pose(0), restPose);
    assert.deepEqual(pose(gloss.frames - 1), restPose);
  }
});

test('a word always has the same movement, in any letter case, and another word has another', () => {
  assert.deepEqual(wordPoses('Train'), wordPoses('train'));
  assert.notDeepEqual(wordPoses('train'), wordPoses('bus'));
});

test('a frame has no stamp unless a stamp is requested', () => {
  const style = styleOf();
  for (const stamp of [false, true]) {
    const picture = pictureFor(style);
    new ScenePainter(style, { stamp }).paint(picture, scriptOf('One two', null), 3);
    const row = picture.y.subarray(picture.strideY * (stampHeight(picture.height) >> 1));
    assert.deepEqual(readStamp(row, picture.width), stamp ? { clip: clipId('One two'), frame: 3 } : null);
  }
});
