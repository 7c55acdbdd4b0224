// What to do when an engine has given up. Policy: it retries by itself and says so once its own tries are spent; only then
// this takes over. An answer of 4xx is final, except 408, 425 and 429: `media_refused`, unless the owner has another
// address by now, because a signed one may have expired. Anything else is tried again after 1, 2, 4 and 8 s, each a quarter
// more or less, so that viewers do not come back all at once; broken media at once; and the moment the network is back,
// from the first try. New media is the only proof that it worked: it gives the tries of a network back, 30 s without
// trouble those of broken media as well, which is fed before it breaks. Then `media_error`.
import { isFinalStatus, ownError, SignError } from '../../protocol/sign-error.ts';
import type { Engine, EngineFault } from './engine.ts';

const PAUSES_MS = [1000, 2000, 4000, 8000];
const CALM_MS = 30_000;

export interface RecoveryOrders {
  readonly engine: Pick<Engine, 'start' | 'repair'>;
  /** Asks the owner for another address; true when it goes on with that, and this stream is to do nothing more. */
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  /** True from a fault until media comes again. */
  recovering?(on: boolean): void;
  /** Told once, when nothing more will be tried. */
  failed(error: SignError): void;
}

export class Recovery {
  readonly #orders: RecoveryOrders;
  readonly #signal: AbortSignal;
  #tries = 0;
  #troubledAt = -Infinity;
  #cause: EngineFault['cause'] = 'network';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRecovering = false;

  /** Works until the signal aborts. */
  constructor(orders: RecoveryOrders, signal: AbortSignal) {
    this.#orders = orders;
    this.#signal = signal;
    const online = (): void => {
      this.#tries = 0;
      if (this.#timer === undefined) return;
      this.#clearTimer();
      orders.engine.start();
    };
    addEventListener('online', online, { signal });
    signal.addEventListener('abort', () => this.#clearTimer(), { once: true });
  }

  /** New media has come. */
  fed(): void {
    this.#tell(false);
    if (this.#cause === 'network' && this.#timer === undefined) this.#tries = 0;
  }

  broken(fault: EngineFault): void {
    if (this.#signal.aborted) return;
    const now = performance.now();
    if (now - this.#troubledAt > CALM_MS) this.#tries = 0;
    this.#troubledAt = now;
    this.#cause = fault.cause;
    this.#tell(true);
    if (isFinalStatus(fault.status)) return void this.#renew(fault);
    const pause = PAUSES_MS[this.#tries++];
    if (pause === undefined) return this.#orders.failed(ownError('media_error', fault.message));
    if (fault.cause === 'media') return this.#orders.engine.repair();
    this.#clearTimer();
    const start = (): void => {
      this.#timer = undefined;
      this.#orders.engine.start();
    };
    this.#timer = setTimeout(start, pause * (0.75 + Math.random() / 2));
  }

  async #renew({ status }: EngineFault): Promise<void> {
    const { renew, failed } = this.#orders;
    const refused = ownError('media_refused', `the media server answered ${status}`);
    try {
      const goesOn = await renew?.(this.#signal);
      if (!goesOn && !this.#signal.aborted) failed(refused);
    } catch (error) {
      if (!this.#signal.aborted) failed(error instanceof SignError ? error : refused);
    }
  }

  #tell(on: boolean): void {
    if (on === this.#isRecovering) return;
    this.#isRecovering = on;
    this.#orders.recovering?.(on);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
