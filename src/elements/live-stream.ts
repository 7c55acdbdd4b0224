// The stream of a live player and its condition, from which live-view.ts derives the state.
// - Events of a stream that was dropped or replaced are ignored.
// - The last frame stays on screen until the next stream has painted one.
import { LivePlayer } from '../playback/live/live-player.ts';
import type { StreamAddresses } from '../playback/live/engine.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { LiveAddresses } from './live-options.ts';

export interface LiveStreamEvents {
  /** Its addresses with current signatures; null when it has none any more. */
  renew(): Promise<StreamAddresses | null>;
  /** Its last frame has been shown. */
  over(): void;
  /** It will not be played any further. */
  lost(error: SignError): void;
  /** `painted`, `recovering` or `over` has changed. */
  changed(): void;
}

export class LiveStream {
  readonly player = new LivePlayer();
  readonly #events: LiveStreamEvents;
  #showing = new AbortController();
  #painted = false;
  #recovering = false;
  #over = false;

  constructor(events: LiveStreamEvents) {
    this.#events = events;
    for (const type of ['play', 'pause']) this.player.addEventListener(type, () => events.changed());
    this.player.addEventListener('playing', () => this.#onPlaying());
  }

  /** A frame is on screen, of this stream or of the one before. */
  get painted(): boolean {
    return this.#painted;
  }
  /** True while its media does not arrive. */
  get recovering(): boolean {
    return this.#recovering;
  }
  /** Its last frame has been shown. */
  get over(): boolean {
    return this.#over;
  }

  show({ addresses, protocol }: LiveAddresses, isRenewable: boolean): void {
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const whileShown = (change: () => void): void => {
      if (signal.aborted) return;
      change();
      this.#events.changed();
    };
    this.player.show({
      addresses,
      protocol,
      ...(isRenewable && { renew: () => this.#events.renew() }),
      painted: () =>
        whileShown(() => {
          this.#painted = true;
          this.#recovering = this.#over = false;
        }),
      recovering: (on) => whileShown(() => (this.#recovering = on)),
      ended: () =>
        whileShown(() => {
          this.#over = true;
          this.#events.over();
        }),
      failed: (error) =>
        whileShown(() => {
          this.#recovering = true;
          this.#events.lost(error);
        }),
    });
  }

  /** A stream that was over plays again. */
  #onPlaying(): void {
    if (!this.#over) return;
    this.#over = false;
    this.#events.changed();
  }

  /** Removes the video and ends its download. */
  drop(): void {
    this.#showing.abort();
    this.#painted = this.#recovering = this.#over = false;
    this.player.reset();
  }
}
