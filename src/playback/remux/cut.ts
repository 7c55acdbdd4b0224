// What of a film is shown, and what its fragment can say once for all samples. Policy: the first frame shown stands at 0,
// whatever shifted it: reordered frames, an edit list, a late start. Frames in front of the stretch that is shown would be
// decoded but never seen, and a buffer has no place for those: unsupported. Frames behind it are left out where none that
// is shown was decoded after them. A frame that is shown in part is shown whole.
import { expect, support } from './remux-error.ts';
import type { Film } from './film.ts';

export interface Cut {
  /** Samples from the beginning of the film. */
  readonly count: number;
  /** Bytes of them. */
  readonly bytes: number;
  /** Decode time of the first. */
  readonly decode: number;
  /** When the first is shown, and when the last has been. */
  readonly start: number;
  readonly end: number;
  /** Of every sample; null when they differ. */
  readonly duration: number | null;
  /** Whether decoding can begin with any of them. */
  readonly allSync: boolean;
  /** Whether some samples wait longer between decoding and showing than others. */
  readonly shifted: boolean;
}

/**
 * Reads the whole film once, and allocates nothing.
 * @throws RemuxError
 */
export function cutOf({ eachSample, shown }: Film): Cut {
  let [count, bytes, decode] = [0, 0, 0];
  let [start, end, firstShown] = [Infinity, -Infinity, -Infinity];
  let duration: number | null = null;
  let [even, allSync, leastShift, mostShift] = [true, true, Infinity, -Infinity];
  let over = false;
  eachSample((sample) => {
    const { present } = sample;
    if (present >= shown.end) {
      over = true;
      return;
    }
    support(!over, 'an end between frames that need each other');
    if (count++ === 0) {
      support(sample.sync, 'the first frame needs others');
      [decode, duration] = [sample.decode, sample.duration];
    }
    bytes += sample.size;
    allSync &&= sample.sync;
    even &&= sample.duration === duration;
    if (present < start) start = present;
    if (present + sample.duration > end) end = present + sample.duration;
    if (present <= shown.start && present > firstShown) firstShown = present;
    const shift = present - sample.decode;
    if (shift < leastShift) leastShift = shift;
    if (shift > mostShift) mostShift = shift;
  });
  expect(count > 0, 'no frame');
  support(firstShown <= start, 'frames that are decoded and not shown');
  return {
    count,
    bytes,
    decode,
    start,
    end,
    duration: even ? duration : null,
    allSync,
    shifted: leastShift < mostShift,
  };
}
