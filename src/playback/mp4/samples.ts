// Reads the samples of a track (coded frames) from the tables of its `stbl` (ISO 14496-12, 8.6.1 and 8.7) and from its
// fragments, each a `moof` (8.8), and checks each of them.
// - Times are whole ticks below 2^30 (three hours at 90,000 a second): no engine allocates memory for such a number. They count
//   from the beginning of the first fragment, because recorders of live streams write the date there.
// - Every frame has a duration and bytes of its own inside the file. A track has at most 65,536 frames (18 minutes at 60 a
//   second). So time and memory are in proportion to the size of the file.
// - The tables are read in parallel and never expanded, so that a large declared count costs nothing. All of them must
//   describe the same number of samples.
// - The offsets of a `ctts` are read as signed in both versions, because many files need it.
// - A fragment that does not start where the one before ended is unsupported: a gap in the buffer would stop playback. A browser
//   that plays the file itself plays on.
import {
  assertValid,
  assertSupported,
  findBox,
  requireBox,
  readUint64,
  within,
  type Box,
  nextBox,
  RemuxError,
} from './boxes.ts';

const MAX_SAMPLES = 65_536;
const MAX_TICKS = 2 ** 30;

export interface Sample {
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  readonly size: number;
  /** Ticks of the track at which the first fragment begins. */
  readonly base: number;
  /** Ticks from `base`, before any edit list. */
  readonly decodeTime: number;
  /** Ticks from `base`, before any edit list. */
  readonly presentationTime: number;
  readonly duration: number;
  /** Whether decoding can begin with it. */
  readonly sync: boolean;
}

/** A table has at most as many rows as there may be frames. @throws RemuxError */
export const checkRowIndex = (index: number): void => assertSupported(index < MAX_SAMPLES, 'too many rows');

/** Called for each sample with the same object, whose fields change: nothing is allocated. */
export type SampleVisitor = (sample: Sample) => void;

/** Passes the samples of a file to a visitor in decoding order, and checks them against the limits. */
export class SampleList {
  /** Decode time of the next sample, from `base`. */
  end = 0;
  /** Ticks of the track at which the first fragment begins. */
  base = 0;
  count = 0;
  #bytes = 0;
  readonly #sample = {
    offset: 0,
    size: 0,
    base: 0,
    decodeTime: 0,
    presentationTime: 0,
    duration: 0,
    sync: false,
  };
  readonly #fileSize: number;
  readonly #visit: SampleVisitor;

  constructor(fileSize: number, visit: SampleVisitor) {
    this.#fileSize = fileSize;
    this.#visit = visit;
  }

  /**
   * Adds the next sample.
   * @param compositionOffset ticks from decoding to presentation; may be negative
   * @throws RemuxError
   */
  add(offset: number, size: number, duration: number, compositionOffset: number, sync: boolean): void {
    assertSupported(++this.count <= MAX_SAMPLES, 'too many frames');
    assertSupported(size > 0 && duration > 0, 'an empty frame');
    this.#bytes += size;
    const inside = offset >= 0 && offset + size <= this.#fileSize;
    assertValid(inside && this.#bytes <= this.#fileSize, 'a frame outside');
    assertSupported(this.end + duration + Math.abs(compositionOffset) < MAX_TICKS, 'above 2^30 ticks');
    const sample = this.#sample;
    sample.offset = offset;
    sample.size = size;
    sample.base = this.base;
    sample.decodeTime = this.end;
    sample.presentationTime = this.end + compositionOffset;
    sample.duration = duration;
    sample.sync = sync;
    this.end += duration;
    this.#visit(sample);
  }
}

/** Bytes before the first row: version, flags and the number of rows. */
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
    assertValid(end <= count, 'sizes');
    for (; index < end; index++) {
      const size = sizeOf(index);
      samples.add(at, size, nextDuration(), nextOffset(), sync.has(index + 1));
      at += size;
    }
  }
  assertValid(index === count, 'too few chunks');
  assertValid(sync.done(), 'a wrong stss');
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
  assertValid(bits === 4 || bits === 8 || bits === 16, 'a wrong stz2');
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
    assertValid(run >= 0, 'a wrong stsc');
    return stsc.getUint32(ROWS + run * 12 + 4);
  };
}

/** Flags of a `tfhd`. */
const BASE_DATA_OFFSET = 0x1;
const DESCRIPTION = 0x2;
const DEFAULT_DURATION = 0x8;
const DEFAULT_SIZE = 0x10;
const DEFAULT_FLAGS = 0x20;
const BASE_IS_MOOF = 0x20000;

/** Flags of a `trun`. */
const DATA_OFFSET = 0x1;
const FIRST_FLAGS = 0x4;
const DURATION = 0x100;
const SIZE = 0x200;
const FLAGS = 0x400;
const COMPOSITION_OFFSET = 0x800;

/** A flag of a sample. */
const NOT_SYNC = 0x10000;

/** Values of a sample when its fragment gives none: the last fields of a `trex`. */
export interface SampleDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** @throws RemuxError `malformed` when the file has fragments but no defaults for this track */
export function defaultsOf(mvex: DataView, track: number): SampleDefaults {
  for (let box = nextBox(mvex, 'trex'); box; box = nextBox(mvex, 'trex', box.end)) {
    const { content } = box;
    if (content.getUint32(4) !== track) continue;
    return { duration: content.getUint32(12), size: content.getUint32(16), flags: content.getUint32(20) };
  }
  throw new RemuxError('malformed', 'no trex');
}

/** Reads the fields of a full box in order. Each has 32 bits; some are there only when a flag is set. */
class Fields {
  readonly #view: DataView;
  #at = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  next(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4);
  }

  if(there: number, absent: number): number {
    return there ? this.next() : absent;
  }
}

/** @param track its id */
export function readFragment(moof: Box, track: number, defaults: SampleDefaults, samples: SampleList): void {
  let first = true;
  for (let box = nextBox(moof.content, 'traf'); box; box = nextBox(moof.content, 'traf', box.end)) {
    const traf = box.content;
    const fields = new Fields(requireBox(traf, 'tfhd'));
    const flags = fields.next();
    if (fields.next() === track) {
      const based = flags & BASE_DATA_OFFSET;
      assertSupported(
        based !== 0 || first || (flags & BASE_IS_MOOF) !== 0,
        'data after those of another track',
      );
      const base = based ? fields.next() * 2 ** 32 + fields.next() : moof.start;
      fields.if(flags & DESCRIPTION, 0);
      const duration = fields.if(flags & DEFAULT_DURATION, defaults.duration);
      const size = fields.if(flags & DEFAULT_SIZE, defaults.size);
      startAt(findBox(traf, 'tfdt'), samples);
      readRuns(
        traf,
        base,
        { duration, size, flags: fields.if(flags & DEFAULT_FLAGS, defaults.flags) },
        samples,
      );
    }
    first = false;
  }
}

/** The track starts with its first fragment; each further fragment must start where the one before ended. */
function startAt(tfdt: DataView | undefined, samples: SampleList): void {
  if (!tfdt) return;
  const isWide = tfdt.getUint8(0) === 1;
  const start = isWide ? tfdt.getUint32(4) * 2 ** 32 + tfdt.getUint32(8) : tfdt.getUint32(4);
  assertSupported(start <= Number.MAX_SAFE_INTEGER, 'above 2^53 ticks');
  if (samples.count === 0) samples.base = start;
  assertSupported(start - samples.base === samples.end, 'a gap');
}

function readRuns(traf: DataView, base: number, defaults: SampleDefaults, samples: SampleList): void {
  let at = base;
  for (let box = nextBox(traf, 'trun'); box; box = nextBox(traf, 'trun', box.end)) {
    const fields = new Fields(box.content);
    const flags = fields.next();
    const count = fields.next();
    if (flags & DATA_OFFSET) at = base + (fields.next() | 0);
    const firstFlags = fields.if(flags & FIRST_FLAGS, defaults.flags);
    for (let i = 0; i < count; i++) {
      const duration = fields.if(flags & DURATION, defaults.duration);
      const size = fields.if(flags & SIZE, defaults.size);
      const own = fields.if(flags & FLAGS, i === 0 ? firstFlags : defaults.flags);
      samples.add(at, size, duration, fields.if(flags & COMPOSITION_OFFSET, 0) | 0, (own & NOT_SYNC) === 0);
      at += size;
    }
  }
}
