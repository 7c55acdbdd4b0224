// One coded frame of a track, as the sample tables or the fragments of the file describe it.
// - Times are whole ticks below 2^30 (three hours at 90,000 a second), which no engine has to allocate.
// - Every frame has a duration and bytes of its own inside the file. A track has at most 65,536 frames (18 minutes at 60 a
//   second). So time and memory are in proportion to the size of the file.
import { assertValid, assertSupported } from './boxes.ts';

const MAX_SAMPLES = 65_536;
const MAX_TICKS = 2 ** 30;

export interface Sample {
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  readonly size: number;
  /** Ticks, before any edit list. */
  readonly decodeTime: number;
  /** Ticks, before any edit list. */
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
  /** Decode time of the next sample. */
  end = 0;
  count = 0;
  #bytes = 0;
  readonly #sample = { offset: 0, size: 0, decodeTime: 0, presentationTime: 0, duration: 0, sync: false };
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
    assertSupported(size > 0 && duration > 0, 'a frame without bytes or length');
    this.#bytes += size;
    const inside = offset >= 0 && offset + size <= this.#fileSize;
    assertValid(inside && this.#bytes <= this.#fileSize, 'a frame outside the file');
    assertSupported(this.end + duration + Math.abs(compositionOffset) < MAX_TICKS, 'above 2^30 ticks');
    const sample = this.#sample;
    sample.offset = offset;
    sample.size = size;
    sample.decodeTime = this.end;
    sample.presentationTime = this.end + compositionOffset;
    sample.duration = duration;
    sample.sync = sync;
    this.end += duration;
    this.#visit(sample);
  }
}
