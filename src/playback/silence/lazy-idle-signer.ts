// The idle signer of a playlist, whose code is loaded when it may first come: after the first clip.
// - Where its code does not load, the last frame stays, and the next pause tries again.
import { loadCode } from '../../internal/load-code.ts';
import type { IdleLoop, IdleSigner } from './idle-signer.ts';

export class LazyIdleSigner {
  readonly #stage: Element;
  readonly #ending = new AbortController();
  #signer: IdleSigner | null = null;
  #loading: Promise<void> | null = null;
  /** What it shows when it comes; null while it may not. */
  #wanted: IdleLoop | null = null;

  constructor(stage: Element) {
    this.#stage = stage;
  }

  /** True while it is in front. */
  get on(): boolean {
    return this.#signer?.on ?? false;
  }

  come(idle: IdleLoop): void {
    this.#wanted = idle;
    if (this.#signer) this.#signer.come(idle);
    else this.#load();
  }

  leave(): void {
    this.#wanted = null;
    this.#signer?.leave();
  }

  /** Calls back when it has left at a rest point; to be called only while it is `on`. */
  atRest(left: () => void): void {
    this.#signer?.atRest(left);
  }

  dismiss(): void {
    this.#signer?.dismiss();
  }

  destroy(): void {
    this.#ending.abort();
    this.#signer?.destroy();
  }

  #load(): void {
    const { signal } = this.#ending;
    this.#loading ??= loadCode(() => import('./idle-signer.ts'), { signal })
      .then(({ IdleSigner }) => {
        if (signal.aborted) return;
        this.#signer = new IdleSigner(this.#stage);
        if (this.#wanted) this.#signer.come(this.#wanted);
      })
      .catch(() => {})
      .finally(() => (this.#loading = null));
  }
}
