// One `<video>` whose clips join on one MSE timeline: each is remuxed to fragments and written where the one before it ends,
// so that a join is one frame like any other, and picture-in-picture and full screen go on over it.
// - Only the clip in front and the next one are written; what was played is removed at once, its bytes stay in the playlist.
// - A clip ends when its last frame has been on screen for its full time (requestVideoFrameCallback); a hidden page paints
//   nothing, there the time of the media counts.
// - Whatever fails is told as unplayable, never thrown.
import type { Renderer, RendererEvents } from './renderer.ts';
import type { PlaylistItem } from './playlist.ts';
import { mediaEvents } from '../player.ts';
import { onNextFrame } from '../painted-frame.ts';
import { signerVideo } from '../signer-video.ts';
import { SourceBufferQueue } from '../source-buffer-queue.ts';
import { EndDetector } from './end-detector.ts';
import { ROUNDING, BufferTimeline, type TimeRange } from './buffer-timeline.ts';
import { BufferWriter } from './buffer-writer.ts';
import type { PlayerSettings } from '../player.ts';

/** Seconds of the film that a browser may have decoded before their turn: Firefox 12 frames, a busy Chromium up to 24. */
const DECODED = 1.2;

export class MsePlayer implements Renderer {
  readonly video = signerVideo();
  readonly #events: RendererEvents;
  readonly #tape = new BufferTimeline();
  readonly #writer: BufferWriter;
  readonly #listening = new AbortController();
  /** The clip whose picture is in front. */
  #current: TimeRange | null = null;
  /** Its last frame has been shown for its full time. */
  #currentEnded = false;
  /** Asked for, and not written yet. */
  #wanted: { readonly entry: PlaylistItem; readonly within: number } | null = null;
  /** Asked for and written; comes to the front with its first picture. */
  #arriving: TimeRange | null = null;
  /** Second of the tape that was painted while it arrived: where nothing plays, no frame tells of itself once more. */
  #arrivedAt: number | null = null;
  /** The video has gone on into it by itself; the row is being told. */
  #crossed: TimeRange | null = null;
  #next: { readonly entry: PlaylistItem; readonly joined: boolean } | null = null;
  #working = false;
  /** Second of the tape that was on screen last. */
  #seen = 0;
  /** Pixels of the picture that came to the front last. */
  #size = '';
  /** A pause of our own, which the visitor did not ask for, is on its way. */
  #stopping = false;
  readonly #end = new EndDetector(this.video, (section) => this.#onEnd(section));
  #leaveFrames = (): void => {};

  constructor(
    stage: Element,
    settings: PlayerSettings,
    events: RendererEvents,
    Source: ConstructorParameters<typeof SourceBufferQueue>[1],
  ) {
    this.#events = events;
    this.apply(settings);
    const { signal } = this.#listening;
    for (const type of mediaEvents) this.video.addEventListener(type, () => this.#onEvent(type), { signal });
    this.#writer = new BufferWriter(this.#tape, new SourceBufferQueue(this.video, Source));
    stage.append(this.video);
    this.#watchFrames();
  }

  get shown(): boolean {
    return this.#current !== null;
  }
  get seeking(): boolean {
    return this.video.seeking && (this.#arriving === null || this.#arriving === this.#current);
  }
  get within(): number {
    const { start, end } = this.#current ?? { start: 0, end: 0 };
    // A video that has no more to show stands a little before the end of its last frame.
    if (this.#currentEnded) return end - start;
    // One that broke has gone back to 0.
    const time = this.video.error ? this.#seen : this.video.currentTime;
    return Math.min(Math.max(0, time - start), end - start);
  }

  shows(entry: PlaylistItem): boolean {
    return this.#current?.entry === entry;
  }

  prepare(entry: PlaylistItem | null, joined: boolean): void {
    this.#next = entry && { entry, joined };
    void this.#work();
  }

  show(entry: PlaylistItem, within: number, playing: boolean): void {
    this.halt();
    const crossed = this.#crossed;
    this.#crossed = null;
    if (crossed?.entry === entry && within === 0) return this.#comeForward(crossed);
    this.#wanted = { entry, within };
    // Standing at its end it can be on its way before there is more to play; a refusal is the row's to find out.
    if (playing && this.#currentEnded) this.video.play().catch(() => {});
    void this.#work();
  }

  halt(): void {
    this.#wanted = null;
    this.#arriving = null;
  }

  stop(): void {
    if (this.video.paused) return;
    this.#stopping = true;
    this.video.pause();
  }

  apply({ playbackRate, muted, volume }: PlayerSettings): void {
    Object.assign(this.video, { defaultPlaybackRate: playbackRate, playbackRate, muted, volume });
  }

  destroy(): void {
    this.halt();
    this.#next = null;
    this.#listening.abort();
    this.#end.forget();
    this.#leaveFrames();
    this.video.pause();
    this.video.removeAttribute('src');
    this.video.load();
    this.video.remove();
  }

  /** Brings the tape and the picture to what was asked for, one step at a time; what is asked meanwhile counts too. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let step = this.#step(); step; step = this.#step()) {
      try {
        await step.done;
      } catch (error) {
        this.#giveUp(step.entry, error);
      }
    }
    this.#working = false;
  }

  /** The next step, under way, and the entry that it is for; null when all is as asked. */
  #step(): { readonly entry: PlaylistItem; readonly done: Promise<unknown> } | null {
    if (this.#wanted) {
      const { entry, within } = this.#wanted;
      const section = this.#tape.find(entry);
      if (!section) return { entry, done: this.#writer.write(entry, this.#current) };
      this.#wanted = null;
      this.#goTo(section, within);
    }
    const current = this.#current;
    if (!current || !this.#tape.has(current)) return null;
    // A place within it may have no picture before what follows is written.
    if (this.#arriving && this.#arriving !== current) return null;
    const following = this.#tape.after(current);
    const next = this.#next;
    if (following && !(next?.joined && following.entry === next.entry)) {
      return { entry: current.entry, done: this.#dropFollowing(current) };
    }
    if (next && !following && next.joined) {
      return { entry: next.entry, done: this.#writer.write(next.entry, current) };
    }
    if (next && !following && !this.#writer.hasRead(next.entry)) {
      return { entry: next.entry, done: this.#writer.read(next.entry) };
    }
    if (!this.#writer.hasPlayed(current)) return null;
    return { entry: current.entry, done: this.#writer.dropBefore(current) };
  }

  /** Frames of it that are decoded would be shown, and Chromium stand for good behind them: a seek drops them. */
  async #dropFollowing(current: TimeRange): Promise<void> {
    await this.#writer.dropAfter(current);
    const isNear = current.end - this.video.currentTime < DECODED;
    if (isNear && !this.#currentEnded && !this.#wanted) this.#goTo(current, this.within);
  }

  #giveUp(entry: PlaylistItem, error: unknown): void {
    if (this.#listening.signal.aborted) return;
    if (this.#wanted?.entry === entry) this.#wanted = null;
    if (this.#next?.entry === entry) this.#next = null;
    this.#events.unplayable(entry, error instanceof Error ? error.message : String(error));
  }

  #goTo(section: TimeRange, within: number): void {
    this.#arriving = section;
    // The first picture of all may be painted while its clip is still being written.
    if (this.#current) this.#arrivedAt = null;
    // At the very end there is no frame to come to.
    const at = Math.min(section.start + within, section.end - ROUNDING);
    if (!this.#current && at === 0) return this.#arrive();
    this.video.currentTime = at;
    if (!this.#tape.after(section)) this.#end.seek(section, at);
  }

  /** The picture that was sought, or the first of all, is there. */
  #arrive(): void {
    if (!this.#arriving || this.video.seeking) return;
    if (this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#writer.painted(this.video.currentTime);
    this.#comeForward(this.#arriving);
  }

  #comeForward(section: TimeRange): void {
    const { videoWidth, videoHeight } = this.video;
    // Told while it arrived, it was told of the clip before.
    const before = this.#size;
    this.#size = `${videoWidth} ${videoHeight}`;
    this.halt();
    this.#current = section;
    this.#currentEnded = false;
    this.video.classList.add('front');
    this.#events.forward(section.entry, section.end - section.start, this.#size !== before);
    const at = this.#arrivedAt;
    if (at !== null && at >= section.start - ROUNDING && at < section.end) this.#onTime(at, true);
    this.#expectEnd(this.video.currentTime);
    void this.#work();
  }

  #watchFrames(): void {
    this.#leaveFrames = onNextFrame(this.video, (second) => {
      this.#watchFrames();
      this.#writer.painted(second);
      this.#onTime(second, true);
    });
  }

  /** The video has come to this second; `painted` when a frame of it is on screen. */
  #onTime(time: number, painted: boolean): void {
    if (painted && (this.#arriving || !this.#current)) this.#arrivedAt = time;
    if (!this.#current || this.#arriving || time < this.#current.start - ROUNDING) return;
    this.#seen = time;
    const following = this.#tape.after(this.#current);
    if (following && time >= following.start - ROUNDING) this.#cross(following);
    const { entry, end } = this.#current;
    if (painted && time < end) this.#events.painted(entry);
    this.#expectEnd(time);
    if (this.#current && this.#writer.hasPlayed(this.#current)) void this.#work();
  }

  /** The row says, while it is told, whether the clip behind may be shown now. */
  #cross(following: TimeRange): void {
    if (!this.#current || this.#currentEnded) return;
    this.#currentEnded = true;
    this.#crossed = following;
    this.#events.ended(this.#current.entry);
    if (this.#crossed) this.stop();
    this.#crossed = null;
  }

  #expectEnd(time: number): void {
    const section = this.#current;
    const isOver = !section || this.#currentEnded || this.video.paused || this.#tape.after(section) !== null;
    if (isOver) this.#end.forget();
    else this.#end.expect(section, time);
  }

  #onEnd(section: TimeRange): void {
    if (section !== this.#current || this.#arriving || this.video.paused || this.#currentEnded) return;
    if (this.#tape.after(section)) return;
    this.#currentEnded = true;
    this.#events.ended(section.entry);
  }

  #onEvent(type: (typeof mediaEvents)[number]): void {
    const jumping = this.#arriving !== null && this.#arriving !== this.#current;
    if (type === 'error') return this.#onError();
    if (type === 'seeked' || type === 'loadeddata' || type === 'canplay') this.#arrive();
    if (!this.#current) return;
    const unpainted = document.hidden || !('requestVideoFrameCallback' in this.video);
    const loaded = this.video.readyState > HTMLMediaElement.HAVE_NOTHING;
    if (loaded && (type === 'timeupdate' || type === 'waiting' || type === 'play')) {
      this.#writer.passed(this.video.currentTime);
      this.#onTime(this.video.currentTime, unpainted && type === 'timeupdate');
    }
    // Standing between two clips is the row's to tell, and where a clip lies on the tape is nobody's business.
    if (type === 'waiting' || type === 'ended' || (jumping && type.startsWith('seek'))) return;
    if (type === 'pause' && this.#stopping) return void (this.#stopping = false);
    this.#events.event(this.#current.entry, type);
  }

  #onError(): void {
    const playing = this.#currentEnded ? undefined : this.#current?.entry;
    const entry = this.#wanted?.entry ?? this.#arriving?.entry ?? playing;
    // Without one, the next clip that is written will tell.
    if (entry) this.#giveUp(entry, this.video.error?.message);
  }
}
