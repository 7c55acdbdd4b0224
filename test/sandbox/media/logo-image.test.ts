// Logos: which pixels a file gives, and which files are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodePool } from '../../../demo/sandbox/media/encode-pool.ts';
import { logoImage } from '../../../demo/sandbox/media/logo-image.ts';
import { LogoError } from '../../../demo/sandbox/media/media-spec.ts';
import { decodeClip } from './decode-clip.ts';
import { specOf } from './media-spec.ts';
import { pngFile } from './png-file.ts';
import { stamped } from '../stamped.ts';
import { eachCase } from '../each-case.ts';

/** 16 x 8 pixels of #2060c0. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABLAAEBAAAAAAAAAAAAAAAAAAAABgEBAAAAAAAAAAAAAAAAAAAABhABAAAAAAAAAAAAAAAAAAAAABEBAAAAAAAAAAAAAAAAAAAAAP/AABEIAAgAEAMBIgACEQADEQD/2gAMAwEAAhEDEQA/AJYA7F3/2Q==', // oxfmt-ignore
  'base64',
);
const webp = Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvD8ABAAfQr34UuP+BiOh/AAA=', 'base64');

test('PNG, JPEG and WebP become their pixels', () =>
  eachCase(
    [
      ['PNG', pngFile(16, 8, [0x20, 0x60, 0xc0, 0xff])],
      ['JPEG', jpeg],
      ['WebP', webp],
    ] as const,
    ([, file]) => {
      const { width, height, rgba } = logoImage(file);
      assert.deepEqual([width, height, rgba.length], [16, 8, 16 * 8 * 4]);
      for (const [channel, value] of [0x20, 0x60, 0xc0, 0xff].entries()) {
        assert.ok(Math.abs(rgba[channel]! - value) <= 4, `channel ${channel} is ${rgba[channel]}`);
        assert.equal(rgba.at(channel - 4), rgba[channel], 'the same in the last corner');
      }
    },
  ));

test('the alpha of a PNG is kept', () => {
  assert.deepEqual([...logoImage(pngFile(2, 2, [10, 20, 30, 128])).rgba.subarray(0, 4)], [10, 20, 30, 128]);
});

test('2048 by 2048 pixels are accepted', () => {
  assert.equal(logoImage(pngFile(2048, 2048, [1, 2, 3, 255])).width, 2048);
});

const png = pngFile(16, 8, [0x20, 0x60, 0xc0, 0xff]);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const refused: readonly (readonly [why: string, file: Uint8Array, words: RegExp])[] = [
  ['nothing', new Uint8Array(), /no PNG, JPEG or WebP/],
  ['a page', Buffer.from('<!doctype html><title>404</title>'), /no PNG, JPEG or WebP/],
  ['a drawing that could load others', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no PNG/],
  ['a GIF', gif, /no PNG/],
  ['a PNG that breaks off', png.subarray(0, 45), /damaged/],
  ['a JPEG that breaks off', jpeg.subarray(0, 120), /damaged/],
  ['a WebP that breaks off', webp.subarray(0, 20), /damaged/],
  ['a picture that is too wide', pngFile(2049, 1, [0, 0, 0, 255]), /2049 x 1/],
  ['a picture that is too high', pngFile(1, 2049, [0, 0, 0, 255]), /1 x 2049/],
  ['a small file of very many pixels', pngFile(3000, 2000, [0, 0, 0, 255]), /more than 2048 x 2048/],
];

test('a picture that cannot be read is refused with a message', () =>
  eachCase(refused, ([, file, words]) => {
    assert.throws(
      () => logoImage(file),
      (error) => error instanceof LogoError && words.test(error.message),
    );
  }));

test('the worker paints a logo, and reports a file that is no picture', async (t) => {
  const pool = new EncodePool(stamped);
  t.after(() => pool.close());
  const pictureWith = async (file: Uint8Array | null) => {
    const { style } = specOf('');
    const logo = file && ({ file, position: 'top-right', size: 'large' } as const);
    const { files } = await pool.encode(specOf(null, { seconds: 0.04, style: { ...style, logo } }), () => {});
    return (await decodeClip(files[0]!)).pictures[0]!;
  };
  const [without, shown] = [await pictureWith(null), await pictureWith(pngFile(16, 16, [0, 0, 0, 255]))];
  const differs = shown.y.filter((value, at) => Math.abs(value - without.y[at]!) > 40).length;
  assert.ok(differs > 1000);
  await assert.rejects(pictureWith(gif), LogoError);
});
