// The stream that a live player shows, and how far it has come: what live-view.ts tells the state from.
// - Events of a stream that was dropped or replaced are ignored.
// - A picture stays on screen until the next stream has painted its own.
import { LivePlayer } from '../playback/live/live-player.ts';
import type { StreamAddresses } from '../playback/live/live-source.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { LiveAddresses } from './live-options.ts';

export interface LiveStreamEvents {
  /** Its addresses as they are signed now; null when there are none any more. */
  renew(): Promise<StreamAddresses | null>;
  /** The last picture of it has been shown. */
  over(): void;
  /** It will not be played any further. */
  lost(error: SignError): void;
  /** Any of what is told here is different. */
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

  /** A picture is on screen, or has been of the stream before. */
  get painted(): boolean {
    return this.#painted;
  }
  /** Its media does not come. */
  get recovering(): boolean {
    return this.#recovering;
  }
  /** Its last picture has been shown. */
  get over(): boolean {
    return this.#over;
  }

  show({ addresses, protocol }: LiveAddresses, isRenewable: boolean): void {
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const told = (change: () => void): void => {
      if (signal.aborted) return;
      change();
      this.#events.changed();
    };
    this.player.show({
      addresses,
      protocol,
      ...(isRenewable && { renew: () => this.#events.renew() }),
      painted: () =>
        told(() => {
          this.#painted = true;
          this.#recovering = this.#over = false;
        }),
      recovering: (on) => told(() => (this.#recovering = on)),
      ended: () =>
        told(() => {
          this.#over = true;
          this.#events.over();
        }),
      failed: (error) =>
        told(() => {
          this.#recovering = true;
          this.#events.lost(error);
        }),
    });
  }

  /** One that was over is played once more. */
  #onPlaying(): void {
    if (!this.#over) return;
    this.#over = false;
    this.#events.changed();
  }

  /** No picture, and none on its way. */
  drop(): void {
    this.#showing.abort();
    this.#painted = this.#recovering = this.#over = false;
    this.player.reset();
  }
}
