// Reads the samples of a `moof` (ISO 14496-12, 8.8).
// - A fragment that does not start where the one before ended is unsupported: a gap in the buffer would stop playback, where
//   the browser plays on when it plays the file itself.
import { type Box, findBox, requireBox, nextBox, readUint64, RemuxError, assertSupported } from './boxes.ts';
import type { SampleList } from './sample-table.ts';

const BASE_DATA_OFFSET = 0x1;
const DESCRIPTION = 0x2;
const DEFAULT_DURATION = 0x8;
const DEFAULT_SIZE = 0x10;
const DEFAULT_FLAGS = 0x20;
const BASE_IS_MOOF = 0x20000;

const DATA_OFFSET = 0x1;
const FIRST_FLAGS = 0x4;
const DURATION = 0x100;
const SIZE = 0x200;
const FLAGS = 0x400;
const COMPOSITION_OFFSET = 0x800;

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
        'data behind those of another track',
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
  const start = tfdt.getUint8(0) === 1 ? readUint64(tfdt, 4) : tfdt.getUint32(4);
  if (samples.count === 0) samples.end = start;
  assertSupported(start === samples.end, 'a gap between fragments');
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
