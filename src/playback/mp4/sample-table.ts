// Reads the samples of an `stbl` (ISO 14496-12, 8.6.1 and 8.7).
// - The tables are read in parallel and never expanded, so that a large declared count costs nothing.
// - All tables must describe the same number of samples.
// - The offsets of a `ctts` are read as signed in both versions, because many files need it.
import { assertValid, findBox, requireBox, readUint64, within } from './boxes.ts';
import { checkRowIndex, type SampleList } from './sample.ts';

/** Offset of the first row: after version, flags and the number of rows. */
const ROWS = 8;

export function readSampleTable(stbl: DataView, samples: SampleList): void {
  const { count, sizeOf } = sizesIn(stbl);
  if (count === 0) return;
  const stts = requireBox(stbl, 'stts');
  const ctts = findBox(stbl, 'ctts');
  const nextDuration = runsOf(stts, (at) => stts.getUint32(at));
  const nextOffset = ctts ? runsOf(ctts, (at) => ctts.getInt32(at)) : () => 0;
  const sync = syncsIn(findBox(stbl, 'stss'));
  const stco = findBox(stbl, 'stco');
  const chunks = stco ?? requireBox(stbl, 'co64');
  const nextLength = chunkLengthsIn(requireBox(stbl, 'stsc'));
  let index = 0;
  for (let chunk = 0; chunk < chunks.getUint32(4); chunk++) {
    checkRowIndex(chunk);
    let at = stco ? stco.getUint32(ROWS + chunk * 4) : readUint64(chunks, ROWS + chunk * 8);
    const end = index + nextLength(chunk);
    assertValid(end <= count, 'too few sizes');
    for (; index < end; index++) {
      const size = sizeOf(index);
      samples.add(at, size, nextDuration(), nextOffset(), sync.has(index + 1));
      at += size;
    }
  }
  assertValid(index === count, 'too few chunks');
  assertValid(sync.done(), 'an odd stss');
}

interface Sizes {
  readonly count: number;
  sizeOf(index: number): number;
}

/** `stsz`, or `stz2` with its fields of 4, 8 or 16 bits. */
function sizesIn(stbl: DataView): Sizes {
  const stsz = findBox(stbl, 'stsz');
  const table = stsz ?? requireBox(stbl, 'stz2');
  const first = table.getUint32(4);
  const count = table.getUint32(ROWS);
  const rows = within(table, ROWS + 4);
  if (stsz) return { count, sizeOf: (i) => first || rows.getUint32(i * 4) };
  const bits = first & 0xff;
  assertValid(bits === 4 || bits === 8 || bits === 16, 'an odd stz2');
  if (bits === 16) return { count, sizeOf: (i) => rows.getUint16(i * 2) };
  if (bits === 8) return { count, sizeOf: (i) => rows.getUint8(i) };
  return { count, sizeOf: (i) => (rows.getUint8(i >> 1) >> (i % 2 ? 0 : 4)) & 15 };
}

/** Reads a table of runs (a number of samples, then their common value) sample by sample. */
function runsOf(table: DataView, valueAt: (at: number) => number): () => number {
  let at = ROWS - 8;
  let left = 0;
  return () => {
    while (left === 0) {
      at += 8;
      checkRowIndex(at / 8);
      left = table.getUint32(at);
    }
    left--;
    return valueAt(at + 4);
  };
}

/** Whether a sample is a sync sample; called for each sample in order, from 1. Without an `stss`, every one is. */
function syncsIn(stss: DataView | undefined): { has(sample: number): boolean; done(): boolean } {
  if (!stss) return { has: () => true, done: () => true };
  const count = stss.getUint32(4);
  let next = 0;
  return {
    has: (sample) => next < count && stss.getUint32(ROWS + next * 4) === sample && ++next > 0,
    done: () => next === count,
  };
}

/** The number of samples of each chunk, in order. A run goes from its first chunk (counted from 1) to the next run. */
function chunkLengthsIn(stsc: DataView): (chunk: number) => number {
  const runs = stsc.getUint32(4);
  let run = -1;
  return (chunk) => {
    while (run + 1 < runs && stsc.getUint32(ROWS + (run + 1) * 12) <= chunk + 1) checkRowIndex(run++);
    assertValid(run >= 0, 'an odd stsc');
    return stsc.getUint32(ROWS + run * 12 + 4);
  };
}
