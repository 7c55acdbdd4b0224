// Streams of signed texts: a session's ongoing one, or one a text. Policy: playback begins at the live edge, or before it
// where somebody waits for an earlier moment; after a pause it goes on where it stopped, and jumps to the edge, or to the
// moment that is waited for next, when it is more than 2 s behind; faster than life it plays only while it is behind.
import { bookmarkIn, type Bookmark } from './stream-bookmark.ts';
import type { Stream, StreamSlot } from '../live/stream-slot.ts';
import { StreamPlayer } from '../live/stream-player.ts';
import { StreamMarks } from './stream-marks.ts';
import { StreamSkip } from './stream-skip.ts';

const BEHIND_SECONDS = 2;
const UP_TO_DATE_SECONDS = 0.5;

export class TextStreamPlayer extends StreamPlayer {
  readonly #marks = new StreamMarks();
  readonly #skip = new StreamSkip();

  /** Plays this stream as soon as it has a picture; the one before stays until then and is dropped. */
  show(stream: Stream): void {
    this.open(stream);
  }

  /** Runs once this moment of the newest stream is on screen; see stream-marks.ts for what a moment is. */
  atMoment(moment: number | null, signal: AbortSignal, run: () => void): void {
    const { newest } = this;
    if (!newest) return;
    this.#marks.atMoment(newest, moment, signal, run);
    const live = newest.livePosition;
    if (newest !== this.front || live === null || this.paused || this.#skip.on) return;
    const next = Math.min(live, this.#marks.firstOf(newest) ?? live);
    if (next - this.currentTime > BEHIND_SECONDS) this.currentTime = next;
  }

  /** Runs once this many more seconds of picture were on screen. */
  afterSeconds(seconds: number, signal: AbortSignal, run: () => void): void {
    this.#marks.after(seconds, signal, run);
  }

  /** The first second of the stream in front that somebody waits for; null when nobody does. */
  get nextMoment(): number | null {
    return this.front && this.#marks.firstOf(this.front);
  }

  /** Leaves out what is between here and this second of the stream in front; see stream-skip.ts. */
  skipTo(second: number): void {
    if (!this.front) return;
    const wanted = (): number | null => this.nextMoment;
    this.#skip.begin(this.front, second, wanted, () => this.resume());
  }

  bookmark(): Bookmark {
    const slot = this.front;
    return bookmarkIn(this, () => slot === this.front);
  }

  override reset(): void {
    this.#skip.end();
    this.#marks.clear();
    super.reset();
  }

  protected override get held(): boolean {
    return this.#skip.on;
  }

  protected override entryOf(slot: StreamSlot, tried: number): number | null {
    const first = tried > 0 ? null : this.#marks.firstOf(slot);
    return first === null || first >= slot.video.currentTime ? null : Math.max(0, first);
  }

  protected override onFront(): void {
    this.#skip.end();
  }

  protected override onFrame(slot: StreamSlot, time: number): void {
    this.#marks.painted(slot, time);
  }

  /** There is nothing to be faster with at the live edge. */
  protected override rateOf({ video, livePosition }: StreamSlot): number {
    const upToDate = livePosition !== null && livePosition - video.currentTime < UP_TO_DATE_SECONDS;
    return upToDate ? Math.min(1, this.playbackRate) : this.playbackRate;
  }
}
