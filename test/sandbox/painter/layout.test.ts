// Where things are: at every size and with everything asked for, nothing covers anything and nothing is cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armsOf } from '../../../demo/sandbox/painter/arms.ts';
import { layoutOf } from '../../../demo/sandbox/painter/layout.ts';
import type { Logo, Look } from '../../../demo/sandbox/painter/look.ts';
import type { Rect } from '../../../demo/sandbox/painter/picture.ts';
import type { View } from '../../../demo/sandbox/painter/polygon.ts';
import { restPose, wordPoses } from '../../../demo/sandbox/painter/pose.ts';
import { signerLooks } from '../../../demo/sandbox/painter/signer-look.ts';
import { stampHeight } from '../../../demo/sandbox/stamp.ts';
import { lookOf } from './frames.ts';

const sizes = [
  [1280, 720],
  [720, 1280],
  [720, 720],
  [720, 900],
  [854, 480],
  [426, 240],
  [1920, 480],
  [3840, 2160],
] as const;
const positions: readonly (Logo['position'] | null)[] = [
  null,
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
];
const images = { square: { width: 200, height: 200 }, wide: { width: 500, height: 90 }, tall: { width: 30, height: 300 } }; // prettier-ignore

/** Every look of a size that places things differently. */
function* looks(width: number, height: number): Generator<Look> {
  for (const fit of ['fill', 'pad'] as const)
    for (const [wordPanel, subtitles] of [
      [true, false],
      [true, true],
      [false, true],
      [false, false],
    ] as const)
      // prettier-ignore
      for (const position of positions)
        for (const size of position ? (['small', 'large'] as const) : (['small'] as const)) {
          const logo = position ? { file: new Uint8Array(), position, size } : null;
          yield lookOf({ width, height, fit, wordPanel, subtitles, logo });
        }
}

const meet = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const inside = (inner: Rect, outer: Rect): boolean =>
  inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom; // prettier-ignore

/** Edge of a limb, figure units. */
const EDGE = 2.2;
const BAND = 4;

/** How far aside limbs get in each band of figure units, wherever words lead them. */
const reach = new Map<number, number>();
for (let i = 0; i < 2000; i++) {
  for (const pose of i ? wordPoses(`word${(i * 7919).toString(36)}`) : [restPose]) {
    for (const { x0, y0, r0, x1, y1, r1 } of armsOf(pose, signerLooks.RAE)) {
      const aside = EDGE + Math.max(Math.abs(x0) + r0, Math.abs(x1) + r1);
      const bottom = Math.max(y0 + r0, y1 + r1) + EDGE;
      for (let band = Math.floor((Math.min(y0 - r0, y1 - r1) - EDGE) / BAND); band * BAND < bottom; band++) {
        reach.set(band, Math.max(aside, reach.get(band) ?? 0));
      }
    }
  }
}

/** Where arms and hands may be in a picture. */
const handsIn = ({ scale, x, y }: View): Rect[] =>
  [...reach].map(([band, aside]) => ({
    left: x - aside * scale,
    right: x + aside * scale,
    top: y + band * BAND * scale,
    bottom: y + (band + 1) * BAND * scale,
  }));

for (const [width, height] of sizes) {
  test(`at ${width}x${height} stamp, badge, logo, hands, panel and subtitles keep clear of each other`, () => {
    const stamp = { left: 0, top: 0, right: width, bottom: stampHeight(height) };
    for (const look of looks(width, height)) {
      for (const [shape, image] of Object.entries(images)) {
        const { area, badge, panel, subtitles, logo, figure } = layoutOf(look, image, true);
        const what = `${JSON.stringify({ ...look, logo: look.logo && { ...look.logo, file: shape } })}`;
        const texts = panel ?? subtitles;
        const still = { stamp, badge, logo, texts };
        for (const [name, rect] of Object.entries({ badge, panel, subtitles, logo })) {
          if (rect) assert.ok(inside(rect, area), `${name} is in its part of the picture: ${what}`);
        }
        if (panel && subtitles) assert.ok(inside(subtitles, panel), what);
        const parts = Object.entries(still).filter((entry): entry is [string, Rect] => entry[1] !== null);
        parts.forEach(([name, rect], i) => {
          for (const [other, otherRect] of parts.slice(i + 1)) {
            assert.ok(!meet(rect, otherRect), `${name} and ${other}: ${what}`);
          }
        });
        for (const hands of handsIn(figure)) {
          assert.ok(inside(hands, { ...area, bottom: texts?.top ?? area.bottom }), `hands: ${what}`);
          for (const [name, rect] of Object.entries({ stamp, badge, logo })) {
            assert.ok(!rect || !meet(hands, rect), `hands and ${name}: ${what}`);
          }
        }
      }
    }
  });
}

test('small and medium signers are three quarters and seven eighths of a large one, on the same ground', () => {
  for (const [width, height] of sizes) {
    const [small, medium, large] = (['small', 'medium', 'large'] as const).map(
      (signerSize) => layoutOf(lookOf({ width, height, signerSize }), null, true).figure,
    );
    assert.ok(Math.abs(small!.scale / large!.scale - 3 / 4) < 1e-9);
    assert.ok(Math.abs(medium!.scale / large!.scale - 7 / 8) < 1e-9);
  }
});

test('without the panel the signer is larger', () => {
  const scaleOf = (look: Look) => layoutOf(look, null, true).figure.scale;
  assert.ok(scaleOf(lookOf({ wordPanel: false })) > 1.2 * scaleOf(lookOf()));
});

test('a padded picture is 16:9 in the middle, whichever way it does not fit', () => {
  const areaOf = (width: number, height: number) =>
    layoutOf(lookOf({ width, height, fit: 'pad' }), null, true).area;
  for (const [width, height] of sizes) {
    const { left, top, right, bottom } = areaOf(width, height);
    assert.ok(Math.abs(((right - left) * 9) / 16 - (bottom - top)) <= 2, 'its shape, to the chroma grid');
    assert.ok(Math.abs(left - (width - right)) <= 2 && Math.abs(top - (height - bottom)) <= 2, 'its place');
    assert.ok((left === 0 && right === width) || (top === 0 && bottom === height), 'as large as can be');
  }
  for (const [width, height] of [
    [1280, 720],
    [854, 480],
    [426, 240],
    [3840, 2160],
  ] as const) {
    // prettier-ignore
    assert.deepEqual(areaOf(width, height), { left: 0, top: 0, right: width, bottom: height }, 'no bars');
  }
});
