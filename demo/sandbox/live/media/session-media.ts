// One live session inside its process: the source, what is signed of it, the streams, and the push. Policy: it runs until the
// source ends, something fails, or it is stopped; the first of these decides, and whatever else was under way ends with the
// process. Its addresses are told once somebody is there to push to. A problem is told in words of ours: FFmpeg's may have
// addresses and keys in them.
import type { FrameSize } from '../../media/media-spec.ts';
import type { RenderOptions } from '../../painter/render-options.ts';
import { signerStyles, type SignerName } from '../../painter/figure.ts';
import { followCaptions } from './captions.ts';
import { even } from './chroma-grid.ts';
import type { LiveOrder } from './media-order.ts';
import type { LiveNews } from './live-messages.ts';
import { LiveScreens } from './live-screens.ts';
import { LiveSource } from './live-source.ts';
import { PushOut } from './push-out.ts';
import { Sentences } from './sentences.ts';
import { sourceAddress } from './source-address.ts';
import { LiveProblem } from './live-problem.ts';

/** Largest composite; a larger source is scaled down. */
const LARGEST: FrameSize = { width: 1920, height: 1080 };

const isSigner = (name: string): name is SignerName => Object.hasOwn(signerStyles, name);

/** The composite's size for a source of this one: its own, or the largest of its shape that may be. */
export function compositeSize({ width, height }: FrameSize): FrameSize {
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height);
  return { width: even(width * scale), height: even(height * scale) };
}

export class SessionMedia {
  readonly #order: LiveOrder;
  readonly #render: RenderOptions;
  readonly #patienceMs: number;
  readonly #tell: (news: LiveNews) => void;
  readonly #sentences: Sentences;
  readonly #over: Promise<string | null>;
  #finish: (problem: string | null) => void = () => {};
  #screens: LiveScreens | null = null;
  #push: PushOut | null = null;
  #hasComposite = false;

  constructor(order: LiveOrder, render: RenderOptions, patienceMs: number, tell: (news: LiveNews) => void) {
    this.#order = order;
    this.#render = render;
    this.#sentences = new Sentences(render.framesPerWord);
    this.#patienceMs = patienceMs;
    this.#tell = tell;
    this.#over = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Resolves when it is over, with what went wrong or null. */
  async run(): Promise<string | null> {
    this.#begin().catch((error: unknown) => this.#fail(error));
    const problem = await this.#over;
    this.#screens?.stop();
    await this.#push?.close();
    return problem;
  }

  /** Ends it; `run` resolves then. */
  stop(): void {
    this.#finish(null);
  }

  async #begin(): Promise<void> {
    const { source: input, output, signer } = this.#order;
    if (!isSigner(signer)) throw new LiveProblem('no such signer');
    const address = await sourceAddress(input);
    const source = new LiveSource({
      address,
      patienceMs: this.#patienceMs,
      came: (picture) => this.#came(picture, source),
      left: () => this.#tell({ kind: 'pending' }),
      jumped: (first) => this.#sentences.restart(first),
    });
    const fail = (error: unknown): void => this.#fail(error);
    if (output.kind !== 'hls') this.#push = new PushOut(output, this.#patienceMs, fail);
    const push = this.#push;
    const isServed = output.kind === 'hls';
    this.#screens = new LiveScreens({
      signer,
      stamp: this.#render.stamp,
      begun: (stream, spec) => isServed && this.#tell({ kind: 'begun', stream, spec }),
      report: (stream, report) => isServed && this.#tell({ kind: 'stream', stream, report }),
      before: (wall) => this.#signWhatIsDue(source, wall),
      failed: fail,
      ...(push && { tap: (coder) => push.tap(coder) }),
    });
    if (input.kind === 'hls') void followCaptions(input.url, this.#sentences);
    const running = source.run();
    // It fails of a port that cannot be had as well.
    running.catch(() => {});
    await source.listening;
    this.#tell({ kind: 'ready', ingestUrl: address.ingestUrl });
    this.#finish(await running);
  }

  #came(picture: FrameSize, source: LiveSource): void {
    this.#tell({ kind: 'running' });
    const { pictureInPicture, output } = this.#order;
    if (!pictureInPicture || output.kind !== 'hls' || this.#hasComposite) return;
    this.#hasComposite = true;
    const sentences = this.#sentences;
    this.#screens?.openComposite(compositeSize(picture), {
      at: (wall) => source.pictures.at(wall)?.content ?? null,
      get note() {
        return sentences.note;
      },
    });
  }

  #signWhatIsDue(source: LiveSource, wall: number): void {
    const shown = source.pictures.at(wall);
    if (!shown || shown.due > wall) return;
    for (const script of this.#sentences.due(shown)) this.#screens?.sign(script);
  }

  #fail(error: unknown): void {
    this.#finish(error instanceof LiveProblem ? error.message : 'the media could not be made');
  }
}
