// What is where in a frame of the look that document 3 has, and how the signer moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossOf } from '../../../demo/sandbox/painter/gloss.ts';
import { posesOf } from '../../../demo/sandbox/painter/motion.ts';
import { blankPicture, colour, type Picture } from '../../../demo/sandbox/painter/picture.ts';
import { fillPolygon } from '../../../demo/sandbox/painter/polygon.ts';
import { restPose, wordPoses } from '../../../demo/sandbox/painter/pose.ts';
import { ScenePainter } from '../../../demo/sandbox/painter/scene-painter.ts';
import { scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { clipId, readStamp, stampHeight } from '../../../demo/sandbox/stamp.ts';
import { ink, lookOf, part, pictureFor, same, white } from './frames.ts';

/** A painter of `text`; what it paints stays in one picture. */
function painterOf(text: string): (frame: number) => Picture {
  const painter = new ScenePainter(lookOf(), { stamp: true });
  const picture = pictureFor(lookOf());
  const script = scriptOf(text, null);
  return (frame) => {
    painter.paint(picture, script, frame);
    return picture;
  };
}

test('the word SANDBOX is on every frame, white on dark', () => {
  const paint = painterOf('One two');
  const badge = (frame: number) => part(paint(frame), 0.03, 0.07, 0.16, 0.12);
  const first = badge(0);
  assert.ok(white(first) > 500);
  assert.ok(ink(first) > 2000);
  for (let frame = 1; frame < glossOf('One two').frames; frame++) assert.ok(same(badge(frame), first));
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

test('the signer has room at every side in every frame', () => {
  for (const text of ['Hello, where is platform seven', 'Information about tomorrow is late, sorry']) {
    const paint = painterOf(text);
    for (let frame = 0; frame < glossOf(text).frames; frame += 3) {
      const picture = paint(frame);
      const [background] = part(picture, 0.5, 0.05, 0.51, 0.06);
      for (const edge of [
        part(picture, 0, 0.14, 0.28, 0.78),
        part(picture, 0.72, 0.14, 1, 0.78),
        part(picture, 0.2, (stampHeight(picture.height) + 2) / picture.height, 0.8, 0.08),
      ]) {
        assert.ok(same(edge, new Uint8Array(edge.length).fill(background!)), `${text}, frame ${frame}`);
      }
    }
  }
});

test('a clip begins and ends in the rest pose, whatever it says', () => {
  for (const text of ['One', 'Quite another thing', '']) {
    const gloss = glossOf(text);
    const pose = posesOf(gloss);
    assert.deepEqual(pose(0), restPose);
    assert.deepEqual(pose(gloss.frames - 1), restPose);
  }
});

test('no joint jumps between two frames', () => {
  const gloss = glossOf('The next train to Leeds is cancelled');
  const pose = posesOf(gloss);
  let before = pose(0);
  for (let frame = 1; frame < gloss.frames; frame++) {
    const now = pose(frame);
    for (const arm of ['lead', 'other'] as const) {
      const way = Math.hypot(now[arm].x - before[arm].x, now[arm].y - before[arm].y);
      assert.ok(way < 130, `${arm} moves ${way} units in frame ${frame}`);
    }
    before = now;
  }
});

test('a word always moves alike, in any letter case, and another word otherwise', () => {
  assert.deepEqual(wordPoses('Train'), wordPoses('train'));
  assert.notDeepEqual(wordPoses('train'), wordPoses('bus'));
});

test('a polygon covers pixels by their exact area and is cut at the picture’s edge', () => {
  const picture = blankPicture(8, 8);
  const chalk = colour('#ffffff');
  fillPolygon(
    picture,
    { scale: 1, x: 0, y: 0 },
    { outline: [1.5, 2, 4.25, 2, 4.25, 3.5, 1.5, 3.5], colour: chalk },
  );
  const row = (y: number) => [...picture.y.subarray(y * 8, y * 8 + 8)];
  const over = (cover: number) => Math.round(16 + (chalk.y - 16) * cover);
  assert.deepEqual(row(2), [16, over(0.5), over(1), over(1), over(0.25), 16, 16, 16]);
  assert.deepEqual(row(3), [16, over(0.25), over(0.5), over(0.5), over(0.125), 16, 16, 16]);
  fillPolygon(
    picture,
    { scale: 1, x: 0, y: 0 },
    { outline: [-5, -5, 20, -5, 20, 20, -5, 20], colour: chalk },
  );
  assert.ok(picture.y.every((value) => value === chalk.y));
});

test('a frame has no stamp unless one is asked for', () => {
  const look = lookOf();
  for (const stamp of [false, true]) {
    const picture = pictureFor(look);
    new ScenePainter(look, { stamp }).paint(picture, scriptOf('One two', null), 3);
    const row = picture.y.subarray(picture.strideY * (stampHeight(picture.height) >> 1));
    assert.deepEqual(readStamp(row, picture.width), stamp ? { clip: clipId('One two'), frame: 3 } : null);
  }
});
