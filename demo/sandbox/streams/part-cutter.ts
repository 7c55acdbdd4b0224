// Cuts a stream of coded frames into parts and segments.
// - All segments have the same number of frames, except one that is closed early.
// - A part has 5 frames, the last part of a segment has the rest; a stream without parts has one part for each segment.
import type { Sample } from '../media/video-encoder.ts';
import { hasParts, PART_FRAMES, segmentFrames, type StreamSpec } from './stream-spec.ts';

/** A part before it is written as bytes. */
export interface CutPart {
  readonly segment: number;
  readonly from: number;
  readonly samples: readonly Sample[];
  readonly endsSegment: boolean;
  readonly discontinuity: boolean;
}

export class PartCutter {
  readonly #segmentFrames: number;
  readonly #partFrames: number;
  #segment = 0;
  #inSegment = 0;
  #from = 0;
  #samples: Sample[] = [];
  /** Place of the frame that would follow without a gap. */
  #next: number | null = null;
  #discontinuity = false;

  constructor(spec: StreamSpec) {
    this.#segmentFrames = segmentFrames(spec);
    this.#partFrames = hasParts(spec) ? PART_FRAMES : this.#segmentFrames;
  }

  /** Frames until the part is complete. */
  get left(): number {
    return Math.min(this.#partFrames - this.#samples.length, this.#segmentFrames - this.#inSegment);
  }

  /**
   * @param at the frame's place on the timeline
   * @param closes true to end the segment with this frame
   * @returns the part that is complete with this frame
   */
  add(sample: Sample, at: number, closes: boolean): CutPart | null {
    if (this.#inSegment === 0) this.#discontinuity = this.#next !== null && this.#next !== at;
    if (this.#samples.length === 0) this.#from = at;
    this.#next = at + 1;
    this.#samples.push(sample);
    this.#inSegment += 1;
    const endsSegment = closes || this.#inSegment === this.#segmentFrames;
    if (!endsSegment && this.#samples.length < this.#partFrames) return null;
    const part = {
      segment: this.#segment,
      from: this.#from,
      samples: this.#samples,
      endsSegment,
      discontinuity: this.#discontinuity,
    };
    this.#samples = [];
    if (endsSegment) {
      this.#segment += 1;
      this.#inSegment = 0;
    }
    return part;
  }
}
