// A StreamEncoder with a manual clock; frames are not encoded but recorded, one sample a frame.
import { type Script, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { StreamEncoder, type FrameEncoder } from '../../../demo/sandbox/streams/stream-encoder.ts';
import type { Part, StreamReport, StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import { blankPicture } from '../../../demo/sandbox/painter/picture.ts';
import { ORIGIN } from './stream-parts.ts';

/** One frame that was painted: the text, empty for the signer at rest, and the frame's number in its script. */
type Painted = readonly [text: string, frame: number];

const description = { codec: 'avc1.42c00d', description: Uint8Array.from([1, 66, 192, 13, 255, 224, 0]) };

export class EncodingHarness {
  readonly painted: Painted[] = [];
  readonly reports: StreamReport[] = [];
  readonly encoder: StreamEncoder;
  /** Encoders that are open. */
  open = 0;
  now = ORIGIN;

  constructor(spec: StreamSpec) {
    const paint = (_picture: unknown, script: Script, frame: number): void => {
      this.painted.push([script.text, frame]);
    };
    const tools = { openEncoder: () => this.#openEncoder(), paint };
    this.encoder = new StreamEncoder(spec, this.now, tools, (report) => this.reports.push(report));
  }

  get parts(): Part[] {
    return this.reports.flatMap((report) => (report.kind === 'part' ? report.part : []));
  }

  /** The kinds of all reports that are not parts, in order. */
  get news(): string[] {
    return this.reports.flatMap(({ kind }) => (kind === 'part' ? [] : kind));
  }

  sign(text: string): this {
    this.encoder.sign(scriptOf(text, null), this.now);
    return this;
  }

  /** Advances the time by this many frames, one at a time. */
  run(frames: number): this {
    for (let i = 0; i < frames; i++) this.encoder.advance((this.now += 40));
    return this;
  }

  /** Advances the time without running anything, as when the machine sleeps. */
  sleep(ms: number): this {
    this.now += ms;
    return this;
  }

  #openEncoder(): FrameEncoder {
    this.open += 1;
    let first = true;
    return {
      description,
      encode: (paint) => {
        paint(blankPicture(16, 16));
        const key = first;
        first = false;
        return [{ data: Uint8Array.of(this.painted.length), key, shown: this.painted.length - 1 }];
      },
      flush: () => [],
      close: () => (this.open -= 1),
    };
  }
}
