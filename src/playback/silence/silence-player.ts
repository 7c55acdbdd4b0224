// The player of the idle signer. A page sees it as one `<video loop>`: time and duration are those of one round, and it never
// ends.
// - Plays by itself, muted, while it can be seen.
// - A visitor who wants reduced motion sees the first picture and may start it (WCAG 2.2 SC 2.3.3).
// - The picture on screen stays until the next one is there.
import type { SignError } from '../../protocol/sign-error.ts';
import { mediaEvents, type PlayerSettings, timeRanges } from '../player.ts';
import { applySettings, movePictureInPicture } from '../signer-video.ts';
import { VideoPlayer } from '../video-player.ts';
import { LoopRenderer } from './loop-renderer.ts';
import type { SilenceLoop } from './silence-loop.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';
/** Events that the player fires itself: a change of speed or volume where it is set. */
const ownEvents = new Set(['durationchange', 'error', 'emptied', 'ratechange', 'volumechange']);

export class SilencePlayer extends VideoPlayer {
  override loop = true;
  #visible: LoopRenderer | null = null;
  /** The one that has no picture yet. */
  #next: LoopRenderer | null = null;
  /** The addresses of the loop on screen and of the next one. */
  readonly #sources = new Map<SilenceLoop, string>();
  #seen = false;
  #duration = NaN;
  /** It listens to the setting for reduced motion. */
  #hasBegun = false;
  /** Aborted by `reset()`. */
  #life = new AbortController();
  /** Called when the loop that was shown last fails. */
  #failed: (error: SignError) => void = () => {};

  /** It plays only while somebody can see it; default false. */
  set seen(seen: boolean) {
    this.#seen = seen;
    this.#run();
  }

  /** Shows this loop, from the next rest point on when another plays. `failed` is called once, when it cannot be played. */
  show(loop: SilenceLoop, src: string, failed: (error: SignError) => void): void {
    this.#failed = failed;
    this.#begin();
    for (const other of this.#sources.keys()) if (other !== this.#visible?.loop) this.#sources.delete(other);
    this.#sources.set(loop, src);
    this.#next?.destroy();
    this.#next = null;
    if (this.#visible?.take(loop)) return;
    const renderer = new LoopRenderer(loop, (error) => {
      renderer.destroy();
      if (renderer === this.#visible) {
        this.#visible = null;
        this.updatePaused();
        this.fire('emptied');
        // The next loop is being loaded and may play.
        if (this.#next) return;
      } else if (renderer === this.#next) {
        this.#next = null;
      } else {
        return;
      }
      this.#failed(error);
    });
    this.#next = renderer;
    applySettings(renderer.video, this.settings);
    for (const type of mediaEvents)
      renderer.video.addEventListener(type, () => this.#onEvent(renderer, type));
    this.box.append(renderer.video);
  }

  override get media(): HTMLVideoElement | null {
    return this.#visible?.video ?? null;
  }
  /** True when it waits for the visitor: autoplay was refused, or reduced motion is wanted. */
  override get blocked(): boolean {
    return super.blocked || (this.media !== null && !this.wanted && matchMedia(REDUCED).matches);
  }
  override get currentTime(): number {
    const { currentTime = 0 } = this.media ?? {};
    return Math.max(0, currentTime - (this.#visible?.start ?? 0));
  }
  override set currentTime(time: number) {
    const { media, duration } = this;
    if (!media || !(duration > 0)) return;
    media.currentTime =
      (this.#visible?.start ?? 0) + Math.min(Math.max(0, Number(time) || 0), duration - 0.001);
  }
  override get duration(): number {
    return this.#visible?.duration ?? NaN;
  }
  override get buffered(): TimeRanges {
    return timeRanges([0, this.duration]);
  }
  override get seekable(): TimeRanges {
    return timeRanges([0, this.duration]);
  }
  override get currentSrc(): string {
    return (this.#visible && this.#sources.get(this.#visible.loop)) ?? '';
  }
  override reset(): void {
    this.#life.abort();
    this.#life = new AbortController();
    for (const renderer of [this.#visible, this.#next]) renderer?.destroy();
    this.#visible = this.#next = null;
    this.#duration = NaN;
    this.#sources.clear();
    this.#seen = this.#hasBegun = false;
    super.reset();
  }

  protected override applyToVideos(settings: PlayerSettings): void {
    for (const renderer of [this.#visible, this.#next]) if (renderer) applySettings(renderer.video, settings);
  }

  protected override get autoplays(): boolean {
    return !matchMedia(REDUCED).matches;
  }

  protected override get playable(): boolean {
    return this.media !== null && this.#seen;
  }

  /** While nobody can see it, the player itself holds the picture. */
  protected override get held(): boolean {
    return !this.#seen;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { signal } = this.#life;
    const reduced = matchMedia(REDUCED);
    const onChange = (): void => {
      this.intend(null);
      this.#run();
    };
    reduced.addEventListener('change', onChange, { signal });
  }

  /** Plays or pauses the video, as the intent says. */
  #run(): void {
    this.updatePaused();
    if (this.paused) this.media?.pause();
    else void this.start();
  }

  #onEvent(renderer: LoopRenderer, type: (typeof mediaEvents)[number]): void {
    if (renderer === this.#next && type === 'loadeddata') this.#show(renderer);
    if (renderer !== this.#visible) return;
    if (type === 'pause' || type === 'play') return this.onVideoToggled(type);
    if (this.duration !== this.#duration && !Number.isNaN(this.duration)) {
      this.#duration = this.duration;
      this.fire('durationchange');
    }
    // `durationchange` is fired above, when a round has another length: the duration of the MediaSource itself is infinite.
    if (!ownEvents.has(type)) this.fire(type);
  }

  #show(renderer: LoopRenderer): void {
    const before = this.#visible;
    this.#visible = renderer;
    this.#next = null;
    renderer.video.classList.add('shown');
    const moved = before && movePictureInPicture(before.video, renderer.video);
    if (moved) void moved.then(() => before.destroy());
    else before?.destroy();
    this.#run();
  }
}
