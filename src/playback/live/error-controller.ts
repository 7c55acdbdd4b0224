// Decides what happens after an engine has used up its own retries.
// - 4xx is final (`media_refused`), except 408, 425 and 429, or when the owner has another address: a signed one may expire.
// - Other network errors are retried after 1, 2, 4 and 8 s (each 25 % more or less, so that viewers do not all come back at
//   once), and at once on `online`. A media error is repaired at once. After four tries: `media_error`.
// - New media resets the count after a network error. 30 s without an error reset it after a media error too, because
//   buffering proves nothing there.
import { isFinalStatus, ownError, SignError } from '../../protocol/sign-error.ts';
import type { Engine, EngineError } from './engine.ts';

const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000];
const RESET_MS = 30_000;

export interface ErrorControllerOptions {
  readonly engine: Pick<Engine, 'start' | 'repair'>;
  /** Asks the owner for another address; true when the owner plays that one instead, and this stream does nothing more. */
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  /** True from an error until new media is buffered. */
  recovering?(on: boolean): void;
  /** Called once, when nothing more is tried. */
  failed(error: SignError): void;
}

/** Decides what follows after an engine has failed: wait and retry, rebuild, look up a new address, or give up. */
export class ErrorController {
  readonly #options: ErrorControllerOptions;
  readonly #signal: AbortSignal;
  #tries = 0;
  #lastErrorAt = -Infinity;
  #cause: EngineError['cause'] = 'network';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRecovering = false;

  /** Runs until the signal aborts. */
  constructor(options: ErrorControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const onOnline = (): void => {
      this.#tries = 0;
      if (this.#timer === undefined) return;
      this.#clearTimer();
      options.engine.start();
    };
    addEventListener('online', onOnline, { signal });
    signal.addEventListener('abort', () => this.#clearTimer(), { once: true });
  }

  /** New media was buffered. */
  mediaBuffered(): void {
    this.#setRecovering(false);
    if (this.#cause === 'network' && this.#timer === undefined) this.#tries = 0;
  }

  engineFailed(error: EngineError): void {
    if (this.#signal.aborted) return;
    const now = performance.now();
    if (now - this.#lastErrorAt > RESET_MS) this.#tries = 0;
    this.#lastErrorAt = now;
    this.#cause = error.cause;
    this.#setRecovering(true);
    if (isFinalStatus(error.status)) return void this.#renew(error);
    const delay = RETRY_DELAYS_MS[this.#tries++];
    if (delay === undefined) return this.#options.failed(ownError('media_error', error.message));
    if (error.cause === 'media') return this.#options.engine.repair();
    this.#clearTimer();
    const start = (): void => {
      this.#timer = undefined;
      this.#options.engine.start();
    };
    this.#timer = setTimeout(start, delay * (0.75 + Math.random() / 2));
  }

  async #renew({ status }: EngineError): Promise<void> {
    const { renew, failed } = this.#options;
    const refused = ownError('media_refused', `the media server answered ${status}`);
    try {
      const isRenewed = await renew?.(this.#signal);
      if (!isRenewed && !this.#signal.aborted) failed(refused);
    } catch (error) {
      if (!this.#signal.aborted) failed(error instanceof SignError ? error : refused);
    }
  }

  #setRecovering(on: boolean): void {
    if (on === this.#isRecovering) return;
    this.#isRecovering = on;
    this.#options.recovering?.(on);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
