// The alpha plane of a transparent style, and the colours beside opaque areas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '../../../demo/sandbox/painter/layout.ts';
import { colour, type Picture } from '../../../demo/sandbox/painter/picture.ts';
import { scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { stampHeight } from '../../../demo/sandbox/stamp.ts';
import { logoOf, styleOf, painted, within } from './frames.ts';

const script = scriptOf('Hello where is platform seven', null);
const frames = [0, 20, 33];

const share = (values: Uint8Array, wanted: number): number =>
  values.filter((value) => value === wanted).length / values.length;

test('stamp, badge, panel, subtitles and logo are opaque, and the rest of the edge is transparent', () => {
  const style = styleOf({
    backdrop: 'transparent',
    subtitles: true,
    logo: { file: new Uint8Array(), position: 'top-right', size: 'medium' },
  });
  const { badge, panel, logo } = layoutOf(style, { width: 50, height: 50 }, true);
  const { width, height } = style;
  const picture = painted(style, script, 20, logoOf(50, 50, [0, 0, 255, 255]));
  const alpha = (rect: Parameters<typeof within>[1]) => within(picture, rect, picture.a);
  assert.equal(share(alpha({ left: 0, top: 0, right: width, bottom: stampHeight(height) }), 255), 1);
  assert.equal(share(alpha(panel!), 255), 1);
  assert.equal(share(alpha(logo!), 255), 1);
  const radius = (badge.bottom - badge.top) / 2;
  assert.equal(share(alpha({ ...badge, left: badge.left + radius, right: badge.right - radius }), 255), 1);
  assert.equal(share(alpha({ left: 0, top: 120, right: 300, bottom: panel!.top }), 0), 1);
});

test('subtitles are opaque on a picture without any other part at the lower edge', () => {
  const style = styleOf({ backdrop: 'transparent', subtitles: true, wordPanel: false });
  const place = layoutOf(style, null, true).subtitles!;
  const picture = painted(style, script, 20);
  assert.equal(share(within(picture, { ...place, left: 560, right: 720, top: place.top + 60, bottom: place.bottom - 20 }, picture.a), 255), 1); // oxfmt-ignore
  assert.equal(share(within(picture, { ...place, right: 200 }, picture.a), 0), 1);
});

test('half a logo’s alpha is half the picture’s, in the logo’s own colour', () => {
  const style = styleOf({ backdrop: 'transparent', logo: { file: new Uint8Array(), position: 'bottom-right', size: 'large' } }); // oxfmt-ignore
  const { logo } = layoutOf(style, { width: 50, height: 50 }, true);
  const picture = painted(style, script, 20, logoOf(50, 50, [0, 200, 0, 128]));
  const green = colour('#00c800').y;
  assert.ok(within(picture, logo!, picture.a).every((value) => Math.abs(value - 128) <= 1));
  assert.ok(within(picture, logo!).every((value) => Math.abs(value - green) <= 2));
});

for (const signer of ['RAE', 'JAY', 'MAX'] as const) {
  test(`the figure is opaque, its edge is soft and the same as on any backdrop: ${signer}`, () => {
    const style = { signer, wordPanel: false };
    for (const frame of frames) {
      const matte = painted(styleOf({ ...style, backdrop: 'transparent' }), script, frame);
      const [onWhite, onBlack] = ['#ffffff', '#000000'].map((backdrop) => painted(styleOf({ ...style, backdrop }), script, frame)); // oxfmt-ignore
      // The difference between a pixel on white and on black shows its opacity.
      let soft = 0;
      for (let i = 40 * 1280; i < matte.a!.length; i++) {
        const seen = 255 * (1 - (onWhite!.y[i]! - onBlack!.y[i]!) / 219);
        assert.ok(Math.abs(matte.a![i]! - seen) <= 4, `pixel ${i % 1280}, ${Math.floor(i / 1280)}`);
        if (matte.a![i]! > 0 && matte.a![i]! < 255) soft++;
      }
      assert.ok(soft > 500, `${soft} soft pixels`);
    }
  });

  test(`a transparent area adds no colour at its edge or near it: ${signer}`, () => {
    for (const frame of frames) {
      const style = styleOf({ signer, wordPanel: false, backdrop: 'transparent' });
      assertOwnColours(painted(style, script, frame), layoutOf(style, null, true).badge.bottom);
    }
  });
}

const NEAR = 3;

/**
 * Asserts that soft pixels below `top`, and clear pixels within 3 pixels of an opaque one, have the colour of an opaque one
 * nearby.
 */
function assertOwnColours({ y, u, v, a, width, height }: Picture, top: number): void {
  const chroma = (i: number): number => (Math.floor(i / width) >> 1) * (width / 2) + ((i % width) >> 1);
  let looked = 0;
  for (let row = Math.ceil(top) + 8; row < height - 8; row += 3) {
    for (let x = 8; x < width - 8; x++) {
      const i = row * width + x;
      if (a![i] === 255) continue;
      const opaque: number[] = [];
      let isNear = false;
      for (let dy = -NEAR - 3; dy <= NEAR + 3; dy++) {
        for (let dx = -NEAR - 3; dx <= NEAR + 3; dx++) {
          if (a![i + dy * width + dx] !== 255) continue;
          opaque.push(i + dy * width + dx);
          isNear ||= Math.hypot(dx, dy) <= NEAR;
        }
      }
      if (!isNear) continue;
      looked++;
      const lumas = opaque.map((at) => y[at]!);
      const [low, high] = [Math.min(...lumas), Math.max(...lumas)];
      assert.ok(y[i]! >= low - 4 && y[i]! <= high + 4, `luma ${y[i]} of ${low} to ${high} at ${x}, ${row}`);
      const [cu, cv] = [u[chroma(i)]!, v[chroma(i)]!];
      const off = Math.min(...opaque.map((at) => Math.hypot(u[chroma(at)]! - cu, v[chroma(at)]! - cv)));
      assert.ok(off <= 6, `chroma off by ${off} at ${x}, ${row}`);
    }
  }
  assert.ok(looked > 300);
}
