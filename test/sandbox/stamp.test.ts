// The machine-readable stamp: a painted stamp is read, and nothing else is taken for one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipId, paintStamp, readStamp, stampHeight, type Stamp } from '../../demo/sandbox/stamp.ts';

const sizes = [
  { width: 854, height: 480 },
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
];
const stamps: Stamp[] = [
  { clip: 0, frame: 0 },
  { clip: 1, frame: 2 },
  { clip: 0xffff, frame: 0xffff },
  { clip: 0xa5c3, frame: 0x0ff0 },
];

/** The strip's middle row in a plane whose rows are `padding` bytes longer than the picture. */
function painted(stamp: Stamp, size: (typeof sizes)[number], padding = 10): Uint8Array {
  const stride = size.width + padding;
  const plane = new Uint8Array(stride * size.height).fill(128);
  paintStamp(plane, stride, size, stamp);
  return plane.slice(stride * (stampHeight(size.height) >> 1)).subarray(0, size.width);
}

for (const size of sizes) {
  test(`at ${size.width}x${size.height} a painted stamp is read`, () => {
    for (const stamp of stamps) assert.deepEqual(readStamp(painted(stamp, size), size.width), stamp);
  });

  test(`at ${size.width}x${size.height} a stamp is read in spite of noise and soft edges`, () => {
    for (const stamp of stamps) {
      const row = painted(stamp, size);
      const soft = row.map((value, x) => {
        const mean = ((row[x - 1] ?? value) + value + (row[x + 1] ?? value)) / 3;
        return mean + ((x * 7919) % 41) - 20;
      });
      assert.deepEqual(readStamp(soft, size.width), stamp);
    }
  });
}

test('the stamp is 24 of 720 lines high, and the picture below it stays as it was', () => {
  assert.deepEqual(sizes.map(({ height }) => stampHeight(height)), [16, 24, 36]); // oxfmt-ignore
  for (const size of sizes) {
    const plane = new Uint8Array(size.width * size.height).fill(77);
    paintStamp(plane, size.width, size, { clip: 0xffff, frame: 1 });
    const end = size.width * stampHeight(size.height);
    assert.ok(plane.subarray(0, end).every((value) => value === 16 || value === 235));
    assert.ok(plane.subarray(end).every((value) => value === 77));
  }
});

test('a picture without a stamp gives none', () => {
  for (const { width } of sizes) {
    for (const value of [0, 16, 128, 235, 255]) {
      assert.equal(readStamp(new Uint8Array(width).fill(value), width), null);
    }
  }
});

test('a stamp with any one wrong block is not read', () => {
  const size = sizes[1]!;
  for (let block = 0; block < 40; block++) {
    const row = painted({ clip: 0x1234, frame: 0x0042 }, size);
    for (let x = block * 32; x < (block + 1) * 32; x++) row[x] = 251 - row[x]!;
    assert.equal(readStamp(row, size.width), null, `block ${block}`);
  }
});

test('a clip id is 16 bits, follows from the text alone and is never the idle signer’s', () => {
  const ids = new Set<number>();
  for (let i = 0; i < 2000; i++) {
    const id = clipId(`text number ${i}`);
    assert.ok(Number.isInteger(id) && id > 0 && id <= 0xffff);
    assert.equal(clipId(`text number ${i}`), id);
    ids.add(id);
  }
  assert.ok(ids.size > 1900);
  assert.ok(clipId('') > 0);
});
