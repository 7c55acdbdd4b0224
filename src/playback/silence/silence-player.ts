// What shows the signer at rest, to a page like one `<video loop>`: its time and duration are those of one round, and it
// never ends. Policy: plays by itself, muted, while it can be seen; what the visitor wants is kept apart from what the
// browser allows and from being out of sight. Whoever wants reduced motion sees the first picture and may play it. The
// picture in front stays until the next one is there.
import type { SignError } from '../../protocol/sign-error.ts';
import { mediaEvents } from '../player.ts';
import { movePictureInPicture } from '../picture-in-picture.ts';
import type { SilenceLoop } from './silence-loop.ts';
import { SilenceScreen } from './silence-screen.ts';
import { timeRange } from '../time-range.ts';
import { Player, type PlayerSettings } from '../player.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';

export class SilencePlayer extends Player {
  override loop = true;
  #front: SilenceScreen | null = null;
  /** Has no picture yet. */
  #coming: SilenceScreen | null = null;
  /** Where they are from: the one on screen, and the one that is next. */
  readonly #sources = new Map<SilenceLoop, string>();
  #noTracks: TextTrackList | null = null;
  readonly #changed: () => void;
  /** What the visitor said; null for what reduced motion says. */
  #wanted: boolean | null = null;
  #seen = false;
  #refused = false;
  #duration = NaN;
  /** Ends with `reset()`. */
  #life = new AbortController();
  /** To be told of what was shown last. */
  #failed: (error: SignError) => void = () => {};

  /** `changed`: it waits for the visitor, or does so no more. */
  constructor(changed: () => void) {
    super();
    this.#changed = changed;
  }

  /** It plays only while somebody can see it; default false. */
  set seen(seen: boolean) {
    this.#seen = seen;
    void this.#run();
  }

  /** Shows this loop, from the next rest point on when another plays. `failed` is told once, when it cannot be played. */
  show(loop: SilenceLoop, src: string, failed: (error: SignError) => void): void {
    this.#failed = failed;
    if (!this.#front && !this.#coming) this.#begin();
    for (const other of this.#sources.keys()) if (other !== this.#front?.loop) this.#sources.delete(other);
    this.#sources.set(loop, src);
    this.#drop(this.#coming);
    this.#coming = null;
    if (this.#front?.take(loop)) return;
    const screen = new SilenceScreen(loop, (error) => {
      this.#drop(screen);
      if (screen === this.#front) {
        this.#front = null;
        this.fire('emptied');
        // Another one is on its way and may not fail.
        if (this.#coming) return;
      } else if (screen === this.#coming) {
        this.#coming = null;
      } else {
        return;
      }
      this.#failed(error);
    });
    this.#coming = screen;
    this.#apply(screen.video, this.settings);
    for (const type of mediaEvents) screen.video.addEventListener(type, () => this.#onEvent(screen, type));
    this.stage.append(screen.video);
  }

  get media(): HTMLVideoElement | null {
    return this.#front?.video ?? null;
  }
  get paused(): boolean {
    return this.media?.paused ?? true;
  }
  get ended(): boolean {
    return false;
  }
  /** True when it waits for the visitor: autoplay was refused, or reduced motion is wanted. */
  get blocked(): boolean {
    return this.#refused || (this.media !== null && !this.#goes && matchMedia(REDUCED).matches);
  }
  get seeking(): boolean {
    return this.media?.seeking ?? false;
  }
  get currentTime(): number {
    const { currentTime = 0 } = this.media ?? {};
    return Math.max(0, currentTime - (this.#front?.start ?? 0));
  }
  set currentTime(time: number) {
    const { media, duration } = this;
    if (!media || !(duration > 0)) return;
    media.currentTime =
      (this.#front?.start ?? 0) + Math.min(Math.max(0, Number(time) || 0), duration - 0.001);
  }
  get duration(): number {
    return this.#front?.duration ?? NaN;
  }
  get buffered(): TimeRanges {
    return timeRange(this.duration || 0);
  }
  get seekable(): TimeRanges {
    return timeRange(this.duration || 0);
  }
  get currentSrc(): string {
    return (this.#front && this.#sources.get(this.#front.loop)) ?? '';
  }
  get textTracks(): TextTrackList {
    return this.media?.textTracks ?? (this.#noTracks ??= document.createElement('video').textTracks);
  }

  async play(): Promise<void> {
    this.#wanted = true;
    this.#refuse(false);
    await this.#run();
  }

  pause(): void {
    this.#wanted = false;
    this.media?.pause();
  }

  /** Resumes after the stage was moved in the document, which pauses a video. */
  resume(): void {
    void this.#run();
  }

  /** Lets everything go; it can be used again. */
  reset(): void {
    this.#life.abort();
    this.#life = new AbortController();
    for (const screen of [this.#front, this.#coming]) this.#drop(screen);
    this.#front = this.#coming = null;
    this.#duration = NaN;
    this.#sources.clear();
    this.#refused = this.#seen = false;
    this.#wanted = null;
    this.fire('emptied');
  }

  protected override apply(settings: PlayerSettings): void {
    for (const screen of [this.#front, this.#coming]) if (screen) this.#apply(screen.video, settings);
  }

  #apply(video: HTMLVideoElement, { playbackRate, muted, volume }: PlayerSettings): void {
    Object.assign(video, { defaultPlaybackRate: playbackRate, playbackRate, muted, volume });
  }

  get #goes(): boolean {
    return this.#wanted ?? !matchMedia(REDUCED).matches;
  }

  #begin(): void {
    const { signal } = this.#life;
    const reduced = matchMedia(REDUCED);
    const onChange = (): void => {
      this.#wanted = null;
      void this.#run();
      this.#changed();
    };
    reduced.addEventListener('change', onChange, { signal });
  }

  #drop(screen: SilenceScreen | null): void {
    screen?.destroy();
  }

  /** Brings the video to what is wanted. */
  async #run(): Promise<void> {
    const { media } = this;
    if (!media) return;
    if (!this.#goes || !this.#seen) return media.pause();
    try {
      await media.play();
      this.#refuse(false);
    } catch (error) {
      // Anything but a refusal is a pause that came in between.
      if (!(error instanceof DOMException && error.name === 'NotAllowedError') || media !== this.media)
        return;
      this.#refuse(true);
    }
  }

  #refuse(refused: boolean): void {
    if (refused === this.#refused) return;
    this.#refused = refused;
    this.#changed();
  }

  #onEvent(screen: SilenceScreen, type: (typeof mediaEvents)[number]): void {
    if (screen === this.#coming && type === 'loadeddata') this.#bringForward(screen);
    if (screen !== this.#front) return;
    // What the visitor does in picture-in-picture or by a media key.
    const own = !this.#seen || document.hidden || !screen.video.isConnected || this.#refused;
    if (type === 'pause' && !own && screen.video.paused) this.#wanted = false;
    if (type === 'play' && !screen.video.paused) this.#wanted = true;
    if (this.duration !== this.#duration && !Number.isNaN(this.duration)) {
      this.#duration = this.duration;
      this.fire('durationchange');
    }
    // Told by show() or by the round that plays; a tape has a duration of its own, which is no one's business.
    if (type !== 'durationchange' && type !== 'error' && type !== 'emptied') this.fire(type);
  }

  #bringForward(screen: SilenceScreen): void {
    const before = this.#front;
    this.#front = screen;
    this.#coming = null;
    screen.video.classList.add('front');
    const moved = before && movePictureInPicture(before.video, screen.video);
    if (moved) void moved.then(() => this.#drop(before));
    else this.#drop(before);
    void this.#run();
  }
}
