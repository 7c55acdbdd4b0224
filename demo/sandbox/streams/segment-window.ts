// The segments of one stream that can still be had, oldest first, and what its manifests are written from.
// - A job keeps and lists all it has. An ongoing stream lists the newest 45 s (document 2, Picture-in-picture output
//   properties) and keeps twice that, because whoever has read a playlist may ask for what it listed for as long as it lasts
//   (RFC 8216bis, 6.2.2).
// - More than 64 MB are not kept, down to the newest four segments; a job that passes them has to end, which its service sees
//   by `isFull`.
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import { segmentFrames, type Part, type StreamSpec } from './stream-spec.ts';

/** Seconds of an ongoing stream that its manifests list. */
export const LISTED_SECONDS = 45;
const LISTED_FRAMES = LISTED_SECONDS * FRAMES_PER_SECOND;
const FEWEST_KEPT = 4;
const MOST_BYTES = 64 * 1024 * 1024;

export interface Segment {
  /** From 0, rising by one. */
  readonly number: number;
  /** First frame on the timeline. */
  readonly from: number;
  readonly frames: number;
  readonly parts: readonly Part[];
  readonly isComplete: boolean;
  /** It does not begin where the one before it ended. */
  readonly discontinuity: boolean;
}

const sizeOf = ({ bytes, ts }: Part): number => bytes.length + (ts?.length ?? 0);
const sizeOfAll = ({ parts }: Segment): number => parts.reduce((sum, part) => sum + sizeOf(part), 0);

export class SegmentWindow {
  readonly #kind: StreamSpec['kind'];
  readonly #mostBytes: number;
  #kept: Segment[] = [];
  #bytes = 0;
  /** Discontinuities before the first segment that is kept. */
  #passed = 0;

  constructor(spec: StreamSpec, mostBytes = MOST_BYTES) {
    this.#kind = spec.kind;
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A job holds more than is kept of any stream. */
  get isFull(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  /** The newest segment, complete or not. */
  get newest(): Segment | undefined {
    return this.#kept.at(-1);
  }

  /** The next part belongs to the newest segment while that is open. */
  add(part: Part): void {
    const open = this.newest;
    if (open && !open.isComplete) this.#kept.pop();
    const before = open && !open.isComplete ? open : null;
    this.#kept.push({
      number: part.segment,
      from: before?.from ?? part.from,
      frames: (before?.frames ?? 0) + part.frames,
      parts: [...(before?.parts ?? []), part],
      isComplete: part.endsSegment,
      discontinuity: part.discontinuity,
    });
    this.#bytes += sizeOf(part);
    if (this.#kind === 'ongoing') this.#forget();
  }

  /** The segment of this number, undefined when it is not there yet or any more. */
  named(number: number): Segment | undefined {
    return this.#kept[number - (this.#kept[0]?.number ?? 0)];
  }

  /** What manifests list. */
  get listed(): readonly Segment[] {
    return this.#kind === 'job' ? this.#kept : this.#newestOf(LISTED_FRAMES);
  }

  /** Discontinuities before the first segment that is listed (`EXT-X-DISCONTINUITY-SEQUENCE`). */
  get discontinuitySequence(): number {
    const unlisted = this.#kept.slice(0, this.#kept.length - this.listed.length);
    return this.#passed + unlisted.filter(({ discontinuity }) => discontinuity).length;
  }

  /** The fewest newest segments that are this long together. */
  #newestOf(frames: number): Segment[] {
    let first = this.#kept.length;
    for (let left = frames; first > 0 && left > 0; first--) left -= this.#kept[first - 1]!.frames;
    return this.#kept.slice(first);
  }

  #forget(): void {
    const keep = this.#newestOf(2 * LISTED_FRAMES).length;
    while (this.#kept.length > keep || (this.isFull && this.#kept.length > FEWEST_KEPT)) {
      const gone = this.#kept.shift()!;
      this.#bytes -= sizeOfAll(gone);
      if (gone.discontinuity) this.#passed += 1;
    }
  }
}

export interface ManifestView {
  readonly spec: StreamSpec;
  /** RFC 6381. */
  readonly codec: string;
  /** When frame 0 was due, milliseconds since 1970. */
  readonly origin: number;
  /** Oldest first; the last may be open. */
  readonly segments: readonly Segment[];
  readonly discontinuitySequence: number;
  /** Nothing comes behind the newest segment. */
  readonly hasAll: boolean;
  /** And clients may know it. */
  readonly hasEnded: boolean;
  /** What every address inside ends with: `?` and the signature. */
  readonly query: string;
}

export const secondsOf = (frames: number): number => frames / FRAMES_PER_SECOND;

/** Whole seconds that no segment exceeds when rounded (`EXT-X-TARGETDURATION`). */
export const targetDuration = (spec: StreamSpec): number =>
  Math.max(1, Math.round(secondsOf(segmentFrames(spec))));

/** When this frame of the timeline is shown, ISO 8601. */
export const dateTime = ({ origin }: ManifestView, frame: number): string =>
  new Date(origin + secondsOf(frame) * 1000).toISOString();

/** Least rate that is announced for a size of picture, bits a second: drawings at rest would give less than a text needs. */
const rateOfPixels = ({ style: { width, height } }: StreamSpec): number => width * height * 3;

/** Bits a second that no listed segment exceeds. */
export function peakRate({ spec, segments }: ManifestView): number {
  const rates = segments.map(({ parts, frames }) => {
    const bytes = parts.reduce((sum, part) => sum + Math.max(part.bytes.length, part.ts?.length ?? 0), 0);
    return (bytes * 8) / secondsOf(frames);
  });
  return Math.ceil(Math.max(rateOfPixels(spec), spec.bitsPerSecond ?? 0, ...rates));
}
