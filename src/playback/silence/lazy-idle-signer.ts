// The idle signer of a playlist. Its code is loaded when it may first appear: after the first clip.
// - When its code does not load, the last frame stays, and the next pause tries again.
import { loadCode } from '../../internal/load-code.ts';
import type { IdleLoop, IdleSigner } from './idle-signer.ts';

export class LazyIdleSigner {
  readonly #box: Element;
  readonly #ending = new AbortController();
  #signer: IdleSigner | null = null;
  #loading: Promise<void> | null = null;
  /** What it shows once its code is loaded; null while it must not appear. */
  #wanted: IdleLoop | null = null;

  constructor(box: Element) {
    this.#box = box;
  }

  /** True while it is on screen. */
  get visible(): boolean {
    return this.#signer?.visible ?? false;
  }

  show(idle: IdleLoop): void {
    this.#wanted = idle;
    if (this.#signer) this.#signer.show(idle);
    else this.#load();
  }

  hide(): void {
    this.#wanted = null;
    this.#signer?.hide();
  }

  /** Hides it at a rest point and then calls back; to be called only while it is `visible`. */
  hideAtRest(left: () => void): void {
    this.#signer?.hideAtRest(left);
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
        this.#signer = new IdleSigner(this.#box);
        if (this.#wanted) this.#signer.show(this.#wanted);
      })
      .catch(() => {})
      .finally(() => (this.#loading = null));
  }
}
