// The two ways to paint must agree: a limb by distance is the limb by polygon.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintLimb, type Limb } from '../../../demo/sandbox/painter/limb.ts';
import { limb as outlineOf } from '../../../demo/sandbox/painter/outline.ts';
import { blankPicture, colour } from '../../../demo/sandbox/painter/picture.ts';
import { fillPolygon } from '../../../demo/sandbox/painter/polygon.ts';

const chalk = colour('#ffffff');
const red = colour('#d02020');

const limbs: readonly (readonly [
  name: string,
  ends: readonly [number, number, number, number, number, number],
])[] = [
  ['upright', [100, 40, 20, 103, 150, 20]],
  ['level', [40, 100, 15, 160, 104, 10]],
  ['slanting and tapered', [50, 50, 24, 140, 130, 8]],
  ['drawn the other way', [140, 130, 8, 50, 50, 24]],
  ['a circle', [100, 100, 30, 100, 100, 30]],
  ['one end within the other', [100, 100, 30, 105, 100, 12]],
  ['thinner than a pixel', [20, 20, 0.4, 180, 90, 0.4]],
  ['over the edge of the picture', [-10, 10, 20, 60, 230, 20]],
];

for (const [name, [x0, y0, r0, x1, y1, r1]] of limbs) {
  test(`a limb, ${name}, covers what its polygon covers`, () => {
    const [byDistance, byPolygon] = [blankPicture(200, 200), blankPicture(200, 200)];
    const view = { scale: 1, x: 0, y: 0 };
    paintLimb(byDistance, view, { x0, y0, r0, x1, y1, r1, fill: chalk, edge: null });
    fillPolygon(byPolygon, view, { outline: outlineOf(x0, y0, r0, x1, y1, r1), colour: chalk });
    const cover = (plane: Uint8Array) => plane.reduce((sum, value) => sum + value - 16, 0) / (chalk.y - 16);
    assert.ok(cover(byPolygon.y) > 30);
    const difference = Math.abs(cover(byDistance.y) - cover(byPolygon.y));
    assert.ok(difference < 3 + 0.02 * cover(byPolygon.y), `${difference} of ${cover(byPolygon.y)} pixels`);
    // A round end of a polygon has corners, a few tenths of a pixel inside the circle.
    const far = byDistance.y.filter(
      (value, i) => Math.abs(value - byPolygon.y[i]!) > 0.6 * (chalk.y - 16),
    ).length;
    assert.equal(far, 0);
  });
}

test('its edge lies around it, in luma only', () => {
  const picture = blankPicture(100, 100);
  const limb: Limb = { x0: 50, y0: 50, r0: 20, x1: 50, y1: 50, r1: 20, fill: red, edge: chalk };
  paintLimb(picture, { scale: 1, x: 0, y: 0 }, limb);
  const across = (x: number) => picture.y[50 * 100 + x];
  assert.deepEqual([across(50), across(71), across(74)], [red.y, chalk.y, 16]);
  assert.equal(picture.v[25 * 50 + 25], red.v);
  assert.equal(picture.v[25 * 50 + 36], 128);
});
