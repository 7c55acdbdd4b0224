// One `<video>` whose clips join on one MSE timeline: each clip is remuxed to fragments and written where the one before ends. So
// a join lasts one frame, and picture-in-picture and full screen stay.
// - Only the current clip and the next one are written. A clip that was played is removed at once; the playlist keeps its bytes.
// - A clip ends when its last frame was on screen for its full time; on a hidden page, which paints nothing, by the media's time.
// - A decoder keeps the last frames (B-frames, ISO 14496-10 C.4) until it knows that nothing follows: so the source is ended when
//   the clip is nearly over. The next append opens it, and a seek then plays what was appended.
// - A failure is reported as `unplayable`; nothing throws. A `pause` event at a clip's end is the browser's own, also a late one.
import type { Renderer, RendererEvents, PlaylistItem } from './playlist.ts';
import { mediaEvents, type PlayerSettings } from '../player.ts';
import { DECODED, onEachFrame, reportsFrames } from '../video-progress.ts';
import { applySettings, removeVideo, signerVideo } from '../signer-video.ts';
import { SourceBufferQueue } from '../source-buffer-queue.ts';
import { EndDetector, frameOf, isAside } from './end-detector.ts';
import { ROUNDING, BufferTimeline, type TimeRange, BufferWriter, remuxItem } from './buffer-timeline.ts';

export class MsePlayer implements Renderer {
  readonly video = signerVideo();
  readonly #events: RendererEvents;
  readonly #timeline = new BufferTimeline();
  readonly #writer: BufferWriter<PlaylistItem>;
  readonly #listening = new AbortController();
  /** The clip whose picture is on screen. */
  #current: TimeRange | null = null;
  /** Its last frame has been shown for its full time. */
  #currentEnded = false;
  /** Requested, and not written yet. */
  #wanted: { readonly item: PlaylistItem; readonly within: number } | null = null;
  /** Requested and written; becomes the current one with its first frame. */
  #arriving: TimeRange | null = null;
  /** Second of the timeline that was painted while a clip arrived: a frame of a paused video is reported only once. */
  #arrivedAt: number | null = null;
  /** The clip into which the video has continued by itself, while the playlist is told of it. */
  #crossed: TimeRange | null = null;
  #next: { readonly item: PlaylistItem; readonly joined: boolean } | null = null;
  #working = false;
  /** Second of the timeline that was on screen last. */
  #seen = 0;
  /** Pixels of the last picture that was shown. */
  #size = '';
  /** The player itself, and no visitor, has paused the video, and the `pause` event has not come yet. */
  #stopping = false;
  #seekIsHidden = false;
  /** The seek under way is the visitor's, within the current clip. */
  #sought = false;
  /** The clip that is nearly over, and that nothing follows. */
  #ending: TimeRange | null = null;
  readonly #end = new EndDetector(this.video, {
    near: (range) => this.#onNearEnd(range),
    over: (range) => this.#onEnd(range),
  });
  readonly #leaveFrames = onEachFrame(this.video, (second) => {
    this.#writer.painted(second);
    this.#onTime(second, true);
  });

  constructor(
    box: Element,
    settings: PlayerSettings,
    events: RendererEvents,
    Source: ConstructorParameters<typeof SourceBufferQueue>[1],
  ) {
    this.#events = events;
    this.apply(settings);
    const { signal } = this.#listening;
    for (const type of mediaEvents) this.video.addEventListener(type, () => this.#onEvent(type), { signal });
    this.#writer = new BufferWriter(this.#timeline, new SourceBufferQueue(this.video, Source), remuxItem);
    box.append(this.video);
  }

  get shown(): boolean {
    return this.#current !== null;
  }
  get seeking(): boolean {
    return !this.#wanted && this.video.seeking && !this.#jumping;
  }
  get within(): number {
    const { start, end } = this.#current ?? { start: 0, end: 0 };
    // After the end, `currentTime` stays a little before the end of the last frame.
    if (this.#currentEnded) return end - start;
    const time = this.video.error || isAside(this.video) ? this.#seen : this.video.currentTime;
    // In whole microseconds: 10.2 less 10 is below 0.2.
    const within = Math.round((time - start) * 1e6) / 1e6;
    return Math.min(Math.max(0, within), end - start);
  }

  shows(item: PlaylistItem): boolean {
    return this.#current?.item === item;
  }

  prepare(item: PlaylistItem | null, joined: boolean): void {
    this.#next = item && { item, joined };
    void this.#work();
  }

  show(item: PlaylistItem, within: number, playing: boolean): void {
    this.halt();
    const crossed = this.#crossed;
    this.#crossed = null;
    if (crossed?.item === item && within === 0) return this.#makeCurrent(crossed);
    this.#wanted = { item, within };
    // At its end the video can be started before there is more to play. The playlist handles a refusal when it starts the clip.
    if (playing && this.#currentEnded && !this.#writer.ended) this.video.play().catch(() => {});
    void this.#work();
  }

  halt(): void {
    this.#wanted = this.#arriving = null;
  }

  stop(): void {
    this.#stopping ||= !this.video.paused;
    this.video.pause();
  }

  apply(settings: PlayerSettings): void {
    applySettings(this.video, settings);
  }

  destroy(): void {
    this.halt();
    this.#next = null;
    this.#listening.abort();
    this.#end.forget();
    this.#leaveFrames();
    removeVideo(this.video);
  }

  /** Writes and shows what was asked for, one step at a time; each step takes the latest requests into account. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let step = this.#step(); step; step = this.#step()) {
      try {
        await step.done;
      } catch (error) {
        this.#giveUp(step.item, error);
      }
    }
    this.#working = false;
  }

  /** Starts the next step, and names its item; null when there is nothing to do. A closed source cannot be ended. */
  #step(): { readonly item: PlaylistItem; readonly done: Promise<unknown> } | null {
    if (this.#wanted) {
      const { item, within } = this.#wanted;
      const range = this.#timeline.find(item);
      if (!range) return { item, done: this.#writer.write(item, this.#current) };
      this.#wanted = null;
      this.#goTo(range, within, range === this.#current);
    }
    const ending = this.#ending;
    if (ending && this.#writer.open && this.#timeline.ranges.at(-1) === ending)
      return { item: ending.item, done: this.#writer.end() };
    const current = this.#current;
    const next = this.#next;
    if (!current && next && !this.#arriving && this.#timeline.ranges.length === 0)
      return { item: next.item, done: this.#writer.write(next.item, null) };
    if (!current || !this.#timeline.has(current)) return null;
    // After a seek within the current clip, a decoder may give no picture until the next clip is written.
    if (this.#arriving && this.#arriving !== current) return null;
    const following = this.#timeline.after(current);
    if (following && !(next?.joined && following.item === next.item))
      return { item: current.item, done: this.#dropFollowing(current) };
    // A browser that has reached the end continues into the next clip only after a seek.
    if (next && !following && next.joined && !this.#writer.ended)
      return { item: next.item, done: this.#writer.write(next.item, current) };
    if (next && !following && !this.#writer.hasRead(next.item))
      return { item: next.item, done: this.#writer.read(next.item) };
    if (this.#writer.ended || !this.#writer.hasPlayed(current)) return null;
    return { item: current.item, done: this.#writer.dropBefore(current) };
  }

  /** A seek drops decoded frames of the removed clip: they would be shown, and Chromium would decode nothing after them. */
  async #dropFollowing(current: TimeRange): Promise<void> {
    await this.#writer.cut(current.end);
    const isNear = current.end - this.video.currentTime < DECODED;
    if (isNear && !this.#currentEnded && !this.#wanted) this.#goTo(current, this.within);
  }

  #giveUp(item: PlaylistItem, error: unknown): void {
    if (this.#listening.signal.aborted) return;
    if (this.#wanted?.item === item) this.#wanted = null;
    if (this.#next?.item === item) this.#next = null;
    this.#events.unplayable(item, error instanceof Error ? error.message : String(error));
  }

  #goTo(range: TimeRange, within: number, sought = false): void {
    this.#sought = sought || (this.#sought && this.#arriving !== null);
    this.#arriving = range;
    // The first picture of all may be painted while its clip is still being written.
    if (this.#current) this.#arrivedAt = null;
    // There is no frame at the very end.
    const at = Math.min(range.start + within, range.end - ROUNDING);
    this.#ending = null;
    this.#writer.reopen();
    if (!this.#timeline.after(range)) this.#end.seek(range, at);
    if (!this.#current && at === this.video.currentTime) return this.#arrive();
    this.video.currentTime = at;
  }

  /** The sought picture, or the very first one, may be there. */
  #arrive(): void {
    if (!this.#arriving || this.video.seeking) return;
    if (this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#writer.painted(this.video.currentTime);
    this.#makeCurrent(this.#arriving);
  }

  #makeCurrent(range: TimeRange): void {
    // A `resize` event during the arrival was reported for the clip before.
    const before = this.#size;
    this.#size = `${this.video.videoWidth} ${this.video.videoHeight}`;
    this.halt();
    this.#current = range;
    this.#currentEnded = false;
    this.video.classList.add('shown');
    this.#events.onScreen(range.item, range.end - range.start, this.#size !== before);
    const at = this.#arrivedAt;
    if (at !== null && at >= range.start - ROUNDING && at < range.end) this.#onTime(at, true);
    this.#expectEnd(this.video.currentTime);
    void this.#work();
  }

  /** The video has reached this second; `painted` when its frame is on screen. */
  #onTime(time: number, painted: boolean): void {
    if (painted && (this.#arriving || !this.#current)) this.#arrivedAt = time;
    if (!this.#current || this.#arriving || time < this.#current.start - ROUNDING) return;
    this.#seen = time;
    const following = this.#timeline.after(this.#current);
    if (following && time >= following.start - ROUNDING) this.#cross(following);
    if (painted && time < this.#current.end) this.#events.painted(this.#current.item);
    this.#expectEnd(time);
    if (this.#current && this.#writer.hasPlayed(this.#current)) void this.#work();
  }

  /** Reports the end of the clip; the playlist may show the next one during this call, else the video is paused. */
  #cross(following: TimeRange): void {
    if (!this.#current || this.#currentEnded) return;
    this.#currentEnded = true;
    this.#crossed = following;
    this.#events.ended(this.#current.item);
    if (this.#crossed) this.stop();
    this.#crossed = null;
  }

  #expectEnd(time: number): void {
    const range = this.#current;
    const isOver = !range || this.#currentEnded || this.video.paused || this.#timeline.after(range) !== null;
    if (isOver) this.#end.forget();
    else this.#end.expect(range, time);
  }

  #onNearEnd(range: TimeRange): void {
    if (this.#timeline.after(range) || (range !== this.#current && range !== this.#arriving)) return;
    this.#ending = range;
    void this.#work();
  }

  #onEnd(range: TimeRange): void {
    if (range !== this.#current || this.#arriving || this.#currentEnded) return;
    if (this.#timeline.after(range) || (this.video.paused && !this.video.ended)) return;
    this.#currentEnded = true;
    this.#events.ended(range.item);
    const rests = (): boolean => this.#currentEnded && !this.#wanted && !this.#arriving;
    this.#end.paintLastFrame(range, () => rests() && !this.#writer.hasPainted(range));
  }

  /** A seek now is our own: to another clip, to a last frame that was left out, to the same position, or to the source's end. */
  get #jumping(): boolean {
    return this.#arriving ? !this.#sought : this.#currentEnded || this.#ending !== null;
  }

  #onEvent(type: (typeof mediaEvents)[number]): void {
    if (type === 'seeking') this.#seekIsHidden = this.#jumping;
    if (type === 'error') return this.#onError();
    if (type === 'seeked' || type === 'loadeddata' || type === 'canplay') this.#arrive();
    const { currentTime, readyState } = this.video;
    if (!this.#current) return;
    if (isAside(this.video) && !this.#arriving && !this.#currentEnded)
      return this.#goTo(this.#current, this.within + frameOf(this.#current));
    if (readyState > 0 && currentTime < Infinity && /^(timeupdate|waiting|play)$/.test(type)) {
      this.#writer.passed(currentTime);
      this.#onTime(currentTime, type === 'timeupdate' && !reportsFrames(this.video));
    }
    if (type === 'ended') this.#onEnd(this.#current);
    // The playlist fires its own `waiting`, `ended` and `seeking`: a page does not know the position of a clip on the timeline.
    if (type === 'waiting' || type === 'ended' || (this.#seekIsHidden && type.startsWith('seek'))) return;
    if (type === 'pause' && this.#stopping) return void (this.#stopping = false);
    if (type === 'pause' && this.#currentEnded) return;
    this.#events.event(this.#current.item, type);
  }

  #onError(): void {
    const item = (this.#wanted ?? this.#arriving ?? (this.#currentEnded ? null : this.#current))?.item;
    // Without an item, writing the next clip will fail.
    if (item) this.#giveUp(item, this.video.error?.message);
  }
}
