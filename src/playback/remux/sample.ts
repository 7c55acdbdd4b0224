// One coded frame of a film, as the tables or the fragments of its file tell it. Policy: times are whole ticks of the
// track's clock below 2^30 (three hours of the usual 90000 a second), numbers that no engine has to allocate; every frame
// lasts, has bytes of its own inside the file, and there are at most 65536 (eighteen minutes at 60 frames a second): so
// neither time nor memory can be asked for that the file itself, byte for byte, has not paid.
import { expect, support } from './remux-error.ts';

const MAX_SAMPLES = 65_536;
const MAX_TICKS = 2 ** 30;

export interface Sample {
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  readonly size: number;
  /** When it is decoded, before any edit list. */
  readonly decode: number;
  /** When it is shown, before any edit list. */
  readonly present: number;
  readonly duration: number;
  /** Whether decoding can begin with it. */
  readonly sync: boolean;
}

/** No table needs more rows than there may be frames. @throws RemuxError */
export const expectRow = (index: number): void => support(index < MAX_SAMPLES, 'too many rows');

/** Is shown every sample in turn, in one object whose fields change: nothing is allocated for them. */
export type Visit = (sample: Sample) => void;

/** Puts the samples of a file behind one another, and counts what they lay claim to. */
export class SampleRow {
  /** Decode time of the next one. */
  end = 0;
  count = 0;
  #bytes = 0;
  readonly #sample = { offset: 0, size: 0, decode: 0, present: 0, duration: 0, sync: false };
  readonly #fileSize: number;
  readonly #visit: Visit;

  constructor(fileSize: number, visit: Visit) {
    this.#fileSize = fileSize;
    this.#visit = visit;
  }

  /**
   * The next sample.
   * @param shift from decoding to showing; may be negative
   * @throws RemuxError
   */
  add(offset: number, size: number, duration: number, shift: number, sync: boolean): void {
    support(++this.count <= MAX_SAMPLES, 'too many frames');
    support(size > 0 && duration > 0, 'a frame without bytes or length');
    this.#bytes += size;
    const inside = offset >= 0 && offset + size <= this.#fileSize;
    expect(inside && this.#bytes <= this.#fileSize, 'a frame outside the file');
    support(this.end + duration + Math.abs(shift) < MAX_TICKS, 'above 2^30 ticks');
    const sample = this.#sample;
    sample.offset = offset;
    sample.size = size;
    sample.decode = this.end;
    sample.present = this.end + shift;
    sample.duration = duration;
    sample.sync = sync;
    this.end += duration;
    this.#visit(sample);
  }
}
