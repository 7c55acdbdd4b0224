// The picture-in-picture composite, pixel by pixel (document 2, Picture-in-picture output properties).
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openFrame } from '../../../../demo/sandbox/media/video-encoder.ts';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { CompositePainter, signerRect } from '../../../../demo/sandbox/live/media/composite-painter.ts';
import { fittedRect } from '../../../../demo/sandbox/live/media/fitted-picture.ts';
import { compositeSize } from '../../../../demo/sandbox/live/media/session-media.ts';
import { blankPicture, type Picture, type Rect } from '../../../../demo/sandbox/painter/picture.ts';
import { idleScript, scriptOf } from '../../../../demo/sandbox/painter/script.ts';
import { readStamp, stampHeight } from '../../../../demo/sandbox/stamp.ts';
import { eachCase } from '../../each-case.ts';

const SIZE = { width: 1280, height: 720 };
const GREY = 77;
const NOTE = 'note';

/** A decoded picture of one grey. */
function greyFrame(t: TestContext, size: { readonly width: number; readonly height: number }) {
  const frame = openFrame(AV_PIX_FMT_YUV420P, size);
  frame.data!.forEach((plane, i) => plane.fill(i === 0 ? GREY : 128));
  t.after(() => frame.free());
  return frame;
}

function painterOf(t: TestContext, size = SIZE): CompositePainter {
  const painter = new CompositePainter('RAE', size, true);
  t.after(() => painter.close());
  return painter;
}

/** The pixels in a rect whose luma is not the source's. */
function foreign({ y, strideY }: Picture, { left, top, right, bottom }: Rect): number {
  let count = 0;
  for (let row = top; row < bottom; row++) {
    for (let x = left; x < right; x++) if (Math.abs(y[row * strideY + x]! - GREY) > 2) count += 1;
  }
  return count;
}

for (const size of [SIZE, { width: 1920, height: 1080 }, { width: 320, height: 180 }]) {
  test(`at ${size.width}x${size.height} the signer takes a fifth of the area, at the lower right`, () => {
    const { left, top, right, bottom } = signerRect(size);
    const share = ((right - left) * (bottom - top)) / (size.width * size.height);
    assert.ok(Math.abs(share - 0.2) < 0.005, `${share} of the area`);
    assert.equal(bottom, size.height);
    const inset = (size.width - right) / size.width;
    assert.ok(Math.abs(inset - 0.025) < 0.004, `${inset} of the width beside it`);
  });
}

test('the source shows through around the signer, and there is no backplate', (t) => {
  const picture = blankPicture(SIZE.width, SIZE.height);
  painterOf(t).paint(picture, greyFrame(t, SIZE), scriptOf('hello', null), 0, NOTE);
  const rect = signerRect(SIZE);
  const strip = stampHeight(SIZE.height);
  // Above and left of the signer there is nothing but the source and the note.
  assert.equal(foreign(picture, { left: 0, top: strip, right: SIZE.width, bottom: rect.top }), 0);
  assert.equal(foreign(picture, { ...rect, left: rect.right, right: SIZE.width }), 0);
  assert.equal(foreign(picture, { left: 0, top: rect.top, right: rect.left, bottom: 650 }), 0);
  const area = (rect.right - rect.left) * (rect.bottom - rect.top);
  const painted = foreign(picture, rect) / area;
  assert.ok(painted > 0.2 && painted < 0.7, `${painted} of the signer's square is painted`);
  // At the lower edge: the edge cuts off the figure, which does not end above it.
  assert.ok(foreign(picture, { ...rect, top: rect.bottom - 1 }) > 50, 'the figure reaches the lowest row');
});

test('the strip shows the text that is signed, and stays while the signer holds its last frame', (t) => {
  const painter = painterOf(t);
  const picture = blankPicture(SIZE.width, SIZE.height);
  const script = scriptOf('hello', null);
  const last = script.gloss.frames - 1;
  const stamp = () => readStamp(picture.y.subarray(12 * picture.strideY), SIZE.width);
  painter.paint(picture, null, idleScript, 70, NOTE);
  assert.deepEqual(stamp(), { clip: 0, frame: 0 });
  painter.paint(picture, null, script, last, NOTE);
  assert.deepEqual(stamp(), { clip: script.clip, frame: last });
  const held = Uint8Array.from(picture.y);
  painter.paint(picture, null, idleScript, 5, NOTE);
  assert.deepEqual(picture.y, held);
});

test('a source of another shape is fitted in, with black bars', (t) => {
  const picture = blankPicture(SIZE.width, SIZE.height);
  painterOf(t).paint(picture, greyFrame(t, { width: 640, height: 480 }), idleScript, 0, NOTE);
  const row = picture.y.subarray(200 * picture.strideY, 200 * picture.strideY + SIZE.width);
  assert.deepEqual([row[0], row[159], row[162], row[1117], row[1121]], [16, 16, GREY, GREY, 16]);
});

test('fitting keeps the shape and the chroma grid', () => {
  assert.deepEqual(fittedRect({ width: 640, height: 480 }, SIZE), {
    left: 160,
    top: 0,
    right: 1120,
    bottom: 720,
  });
  assert.deepEqual(fittedRect({ width: 1000, height: 200 }, { width: 320, height: 180 }), {
    left: 0,
    top: 58,
    right: 320,
    bottom: 122,
  });
});

test('the composite has the size of its source, up to 1080p, in even numbers', () =>
  eachCase(
    [
      [1280, 720, 1280, 720],
      [1920, 1080, 1920, 1080],
      [3840, 2160, 1920, 1080],
      [1080, 1920, 608, 1080],
      [321, 181, 322, 182],
    ] as const,
    ([width, height, wide, high]) => {
      assert.deepEqual(compositeSize({ width, height }), { width: wide, height: high });
    },
  ));
