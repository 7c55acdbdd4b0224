// An updated picture equals one that is painted from nothing, for any earlier content.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderStyle } from '../../../demo/sandbox/painter/render-style.ts';
import { ScenePainter } from '../../../demo/sandbox/painter/scene-painter.ts';
import { idleScript, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { chances, logoOf, styleOf, painted, pictureFor, samePicture } from './frames.ts';

const small = { width: 426, height: 240 };
const file = new Uint8Array();
const styles: readonly (readonly [name: string, style: RenderStyle])[] = [
  ['as document 3 has it', styleOf(small)],
  ['transparent with subtitles', styleOf({ ...small, backdrop: 'transparent', wordPanel: false, subtitles: true })],
  ['upright with everything', styleOf({ width: 240, height: 426, signer: 'MAX', subtitles: true, signerSize: 'medium', logo: { file, position: 'bottom-left', size: 'large' } })],
  ['padded, signer alone', styleOf({ width: 240, height: 426, signer: 'JAY', fit: 'pad', wordPanel: false, backdrop: '#ffffff' })],
]; // oxfmt-ignore

const scripts = [
  idleScript,
  scriptOf('Hello, where is platform seven?', null),
  scriptOf('The train to Leeds is extraordinarily late, and so is every other train that leaves today', 6),
  scriptOf('', null),
];

for (const [name, style] of styles) {
  test(`any sequence of scripts and frames, on two pictures alternately: ${name}`, () => {
    const next = chances(style.width);
    const logo = logoOf(40, 30, [200, 30, 30, 160]);
    const painter = new ScenePainter(style, { logo, stamp: true });
    const pictures = [pictureFor(style), pictureFor(style)];
    for (let step = 0; step < 60; step++) {
      // Mostly the next frame, as in a clip; sometimes any frame of any script.
      const script = scripts[Math.floor(next() * scripts.length)]!;
      const from = Math.floor(next() * Math.min(script.gloss.frames, 900));
      const picture = pictures[Math.floor(next() * 2)]!;
      const run = 1 + Math.floor(next() * 4);
      for (let frame = from; frame < from + run; frame++) painter.paint(picture, script, frame);
      assert.ok(
        samePicture(picture, painted(style, script, from + run - 1, logo)),
        `step ${step}: ${script.text || 'at rest'}, frame ${from + run - 1}`,
      );
    }
  });
}

test('where rows are longer than the picture is wide, the bytes after the picture are not touched', () => {
  const style = styleOf({ backdrop: 'transparent', subtitles: true });
  const { width, height } = style;
  const plane = (stride: number, rows: number) => new Uint8Array(stride * rows).fill(1);
  const padded = {
    width,
    height,
    y: plane(width + 32, height),
    a: plane(width + 64, height),
    u: plane(width / 2 + 16, height / 2),
    v: plane(width / 2 + 16, height / 2),
    strideY: width + 32,
    strideA: width + 64,
    strideC: width / 2 + 16,
  };
  const painter = new ScenePainter(style, { stamp: true });
  for (const frame of [0, 8, 16]) painter.paint(padded, scripts[1]!, frame);
  const afresh = painted(style, scripts[1]!, 16);
  const rows: readonly (readonly [plane: Uint8Array, stride: number, of: Uint8Array, width: number])[] = [
    [padded.y, padded.strideY, afresh.y, width],
    [padded.a, padded.strideA, afresh.a!, width],
    [padded.u, padded.strideC, afresh.u, width / 2],
    [padded.v, padded.strideC, afresh.v, width / 2],
  ];
  for (const [got, stride, wanted, columns] of rows) {
    for (let row = 0; row * columns < wanted.length; row++) {
      const start = row * stride;
      const line = got.subarray(start, start + columns);
      assert.equal(Buffer.compare(line, wanted.subarray(row * columns, (row + 1) * columns)), 0);
      assert.ok(got.subarray(start + columns, start + stride).every((value) => value === 1));
    }
  }
});

test('a picture of another size, or one whose alpha plane does not fit the style, is refused', () => {
  const opaque = styleOf(small);
  const transparent = styleOf({ ...small, backdrop: 'transparent' });
  const refusals = [
    [opaque, pictureFor(styleOf())],
    [opaque, pictureFor(transparent)],
    [transparent, pictureFor(opaque)],
  ] as const;
  for (const [style, picture] of refusals) {
    assert.throws(() => new ScenePainter(style).paint(picture, idleScript, 0), TypeError);
  }
});
