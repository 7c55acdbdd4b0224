// The server's side of one stream: the reports of its encoder, and the requests that wait for more media.
// - A waiting request is answered by the first report that fulfils it. It stops waiting when its client goes away, when the stream
//   ends, or after its time limit. At most 256 requests wait for one stream.
import type { SandboxClock } from '../clock.ts';
import { type ManifestView, SegmentWindow } from './segment-window.ts';
import type { StreamReport, StreamSpec } from './stream-spec.ts';

const MOST_WAITING = 256;

interface Start {
  readonly init: Uint8Array<ArrayBuffer>;
  readonly codec: string;
  readonly origin: number;
}

export class GrowingStream {
  readonly spec: StreamSpec;
  readonly segments: SegmentWindow;
  /** Resolves when no more media will follow. */
  readonly ended: Promise<void>;
  /** Milliseconds by which the stream's dates are ahead of the machine's clock. */
  readonly ahead: number;
  readonly #heldSeconds: number;
  readonly #clock: SandboxClock;
  readonly #waiting = new Set<() => void>();
  #start: Start | null = null;
  #hasAll = false;
  #hasEnded = false;
  #resolveEnded: () => void = () => {};

  /** @param heldSeconds by how much its encoder's reports are delayed */
  constructor(spec: StreamSpec, clock: SandboxClock, ahead = 0, heldSeconds = 0) {
    this.spec = spec;
    this.ahead = ahead;
    this.#heldSeconds = heldSeconds;
    this.segments = new SegmentWindow(spec);
    this.#clock = clock;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get init(): Uint8Array | null {
    return this.#start?.init ?? null;
  }

  /** Handles a report of the encoder; reports after the end are ignored. */
  hear(report: StreamReport): void {
    if (this.#hasEnded) return;
    if (report.kind === 'opened') this.#start = { ...report, origin: report.origin + this.ahead };
    if (report.kind === 'part') {
      this.segments.add(report.part);
      this.#hasAll = report.isLast;
    }
    if (report.kind === 'ended') {
      this.#resolveEnded();
      this.#hasEnded = true;
    }
    this.#wake();
  }

  #wake(): void {
    for (const check of this.#waiting) check();
  }

  /** The data for the manifests; null before the encoder has opened the stream. */
  view(query: string): ManifestView | null {
    const { spec } = this;
    if (!this.#start) return null;
    const { codec, origin } = this.#start;
    const { listed: segments, discontinuitySequence } = this.segments;
    const [hasAll, hasEnded] = [this.#hasAll, this.#hasEnded];
    const heldSeconds = this.#heldSeconds;
    return { spec, codec, origin, heldSeconds, segments, discontinuitySequence, hasAll, hasEnded, query };
  }

  /**
   * Waits until `isThere` is true or the stream has ended; returns at once when that is already so.
   * @param seconds longest wait
   * @returns false after the time limit, with too many waiting requests, or when the client has gone
   */
  until(isThere: () => boolean, seconds: number, gone: AbortSignal): Promise<boolean> {
    const isOver = (): boolean => this.#hasEnded || isThere();
    if (isOver()) return Promise.resolve(true);
    if (gone.aborted || this.#waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (answer: boolean): void => {
        this.#waiting.delete(check);
        gone.removeEventListener('abort', giveUp);
        cancel();
        resolve(answer);
      };
      const check = (): void => {
        if (isOver()) leave(true);
      };
      const giveUp = (): void => leave(false);
      const cancel = this.#clock.after(seconds * 1000, giveUp);
      gone.addEventListener('abort', giveUp);
      this.#waiting.add(check);
    });
  }
}
