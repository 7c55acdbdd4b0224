// One live session inside its process: the source, the sentences, the streams and the push.
// - It runs until the source ends, something fails or it is stopped; the first of these decides.
// - Everything else that is under way ends with the process.
// - The addresses are reported once the port to push to is bound.
// - Problems are described in the sandbox's own words: FFmpeg's may contain addresses and keys.
import { frameSizes, type FrameSize } from '../../media/media-spec.ts';
import { paintedSize, type RenderOptions } from '../../painter/render-options.ts';
import { followCaptions } from './captions.ts';
import { even } from './fitted-picture.ts';
import { type LiveSpec, type LiveNews, LiveProblem } from './live-messages.ts';
import { OutputEncoders } from './output-encoders.ts';
import { LiveSource } from './live-source.ts';
import { PushOut } from './push-out.ts';
import { Sentences } from './sentences.ts';
import { sourceAddress } from './source-address.ts';

/** Largest composite; a larger source is scaled down. */
const LARGEST: FrameSize = { width: 1920, height: 1080 };

/** The composite's size for a source of this size: the same, or the largest of its shape within LARGEST. */
export function compositeSize({ width, height }: FrameSize): FrameSize {
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height);
  return { width: even(width * scale), height: even(height * scale) };
}

export class SessionMedia {
  readonly #spec: LiveSpec;
  readonly #render: RenderOptions;
  readonly #maxAwayMs: number;
  readonly #tell: (news: LiveNews) => void;
  readonly #sentences: Sentences;
  readonly #over: Promise<string | null>;
  #finish: (problem: string | null) => void = () => {};
  #encoders: OutputEncoders | null = null;
  #push: PushOut | null = null;
  #hasComposite = false;

  constructor(spec: LiveSpec, render: RenderOptions, maxAwayMs: number, tell: (news: LiveNews) => void) {
    this.#spec = spec;
    this.#render = render;
    this.#sentences = new Sentences(render.framesPerWord);
    this.#maxAwayMs = maxAwayMs;
    this.#tell = tell;
    this.#over = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Resolves when the session is over, with what went wrong or null. */
  async run(): Promise<string | null> {
    this.#begin().catch((error: unknown) => this.#fail(error));
    const problem = await this.#over;
    this.#encoders?.stop();
    await this.#push?.close();
    return problem;
  }

  /** Ends it; `run` resolves then. */
  stop(): void {
    this.#finish(null);
  }

  async #begin(): Promise<void> {
    const { source: input, output, signer } = this.#spec;
    const address = await sourceAddress(input);
    const source = new LiveSource({
      address,
      maxAwayMs: this.#maxAwayMs,
      arrived: (picture) => this.#arrived(picture, source),
      left: () => this.#tell({ kind: 'pending' }),
      jumped: (first) => this.#sentences.restart(first),
    });
    const fail = (error: unknown): void => this.#fail(error);
    const size = paintedSize(frameSizes['720p'], this.#render);
    if (output.kind !== 'hls') this.#push = new PushOut(output, size, this.#maxAwayMs, fail);
    const push = this.#push;
    const isServed = output.kind === 'hls';
    this.#encoders = new OutputEncoders({
      signer,
      size,
      stamp: this.#render.stamp,
      begun: (stream, spec) => isServed && this.#tell({ kind: 'begun', stream, spec }),
      report: (stream, report) => isServed && this.#tell({ kind: 'stream', stream, report }),
      before: (time) => this.#signWhatIsDue(source, time),
      failed: fail,
      ...(push && { tap: (encoder) => push.tap(encoder) }),
    });
    if (input.kind === 'hls') void followCaptions(input.url, this.#sentences);
    const running = source.run();
    // `listening` rejects with the same error, and is awaited first.
    running.catch(() => {});
    await source.listening;
    this.#tell({ kind: 'ready', ingestUrl: address.ingestUrl });
    this.#finish(await running);
  }

  #arrived(picture: FrameSize, source: LiveSource): void {
    this.#tell({ kind: 'running' });
    if (!this.#spec.pictureInPicture || this.#hasComposite) return;
    this.#hasComposite = true;
    const sentences = this.#sentences;
    this.#encoders?.openComposite(compositeSize(picture), {
      at: (time) => source.pictures.at(time)?.content ?? null,
      get note() {
        return sentences.note;
      },
    });
  }

  #signWhatIsDue(source: LiveSource, time: number): void {
    const shown = source.pictures.at(time);
    if (!shown || shown.due > time) return;
    for (const script of this.#sentences.due(shown)) this.#encoders?.sign(script);
  }

  #fail(error: unknown): void {
    this.#finish(error instanceof LiveProblem ? error.message : 'the media could not be made');
  }
}
