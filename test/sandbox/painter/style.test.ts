// What each field of a style does to the picture.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '../../../demo/sandbox/painter/layout.ts';
import type { Logo, RenderStyle } from '../../../demo/sandbox/painter/render-style.ts';
import { armsOf, signerStyles } from '../../../demo/sandbox/painter/figure.ts';
import { boundsOfLimbs } from '../../../demo/sandbox/painter/limb.ts';
import { restPose, wordPoses } from '../../../demo/sandbox/painter/motion.ts';
import { colour, type Rect } from '../../../demo/sandbox/painter/picture.ts';
import { idleScript, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { clipId, readStamp, stampHeight } from '../../../demo/sandbox/stamp.ts';
import { ink, logoOf, styleOf, painted, same, white, within } from './frames.ts';

const text = 'One two three';
const script = scriptOf(text, null);
const file = new Uint8Array();

const shapes = [[1280, 720], [720, 1280], [720, 720], [720, 900], [854, 480], [426, 240], [240, 426]] as const; // oxfmt-ignore
const variants: readonly (readonly [name: string, changes: Partial<RenderStyle>])[] = [
  ['as document 3 has it', {}],
  ['padded', { fit: 'pad' }],
  ['transparent', { backdrop: 'transparent', wordPanel: false }],
  ['with subtitles and a logo', { subtitles: true, wordPanel: false, backdrop: '#ffffff', logo: { file, position: 'top-left', size: 'large' } }], // oxfmt-ignore
];

for (const [name, changes] of variants) {
  test(`stamp and the word SANDBOX are on a picture of any size: ${name}`, () => {
    for (const [width, height] of shapes) {
      const style = styleOf({ width, height, ...changes });
      const { badge } = layoutOf(style, { width: 40, height: 40 }, true);
      for (const [played, clip] of [
        [script, clipId(text)],
        [idleScript, 0],
      ] as const) {
        // oxfmt-ignore
        const picture = painted(style, played, 20, logoOf(40, 40, [0, 0, 0, 255]));
        const row = picture.y.subarray(width * (stampHeight(height) >> 1));
        assert.deepEqual(readStamp(row, width), { clip, frame: 20 }, `${width}x${height}`);
        const values = within(picture, badge);
        assert.ok(white(values) > 0.06 * values.length, `letters at ${width}x${height}`);
        assert.ok(ink(values) > 0.5 * values.length, `ground at ${width}x${height}`);
      }
    }
  });
}

test('the backdrop has the requested colour, or else the colour of the signer’s own backplate', () => {
  for (const backdrop of ['#ffffff', '#00ff00', '#123456', null]) {
    const picture = painted(styleOf({ backdrop, wordPanel: false }), script, 10);
    const { y, u, v } = colour(backdrop ?? '#d5dee7');
    for (const [left, top] of [
      [4, 200],
      [1276, 200],
      [4, 716],
      [1276, 716],
    ] as const) {
      // oxfmt-ignore
      assert.equal(picture.y[top * 1280 + left], y);
      assert.equal(picture.u[(top / 2) * 640 + left / 2], u);
      assert.equal(picture.v[(top / 2) * 640 + left / 2], v);
    }
  }
});

test('without the panel only the signer is painted, for any text', () => {
  const style = styleOf({ wordPanel: false });
  const corner = (frame: number) => within(painted(style, script, frame), { left: 0, top: 560, right: 400, bottom: 720 }); // oxfmt-ignore
  const ground = colour('#d5dee7').y;
  for (const frame of [0, 20, 40]) assert.ok(corner(frame).every((value) => value === ground));
});

test('the bars of a padded picture are black, beside and below it', () => {
  for (const [width, height] of [
    [720, 1280],
    [1600, 720],
  ] as const) {
    // oxfmt-ignore
    const style = styleOf({ width, height, fit: 'pad', backdrop: 'transparent' });
    const { area } = layoutOf(style, null, true);
    const picture = painted(style, script, 20);
    const bars: Rect[] = [
      { left: 0, top: stampHeight(height), right: width, bottom: area.top },
      { left: 0, top: area.bottom, right: width, bottom: height },
      { left: 0, top: stampHeight(height), right: area.left, bottom: height },
      { left: area.right, top: stampHeight(height), right: width, bottom: height },
    ].filter(({ left, top, right, bottom }) => left < right && top < bottom);
    assert.equal(bars.length, 2);
    for (const bar of bars) {
      assert.ok(within(picture, bar).every((value) => value === 16));
      assert.ok(within(picture, bar, picture.a).every((value) => value === 255));
    }
  }
});

const corners: readonly Logo['position'][] = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];

test('a logo is in the requested corner, keeps its shape and covers nothing', () => {
  for (const position of corners) {
    const style = styleOf({ logo: { file, position, size: 'medium' } });
    const { logo, badge, panel } = layoutOf(style, { width: 80, height: 40 }, true);
    const picture = painted(style, script, 20, logoOf(80, 40, [255, 0, 0, 255]));
    const red = colour('#ff0000');
    assert.ok(within(picture, logo!).every((value) => value === red.y));
    assert.equal(logo!.right - logo!.left, 2 * (logo!.bottom - logo!.top));
    assert.equal(logo!.left < 640, position.endsWith('left'));
    assert.equal(logo!.top < 360, position.startsWith('top'));
    const plain = painted(styleOf(), script, 20);
    for (const rect of [badge, panel!]) assert.ok(same(within(picture, rect), within(plain, rect)));
  }
});

test('a logo is blended by its alpha, and scaled by area', () => {
  const style = styleOf({ backdrop: '#000000', logo: { file, position: 'top-right', size: 'small' } });
  const checked = logoOf(96, 96, [255, 255, 255, 255]);
  for (let i = 0; i < 96 * 96; i++) if ((i + Math.floor(i / 96)) % 2) checked.rgba[i * 4 + 3] = 0;
  for (const [why, logo] of [
    ['alpha', logoOf(48, 48, [255, 255, 255, 128])],
    ['area', checked],
  ] as const) {
    // oxfmt-ignore
    const values = within(painted(style, script, 0, logo), layoutOf(style, logo, true).logo!);
    assert.ok(
      values.every((value) => Math.abs(value - (16 + 219 / 2)) <= 1),
      why,
    );
  }
});

test('a style whose logo has no pixels is painted without the logo', () => {
  const style = styleOf({ logo: { file, position: 'top-right', size: 'small' } });
  assert.ok(same(painted(style, script, 5).y, painted(styleOf(), script, 5).y));
});

test('hands, badge, logo and texts do not overlap at any size of picture', () => {
  const meet = (a: Rect, b: Rect): boolean =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const poses = [restPose, ...Array.from({ length: 200 }, (_, i) => wordPoses(`word ${i}`)).flat()];
  const limbs = poses.flatMap((pose) => armsOf(pose, signerStyles.RAE));
  for (const [width, height] of shapes) {
    for (const position of corners) {
      const style = styleOf({ width, height, subtitles: true, logo: { file, position, size: 'large' } });
      const { badge, panel, logo, figure } = layoutOf(style, { width: 500, height: 90 }, true);
      const still = [badge, panel!, logo!, { left: 0, top: 0, right: width, bottom: stampHeight(height) }];
      still.forEach((rect, i) => {
        for (const other of still.slice(i + 1))
          assert.ok(!meet(rect, other), `${width}x${height} ${position}`);
      });
      for (const limb of limbs) {
        const hand = boundsOfLimbs([limb], figure, 0);
        assert.ok(hand.left >= 0 && hand.right <= width, `${width}x${height} ${position}`);
        for (const rect of still) assert.ok(!meet(rect, hand), `${width}x${height} ${position}`);
      }
    }
  }
});
