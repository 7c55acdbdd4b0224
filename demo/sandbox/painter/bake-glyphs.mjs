// Renders the letters of the captions into glyph-data.ts.
// - A person runs it when the letters or the font change. No build runs it:
//     npm pack @expo-google-fonts/atkinson-hyperlegible-next && tar xzf *.tgz
//     node demo/sandbox/painter/bake-glyphs.mjs package/600SemiBold/AtkinsonHyperlegibleNext_600SemiBold.ttf
// - It needs Chromium (CHROME_PATH or /usr/bin/chromium).
// - It takes only letters of the font itself, in one size with 16 levels of grey, which the painter scales down.
// - Layout before compression, little endian: u8 master size; u16 count; count times: u16 code point, u16 advance in 1/64 pixel,
//   i8 left of the pen, i8 top below the baseline, u8 width, u8 height; then every mask row by row, two pixels in a byte. Each
//   mask begins at a new byte.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import puppeteer from 'puppeteer-core';

const MASTER = 96;
const ranges = [
  [0x21, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x17f],
  [0x218, 0x21b],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1ef9],
  [0x2010, 0x2026],
  [0x2030, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
];
const codePoints = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** Runs in the page: every letter's advance, box and alpha; letters that fall back to another font are left out. */
async function drawGlyphs(font, size, codePoints) {
  const face = new FontFace('Atlas', `url(data:font/ttf;base64,${font})`);
  document.fonts.add(await face.load());
  const canvas = Object.assign(document.createElement('canvas'), { width: size * 3, height: size * 2 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const baseline = Math.round(size * 1.3);
  const draw = (letter, fallback) => {
    context.font = `${size}px Atlas, ${fallback}`;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(letter, size, baseline);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { advance: context.measureText(letter).width, data };
  };
  const glyphs = [];
  for (const codePoint of codePoints) {
    const letter = String.fromCodePoint(codePoint);
    const [serif, mono] = [draw(letter, 'serif'), draw(letter, 'monospace')];
    if (serif.advance !== mono.advance || serif.data.some((value, i) => value !== mono.data[i])) continue;
    const alpha = (x, y) => serif.data[(y * canvas.width + x) * 4 + 3];
    let [left, top, right, bottom] = [canvas.width, canvas.height, -1, -1];
    for (let y = 0; y < canvas.height; y++) {
      for (let x = 0; x < canvas.width; x++) {
        if (alpha(x, y) < 9) continue;
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
    }
    if (right < 0) continue;
    const pixels = [];
    for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) pixels.push(alpha(x, y));
    glyphs.push({
      codePoint,
      advance: serif.advance,
      left: left - size,
      top: top - baseline,
      width: right - left + 1,
      height: bottom - top + 1,
      pixels,
    });
  }
  return glyphs;
}

const [fontPath] = process.argv.slice(2);
if (!fontPath) throw new Error('usage: bake-glyphs.mjs <font.ttf>');
const browser = await puppeteer.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
const glyphs = await page.evaluate(drawGlyphs, readFileSync(fontPath).toString('base64'), MASTER, codePoints);
await browser.close();

const head = Buffer.alloc(3 + glyphs.length * 8);
head.writeUInt8(MASTER, 0);
head.writeUInt16LE(glyphs.length, 1);
const masks = [];
glyphs.forEach((glyph, i) => {
  const at = 3 + i * 8;
  head.writeUInt16LE(glyph.codePoint, at);
  head.writeUInt16LE(Math.round(glyph.advance * 64), at + 2);
  head.writeInt8(glyph.left, at + 4);
  head.writeInt8(glyph.top, at + 5);
  head.writeUInt8(glyph.width, at + 6);
  head.writeUInt8(glyph.height, at + 7);
  const levels = glyph.pixels.map((alpha) => Math.round((alpha * 15) / 255));
  if (levels.length % 2) levels.push(0);
  for (let p = 0; p < levels.length; p += 2) masks.push((levels[p] << 4) | levels[p + 1]);
});
const packed = brotliCompressSync(Buffer.concat([head, Buffer.from(masks)]), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(
  new URL('./glyph-data.ts', import.meta.url),
  `// Made by bake-glyphs.mjs (layout described there) from Atkinson Hyperlegible Next SemiBold; do not edit.
// Copyright 2020-2024 The Atkinson Hyperlegible Next Project Authors
// (https://github.com/googlefonts/atkinson-hyperlegible-next), SIL Open Font License 1.1
// (https://openfontlicense.org). The letter pictures in here stay under that licence.

/** ${glyphs.length} letters at ${MASTER} pixels, brotli, base64. */
export const glyphData =
  // oxfmt-ignore
  '${packed.toString('base64')}';
`,
);
console.log(`${glyphs.length} letters, ${packed.length} bytes packed`);
