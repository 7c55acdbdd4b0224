// Holds live playback while the page is hidden, and stops the download in a long pause.
// - A muted stream pauses, as in browsers, and downloads nothing. A stream with sound or in picture-in-picture plays on.
// - When the page is visible again, a live stream plays on at live: as soon as its manifest was read, or after 3 s. A stream
//   with an end plays on where it was.
// - A live stream that is paused downloads nothing from 30 s on: a visitor may close its panel and leave the page open. Then it
//   plays on where it was, at once, because a gesture may be needed, and at live if its manifest no longer has that position.
import { isUnseen } from '../video-player.ts';
import type { StreamRenderer } from './stream-renderer.ts';

const MAX_RETURN_MS = 3000;
const IDLE_MS = 30_000;

export class PageVisibility {
  readonly #resume: () => void;
  readonly #pausedStream: () => StreamRenderer | null;
  #frozen: StreamRenderer | null = null;
  #returning: StreamRenderer | null = null;
  /** It plays on after it was idle, and its manifest was not read yet. */
  #rejoining: StreamRenderer | null = null;
  #isIdle = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param resume plays again after the page was hidden
   * @param pausedStream the live stream on screen while it is paused, else null
   */
  constructor(resume: () => void, pausedStream: () => StreamRenderer | null) {
    this.#resume = resume;
    this.#pausedStream = pausedStream;
  }

  /** True while playback is held because the page is hidden or has just become visible: no pause of the visitor. */
  get isHolding(): boolean {
    return this.#frozen !== null || this.#returning !== null;
  }

  /** True while the download is stopped because of a pause. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Playback may be paused from now on. */
  onPaused(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const renderer = this.#pausedStream();
      if (!renderer) return;
      if (renderer !== this.#frozen) renderer.pauseLoading();
      this.#release();
      this.#frozen = renderer;
      this.#isIdle = true;
    }, IDLE_MS);
  }

  /** Playback goes on, or another second is sought: the download goes on. */
  goOn(): void {
    if (!this.#isIdle || document.hidden) return;
    const renderer = this.#frozen;
    this.#release();
    this.#rejoining = renderer;
    renderer?.resumeLoading();
    this.onPaused();
  }

  onHidden(renderer: StreamRenderer): void {
    if (!isUnseen(renderer.video)) return;
    this.#release();
    this.#frozen = renderer;
    renderer.pauseLoading();
  }

  /** The page is visible again. */
  onVisible(): void {
    if (this.#isIdle && this.#pausedStream()) return;
    const renderer = this.#frozen;
    this.#release();
    renderer?.resumeLoading();
    if (renderer?.isLive) {
      this.#returning = renderer;
      this.#timer = setTimeout(() => this.#endReturn(), MAX_RETURN_MS);
    } else this.#resume();
  }

  /** The manifest of this stream was read. @returns true for the first time since the download goes on */
  onPlaylist(renderer: StreamRenderer): boolean {
    if (renderer !== this.#returning && renderer !== this.#rejoining) return false;
    this.#release();
    return true;
  }

  /** Another stream, or none, is on screen. */
  reset(): void {
    clearTimeout(this.#idle);
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#frozen = this.#returning = this.#rejoining = null;
    this.#isIdle = false;
  }

  #endReturn(): void {
    this.#release();
    this.#resume();
  }
}
