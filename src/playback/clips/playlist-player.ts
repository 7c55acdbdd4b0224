// Plays clips as one timeline: `currentTime` and `duration` run over all of them; after its end the next clip begins a new one.
// - The order never changes; a clip that fails is left out and the others play.
// - Between two clips the last frame stays on screen, at fast playback rates for longer (sentence-pause.ts).
// - No `<video>` is made before a clip is expected.
import { ownError } from '../../protocol/own-errors.ts';
import { SignError } from '../../protocol/sign-error.ts';
import type { PlayerSettings } from '../player.ts';
import type { IdleLoop } from '../silence/idle-signer.ts';
import { LazyIdleSigner } from '../silence/lazy-idle-signer.ts';
import { FallbackPlayer } from './fallback-player.ts';
import type { Clip, PlaylistItem, RendererEvents } from './playlist.ts';
import { PlaylistTimeline } from './playlist-timeline.ts';
import { SentencePause } from './sentence-pause.ts';

/** Media events that the player fires itself, because a clip's own are not the playlist's. */
const ownEvents: ReadonlySet<string> = new Set(
  'play pause ended durationchange loadedmetadata loadeddata ratechange volumechange emptied'.split(' '),
);

export class PlaylistPlayer extends PlaylistTimeline {
  readonly #pause = new SentencePause(() => this.#advance());
  #idleSigner: LazyIdleSigner | null = null;
  #idle: IdleLoop | null = null;
  #moreExpected = false;
  #lastFrame: ReturnType<typeof setTimeout> | undefined;
  /** Aborted by `reset()`. */
  #life = new AbortController();

  /** True while further clips are on their way: the player then waits on the last frame and does not end. */
  set moreExpected(value: boolean) {
    if (value === this.#moreExpected) return;
    this.#moreExpected = value;
    if (value) this.#openRenderer();
    else this.#advance();
  }

  /**
   * The idle signer, who is shown while nothing is left to play; null (default) for the last frame. It is not shown while the
   * visitor has paused, wants reduced motion or does not see the page. It does not count in `currentTime`, `duration`, `ended`
   * and `media`.
   */
  set idle(loop: IdleLoop | null) {
    this.#idle = loop;
    this.#updateIdle();
  }

  append(clip: Clip): void {
    this.#insert(clip, null);
  }

  /** Drops a clip; when it is on screen, the next one begins at once, after `removed` was called. */
  remove(clip: Clip, removed?: () => void): void {
    const item = this.playlist.find(clip);
    if (!item) return;
    clip.bytes.release();
    this.playlist.remove(item);
    this.fire('durationchange');
    if (item === this.current && !item.ended) {
      this.renderer?.halt();
      this.renderer?.stop();
      this.current = null;
      this.jumping = false;
    }
    removed?.();
    this.#advance();
  }

  /** After the end: plays the whole playlist once more. */
  playAgain(): void {
    const [first] = this.playlist.items;
    if (this.over && first) this.playFrom([first.clip]);
  }

  /** Plays the playlist again from the first of these clips on; clips that are no longer in it are inserted as the next ones. */
  playFrom(clips: readonly Clip[]): void {
    const first = clips[0] && this.playlist.find(clips[0]);
    this.intend(true);
    if (first) {
      this.over = false;
      this.playlist.resetFrom(first);
      this.updatePaused();
      this.show(first, 0);
    } else {
      const next = this.over ? null : this.next;
      for (const clip of clips) this.#insert(clip, next);
    }
  }

  override reset(): void {
    for (const { clip } of this.playlist.clear()) clip.bytes.release();
    this.#life.abort();
    this.#life = new AbortController();
    this.#pause.end();
    clearTimeout(this.#lastFrame);
    this.renderer?.destroy();
    this.#idleSigner?.destroy();
    this.renderer = this.#idleSigner = this.current = this.failure = null;
    this.over = this.#moreExpected = this.jumping = false;
    super.reset();
  }

  #insert(clip: Clip, before: PlaylistItem | null): void {
    if (this.over) this.#startPlaylist();
    this.playlist.add(clip, before);
    this.fire('durationchange');
    this.updatePaused();
    this.#fetchAhead();
  }

  #startPlaylist(): void {
    this.playlist.clear();
    this.current = this.failure = null;
    this.over = false;
    this.renderer?.beginPlaylist();
    for (const type of ['emptied', 'timeupdate']) this.fire(type);
  }

  #openRenderer(): void {
    if (this.renderer) return;
    this.renderer = new FallbackPlayer(this.box, this.settings, this.#rendererEvents);
    this.#idleSigner = new LazyIdleSigner(this.box);
    const onVisibility = (): void => {
      this.onVisibility();
      this.#updateIdle();
    };
    document.addEventListener('visibilitychange', onVisibility, { signal: this.#life.signal });
  }

  #fetchAhead(): void {
    for (let item = this.playlist.due(this.next); item; item = this.playlist.due(this.next)) {
      void this.#fetch(item);
    }
  }

  async #fetch(item: PlaylistItem): Promise<void> {
    item.asked = true;
    try {
      this.#openRenderer();
      const playable = await item.clip.bytes.load();
      // A seek to a clip waits for the same download.
      if (!this.playlist.has(item) || item.playable) return;
      item.playable = playable;
      if (typeof playable !== 'string') this.counts.bytes += playable.bytes.length;
      this.playlist.trim(this.current, this.next);
      this.fire('progress');
      this.#advance();
    } catch (error) {
      // A clip that cannot be loaded must not delay the later ones, whatever the reason is.
      this.#fail(item, error instanceof SignError ? error : ownError('media_error', String(error)));
    }
  }

  #fail(item: PlaylistItem, error: SignError): void {
    if (!this.playlist.has(item)) return;
    this.remove(item.clip, () => {
      this.fail(item.playable ? MediaError.MEDIA_ERR_DECODE : MediaError.MEDIA_ERR_NETWORK, error.message);
      item.clip.failed(error);
    });
  }

  /** Does what is to be done next, if anything; it may be called at any time. */
  #advance(): void {
    const next = this.next;
    this.#fetchAhead();
    const ready = next?.playable ? next : null;
    if (this.current && !this.current.ended) {
      if (!this.renderer?.shows(this.current)) return;
      this.renderer.prepare(ready, this.#pause.of(this.playbackRate) === 0);
    } else if (ready && this.#idleSigner?.visible) {
      this.renderer?.prepare(ready, false);
      this.#idleSigner.hideAtRest(() => this.#advance());
    } else if (ready) {
      if (!this.#pause.on) this.show(ready, 0);
    } else if (next) {
      this.fire('waiting');
      this.#updateIdle();
    } else if (this.playlist.items.length && !this.#moreExpected && !this.over) {
      this.#end();
    } else {
      this.updatePaused();
    }
  }

  #end(): void {
    const first = this.playlist.items[0];
    if (this.loop && first) {
      this.playlist.resetFrom(first);
      return this.show(first, 0);
    }
    this.over = true;
    this.fire('timeupdate');
    this.updatePaused();
    this.renderer?.stop();
    this.fire('ended');
  }

  protected override show(item: PlaylistItem, within: number): void {
    this.current = item;
    this.#pause.end();
    this.#updateIdle();
    const show = (): void => this.renderer?.show(item, within, !this.paused && !document.hidden);
    if (item.playable) return show();
    this.renderer?.halt();
    void this.#fetch(item).then(() => this.current === item && item.playable && show());
  }

  readonly #rendererEvents: RendererEvents = {
    onScreen: (item, seconds, changed) => {
      this.#rendererEvents.duration(item, seconds);
      if (changed) this.fire('resize');
      if (this.playlist.begin()) for (const type of ['loadedmetadata', 'loadeddata']) this.fire(type);
      if (this.jumping) {
        this.jumping = false;
        this.fire('seeked');
      }
      if (!this.paused) void this.start();
      this.playlist.trim(item, this.next);
      this.#advance();
    },
    duration: (item, seconds) => this.playlist.setDuration(item, seconds) && this.fire('durationchange'),
    painted: (item) => this.#begin(item),
    unplayable: (item, reason) => {
      if (!this.playlist.expire(item)) this.#fail(item, ownError('media_error', reason));
      else if (item === this.current) this.show(item, this.renderer?.shows(item) ? this.renderer.within : 0);
      else this.#advance();
    },
    ended: (item) => {
      if (item !== this.current || item.ended) return;
      // A clip of one or two frames may end before its first frame was reported.
      this.#begin(item);
      item.ended = true;
      this.endedAt = performance.now();
      this.#pause.begin(this.playbackRate);
      item.clip.ended();
      this.#advance();
    },
    event: (item, type) => {
      if (item !== this.current || !this.media) return;
      if (type === 'pause' || type === 'play') this.onVideoToggled(type, this.endedAt > 0);
      else if (!ownEvents.has(type)) this.fire(type);
    },
  };

  #begin(item: PlaylistItem): void {
    if (item.started || this.current !== item) return;
    item.started = true;
    this.failure = null;
    this.counts.joined(this);
    item.clip.started();
  }

  /** Shows the idle signer while nothing is left to be signed, for now or at all, and the visitor wants playback. */
  #updateIdle(): void {
    const resting = this.over || !this.current || this.current.ended;
    const may = resting && this.renderer?.shown && this.wanted && !this.blocked && !document.hidden;
    if (may && this.#idle) this.#idleSigner?.show(this.#idle);
    else this.#idleSigner?.hide();
  }

  /** Pauses. While the idle signer is on screen it is dismissed instead, and later texts are played as before. */
  override rest(): void {
    if (this.#idleSigner?.visible) this.#idleSigner.dismiss();
    else super.rest();
  }

  protected override updatePaused(): void {
    this.#updateIdle();
    super.updatePaused();
  }

  /** A clip that has ended keeps its last frame; the next clip is started when its first frame is shown. */
  protected override async start(): Promise<void> {
    const { current, media } = this;
    if (!current || current.ended) return;
    if (media?.ended) this.#endAfterLastFrame(current, media);
    else await super.start();
  }

  /** Chromium fires no `ended` for a video that was at its end before it was played: a clip of one frame, or after a seek. */
  #endAfterLastFrame(item: PlaylistItem, media: HTMLVideoElement): void {
    const left = Math.max(0, item.duration - (this.renderer?.within ?? 0));
    clearTimeout(this.#lastFrame);
    const end = (): void => {
      const isShown = item === this.current && media === this.media && media.ended;
      if (isShown && !this.paused) this.#rendererEvents.ended(item);
    };
    this.#lastFrame = setTimeout(end, (left / this.playbackRate) * 1000);
  }

  protected override applyToVideos(settings: PlayerSettings): void {
    this.renderer?.apply(settings);
    this.#advance();
  }
}
