// The samples that a `stbl` lists (ISO 14496-12, 8.6.1, 8.7). Policy: its tables are read side by side and never unfolded,
// so a declared count costs nothing; they have to speak of equally many samples; times shifted by a `ctts` are signed in
// either version, as they are in practice.
import { findBox, needBox, readUint64, within } from './boxes.ts';
import { expect } from './remux-error.ts';
import { expectRow, type SampleRow } from './sample.ts';

/** Where the rows begin behind version, flags and their count. */
const ROWS = 8;

export function readTable(stbl: DataView, row: SampleRow): void {
  const { count, sizeOf } = sizesIn(stbl);
  if (count === 0) return;
  const stts = needBox(stbl, 'stts');
  const ctts = findBox(stbl, 'ctts');
  const nextDuration = runsOf(stts, (at) => stts.getUint32(at));
  const nextShift = ctts ? runsOf(ctts, (at) => ctts.getInt32(at)) : () => 0;
  const sync = syncsIn(findBox(stbl, 'stss'));
  const stco = findBox(stbl, 'stco');
  const chunks = stco ?? needBox(stbl, 'co64');
  const nextLength = chunkLengthsIn(needBox(stbl, 'stsc'));
  let index = 0;
  for (let chunk = 0; chunk < chunks.getUint32(4); chunk++) {
    expectRow(chunk);
    let at = stco ? stco.getUint32(ROWS + chunk * 4) : readUint64(chunks, ROWS + chunk * 8);
    const end = index + nextLength(chunk);
    expect(end <= count, 'too few sizes');
    for (; index < end; index++) {
      const size = sizeOf(index);
      row.add(at, size, nextDuration(), nextShift(), sync.has(index + 1));
      at += size;
    }
  }
  expect(index === count, 'too few chunks');
  expect(sync.done(), 'an odd stss');
}

interface Sizes {
  readonly count: number;
  sizeOf(index: number): number;
}

/** `stsz`, or `stz2` with its fields of 4, 8 or 16 bits. */
function sizesIn(stbl: DataView): Sizes {
  const stsz = findBox(stbl, 'stsz');
  const table = stsz ?? needBox(stbl, 'stz2');
  const first = table.getUint32(4);
  const count = table.getUint32(ROWS);
  const rows = within(table, ROWS + 4);
  if (stsz) return { count, sizeOf: (i) => first || rows.getUint32(i * 4) };
  const bits = first & 0xff;
  expect(bits === 4 || bits === 8 || bits === 16, 'an odd stz2');
  if (bits === 16) return { count, sizeOf: (i) => rows.getUint16(i * 2) };
  if (bits === 8) return { count, sizeOf: (i) => rows.getUint8(i) };
  return { count, sizeOf: (i) => (rows.getUint8(i >> 1) >> (i % 2 ? 0 : 4)) & 15 };
}

/** The next value of a table of runs: how many samples, then what each of them has. */
function runsOf(table: DataView, valueAt: (at: number) => number): () => number {
  let at = ROWS - 8;
  let left = 0;
  return () => {
    while (left === 0) {
      at += 8;
      expectRow(at / 8);
      left = table.getUint32(at);
    }
    left--;
    return valueAt(at + 4);
  };
}

/** Asked of each sample in turn, counted from 1. No list at all means that each of them is one. */
function syncsIn(stss: DataView | undefined): { has(sample: number): boolean; done(): boolean } {
  if (!stss) return { has: () => true, done: () => true };
  const count = stss.getUint32(4);
  let next = 0;
  return {
    has: (sample) => next < count && stss.getUint32(ROWS + next * 4) === sample && ++next > 0,
    done: () => next === count,
  };
}

/** How many samples a chunk has, asked of each in turn. A run begins with a chunk, counted from 1; the last one goes on. */
function chunkLengthsIn(stsc: DataView): (chunk: number) => number {
  const runs = stsc.getUint32(4);
  let run = -1;
  return (chunk) => {
    while (run + 1 < runs && stsc.getUint32(ROWS + (run + 1) * 12) <= chunk + 1) expectRow(run++);
    expect(run >= 0, 'an odd stsc');
    return stsc.getUint32(ROWS + run * 12 + 4);
  };
}
