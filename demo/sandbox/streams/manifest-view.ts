// What a manifest is written from, and what HLS and DASH say alike of it.
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import type { Segment } from './segment-window.ts';
import { segmentFrames, type StreamSpec } from './stream-spec.ts';

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
  /** And that is told. */
  readonly hasEnded: boolean;
  /** What every address inside ends with: `?` and the signature. */
  readonly query: string;
}

export const secondsOf = (frames: number): number => frames / FRAMES_PER_SECOND;

/** Whole seconds that no segment exceeds when rounded (`EXT-X-TARGETDURATION`). */
export const targetDuration = (spec: StreamSpec): number =>
  Math.max(1, Math.round(secondsOf(segmentFrames(spec))));

/** When this frame of the timeline is shown by the wall's clock, ISO 8601. */
export const wallTime = ({ origin }: ManifestView, frame: number): string =>
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
