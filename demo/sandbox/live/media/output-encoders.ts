// The streams that a session encodes: the signer alone from the start, and the composite from the source's first picture on.
// - Both have frames at the same times, and a sentence begins in both with the same frame, so that they are in step.
// - 25 frames a second, segments of 1 s, parts of 0.2 s, low latency.
// - The composite shows the source's picture of each frame's own time.
// - When an encoder fails, nothing more is painted.
import type { Frame } from 'node-av/lib';
import { now } from '../../clock.ts';
import type { FrameSize } from '../../media/media-spec.ts';
import { VideoEncoder } from '../../media/video-encoder.ts';
import type { SignerName } from '../../painter/figure.ts';
import { ownBackplate } from '../../painter/render-style.ts';
import { ScenePainter } from '../../painter/scene-painter.ts';
import type { Script } from '../../painter/script.ts';
import { secondsOf } from '../../streams/segment-window.ts';
import { StreamEncoder, type FrameEncoder, type StreamTools } from '../../streams/stream-encoder.ts';
import { PART_FRAMES, segmentFrames, type StreamReport, type StreamSpec } from '../../streams/stream-spec.ts';
import { CompositePainter } from './composite-painter.ts';
import type { StreamName } from './live-messages.ts';

/** Bits a second for each pixel of the composite (3 Mb/s at 720p), and the fewest for all of it. */
const BITS_OF_PIXEL = 3.25;
const FEWEST_BITS = 500_000;
const FRAME_MS = secondsOf(1) * 1000;
const PART_MS = PART_FRAMES * FRAME_MS;
/** A stream that is this late jumps (FrameSchedule). */
const LATE_MS = 1000;

/** What the composite shows beside the signer. */
interface Backdrop {
  /** What the source shows at this time, milliseconds since 1970. */
  at(time: number): Frame | null;
  readonly note: string;
}

interface OutputEncodersDeps {
  readonly signer: SignerName;
  /** Size of the stream of the signer alone. */
  readonly size: FrameSize;
  /** Whether frames have the stamp. */
  readonly stamp: boolean;
  readonly begun: (stream: StreamName, spec: StreamSpec) => void;
  readonly report: (stream: StreamName, report: StreamReport) => void;
  /** Called before frames are painted, with the time of the first of them. */
  readonly before: (time: number) => void;
  readonly failed: (error: unknown) => void;
  /** Wraps the signer's encoder, for a caller that needs its samples too. */
  readonly tap?: (encoder: FrameEncoder) => FrameEncoder;
}

function specOf(signer: SignerName, size: FrameSize, bitsPerSecond: number | null): StreamSpec {
  return {
    style: { ...ownBackplate(signer, size), wordPanel: false },
    codec: 'h264',
    bitsPerSecond,
    segmentSeconds: 1,
    segmentType: 'fmp4',
    lowLatency: true,
    kind: 'ongoing',
  };
}

function openEncoder(spec: StreamSpec): FrameEncoder {
  const { width, height } = spec.style;
  return new VideoEncoder({
    width,
    height,
    keyEvery: segmentFrames(spec),
    bitsPerSecond: spec.bitsPerSecond,
  });
}

export class OutputEncoders {
  readonly #deps: OutputEncodersDeps;
  /** The signer's encoder is the first. */
  readonly #encoders: StreamEncoder[] = [];
  #composite: CompositePainter | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** Begins with the signer alone. */
  constructor(deps: OutputEncodersDeps) {
    this.#deps = deps;
    const spec = specOf(deps.signer, deps.size, null);
    const painter = new ScenePainter(spec.style, { stamp: deps.stamp });
    this.#open('signer', spec, now(), {
      openEncoder: () => (deps.tap ?? ((encoder) => encoder))(openEncoder(spec)),
      paint: (picture, script, frame) => painter.paint(picture, script, frame),
    });
  }

  /** @param size both even */
  openComposite(size: FrameSize, backdrop: Backdrop): void {
    const bits = Math.max(FEWEST_BITS, Math.round(size.width * size.height * BITS_OF_PIXEL));
    const spec = specOf(this.#deps.signer, size, bits);
    const painter = new CompositePainter(this.#deps.signer, size, this.#deps.stamp);
    this.#composite = painter;
    let origin = 0;
    this.#open(
      'composite',
      spec,
      // The composite begins with the signer's next frame, even when that is late, so that both have the same frames from then on.
      this.#encoders[0]?.nextAt ?? now(),
      {
        openEncoder: () => openEncoder(spec),
        paint: (picture, script, frame, at) =>
          painter.paint(picture, backdrop.at(origin + at * FRAME_MS), script, frame, backdrop.note),
      },
      (begun) => (origin = begun),
    );
  }

  /** Signs a text after the earlier ones, in all streams. */
  sign(script: Script): void {
    // All streams get the same time, because each first paints the frames that are due, and this takes a while after a stall.
    const at = now();
    for (const encoder of this.#encoders) encoder.sign(script, at);
  }

  /** Ends all streams with the next frame. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#attempt(() => {
      for (const encoder of this.#encoders) {
        encoder.stop();
        while (!encoder.hasEnded) encoder.advance(encoder.nextDue ?? now());
      }
    });
    this.#composite?.close();
  }

  #open(
    name: StreamName,
    spec: StreamSpec,
    begin: number,
    tools: StreamTools,
    opened: (origin: number) => void = () => {},
  ): void {
    this.#deps.begun(name, spec);
    this.#attempt(() => {
      const encoder = new StreamEncoder(spec, begin, tools, (report) => {
        if (report.kind === 'opened') opened(report.origin);
        this.#deps.report(name, report);
      });
      this.#encoders.push(encoder);
      // The opening frames are painted at once, because a stream does not jump within them and the other stream might jump
      // meanwhile.
      encoder.advance(begin);
    });
    this.#wait();
  }

  #tick(due: number): void {
    // Streams advance by one part at a time, so that a sentence begins with the part in which it is due. A stream that is too late
    // jumps to now.
    const until = now() - due > LATE_MS ? now() : due;
    this.#deps.before(until - PART_MS + FRAME_MS);
    this.#attempt(() => {
      for (const encoder of this.#encoders) encoder.advance(until);
    });
    this.#wait();
  }

  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      for (const encoder of this.#encoders.splice(0)) encoder.close();
      this.#deps.failed(error);
    }
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const due = Math.min(...this.#encoders.flatMap(({ nextDue }) => nextDue ?? []));
    if (due < Infinity) this.#timer = setTimeout(() => this.#tick(due), Math.max(0, due - now()));
  }
}
