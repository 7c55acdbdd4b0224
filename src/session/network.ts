// Follows whether the platform reports that it is offline.
// - When a connection that was begun while the platform reports "offline" succeeds (a proxy on the same machine), the platform
//   counts as online. A connection that was begun before proves nothing: its answer may have been on its way.
// - Without the two events (Node) a platform is never offline.

/** The members of a window or a worker that are used: two events, and `navigator.onLine` where it exists. */
export interface NetworkLike {
  addEventListener(type: 'online' | 'offline', listener: () => void): void;
  removeEventListener(type: 'online' | 'offline', listener: () => void): void;
  readonly navigator?: { readonly onLine?: boolean } | undefined;
}

/** The platform's own, undefined where it has none (Node). */
export const systemNetwork = (): NetworkLike | undefined =>
  'addEventListener' in globalThis ? (globalThis as NetworkLike) : undefined;

export class NetworkStatus {
  /** A proxy has answered before, so that another answer at its address may be temporary. */
  wasReached = false;
  /** No proxy answered the last attempt. */
  isAway = false;
  #offline = false;
  readonly #network: NetworkLike | undefined;
  readonly #changed: () => void;
  #isListening = false;

  /** `changed` is called at each `online` and `offline` event between start() and stop(). */
  constructor(network: NetworkLike | undefined, changed: () => void) {
    this.#network = network;
    this.#changed = changed;
  }

  get offline(): boolean {
    return this.#offline;
  }

  start(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#offline = this.#network?.navigator?.onLine === false;
    this.#network?.addEventListener('online', this.#onOnline);
    this.#network?.addEventListener('offline', this.#onOffline);
  }

  stop(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#network?.removeEventListener('online', this.#onOnline);
    this.#network?.removeEventListener('offline', this.#onOffline);
  }

  /** A request that was begun while the platform reported "offline" has reached the proxy: it is not offline, whatever it says. */
  reached(): void {
    this.#offline = false;
  }

  readonly #onOnline = (): void => {
    this.#offline = false;
    this.#changed();
  };

  readonly #onOffline = (): void => {
    this.#offline = true;
    this.#changed();
  };
}
