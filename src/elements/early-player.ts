// The player of an element whose code is not loaded: it has no media, and remembers what a page asks of it.
// - Settings (`muted`, `volume`, `playbackRate`, `loop`) and the intent to play or pause go to the player that follows.
// - It reads as an empty `<video>`: paused, no duration, no source.
import { Player } from '../playback/player.ts';

export class EarlyPlayer extends Player {
  readonly media = null;
  readonly paused = true;
  readonly ended = false;
  readonly blocked = false;
  readonly seeking = false;
  readonly duration = NaN;
  readonly currentSrc = '';
  /** What the page asked for last; null when it asked for neither. */
  intent: 'play' | 'pause' | null = null;
  #video: HTMLVideoElement | null = null;

  get currentTime(): number {
    return 0;
  }
  /** There is nothing to seek in. */
  set currentTime(_time: number) {}

  get buffered(): TimeRanges {
    return this.#empty.buffered;
  }
  get seekable(): TimeRanges {
    return this.#empty.seekable;
  }
  get textTracks(): TextTrackList {
    return this.#empty.textTracks;
  }

  async play(): Promise<void> {
    this.intent = 'play';
  }

  pause(): void {
    this.intent = 'pause';
  }

  resume(): void {}

  reset(): void {
    this.intent = null;
  }

  protected override apply(): void {}

  get #empty(): HTMLVideoElement {
    return (this.#video ??= document.createElement('video'));
  }
}
