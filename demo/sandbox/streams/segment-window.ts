// The segments of one stream that are still served, oldest first, and the data of its manifests.
// - A job keeps and lists all its segments. An ongoing stream lists the newest 45 s (document 2, Picture-in-picture output
//   properties) and keeps twice that, because a client may request a listed segment for the duration of the playlist (RFC 8216bis,
//   6.2.2).
// - At most 64 MB are kept, but always the newest four segments. A job that exceeds this size must end; `isFull` is then true.
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
  /** True when it does not begin where the segment before it ended. */
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

  /** True when a job exceeds the size limit of a stream. */
  get isFull(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  /** The newest segment, complete or not. */
  get newest(): Segment | undefined {
    return this.#kept.at(-1);
  }

  /** Adds the next part. It belongs to the newest segment while that segment is open. */
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

  /** The segment with this number; undefined before it exists and after it was removed. */
  named(number: number): Segment | undefined {
    return this.#kept[number - (this.#kept[0]?.number ?? 0)];
  }

  /** The segments that manifests list. */
  get listed(): readonly Segment[] {
    return this.#kind === 'job' ? this.#kept : this.#newestOf(LISTED_FRAMES);
  }

  /** Discontinuities before the first segment that is listed (`EXT-X-DISCONTINUITY-SEQUENCE`). */
  get discontinuitySequence(): number {
    const unlisted = this.#kept.slice(0, this.#kept.length - this.listed.length);
    return this.#passed + unlisted.filter(({ discontinuity }) => discontinuity).length;
  }

  /** The newest segments that together have at least this length, and no more of them. */
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
  /** Seconds by which a frame enters a manifest late, in addition to the delay of the encoder. */
  readonly heldSeconds: number;
  /** Oldest first; the last may be open. */
  readonly segments: readonly Segment[];
  readonly discontinuitySequence: number;
  /** True when no segment will follow the newest one. */
  readonly hasAll: boolean;
  /** True when manifests may say so. */
  readonly hasEnded: boolean;
  /** The end of every address inside: `?` and the signature. */
  readonly query: string;
}

export const secondsOf = (frames: number): number => frames / FRAMES_PER_SECOND;

/** Whole seconds that no segment exceeds when rounded (`EXT-X-TARGETDURATION`). */
export const targetDuration = (spec: StreamSpec): number =>
  Math.max(1, Math.round(secondsOf(segmentFrames(spec))));

/** When this frame of the timeline is shown, ISO 8601. */
export const dateTime = ({ origin }: ManifestView, frame: number): string =>
  new Date(origin + secondsOf(frame) * 1000).toISOString();

/** The lowest announced bit rate for a picture size: a signer at rest has a lower rate than a text. */
const rateOfPixels = ({ style: { width, height } }: StreamSpec): number => width * height * 3;

/** Bits a second that no listed segment exceeds. */
export function peakRate({ spec, segments }: ManifestView): number {
  const rates = segments.map(({ parts, frames }) => {
    const bytes = parts.reduce((sum, part) => sum + Math.max(part.bytes.length, part.ts?.length ?? 0), 0);
    return (bytes * 8) / secondsOf(frames);
  });
  return Math.ceil(Math.max(rateOfPixels(spec), spec.bitsPerSecond ?? 0, ...rates));
}
