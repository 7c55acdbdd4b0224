// A row of clips as one timeline. Policy: order never changes; a clip that fails is left out and the row goes on; between
// clips the last frame stays, at fast rates a beat longer (SentenceBeat). What the visitor wants (`#intent`) is kept apart
// from what the browser allows (`refused`), so that neither is forgotten: a refused autoplay is a pause, not an error. The
// screen's code is loaded when the first text is on its way, not before.
import { inTime } from '../../internal/in-time.ts';
import { ownError, SignError } from '../../protocol/sign-error.ts';
import type { IdleLoop } from './idle-signer.ts';
import type { Clip, PlaylistItem } from './playlist.ts';
import type { RendererEvents } from './renderer.ts';
import type { IdleSigner } from './screens.ts';
import { SentencePause } from './sentence-pause.ts';
import { RowSurface } from './row-surface.ts';
import type { PlayerSettings } from '../player.ts';

/** Media events that the player fires itself, because a clip's own are not the row's. */
const rowEvents: ReadonlySet<string> = new Set([
  'play',
  'pause',
  'ended',
  'durationchange',
  'loadedmetadata',
  'loadeddata',
  'ratechange',
  'volumechange',
  'emptied',
]);

export class PlaylistPlayer extends RowSurface {
  readonly #beat = new SentencePause(() => this.#advance());
  #idleSigner: IdleSigner | null = null;
  #idle: IdleLoop | null = null;
  #intent = true;
  #moreExpected = false;
  /** Ends with `reset()`. */
  #life = new AbortController();

  get moreExpected(): boolean {
    return this.#moreExpected;
  }
  set moreExpected(value: boolean) {
    if (value === this.#moreExpected) return;
    this.#moreExpected = value;
    // Should the code not come, the clip will tell.
    if (value) this.#openScreen().catch(() => {});
    else this.#advance();
  }

  get idle(): IdleLoop | null {
    return this.#idle;
  }
  set idle(loop: IdleLoop | null) {
    this.#idle = loop;
    this.#updateIdle();
  }

  append(clip: Clip): void {
    this.#insert(clip, null);
  }

  remove(clip: Clip): void {
    const entry = this.row.find(clip);
    if (!entry) return;
    clip.bytes.release();
    this.row.remove(entry);
    this.fire('durationchange');
    if (entry === this.current && !entry.ended) {
      this.screen?.halt();
      this.screen?.stop();
      this.current = null;
      this.jumping = false;
    }
    this.#advance();
  }

  playFrom(clips: readonly Clip[]): void {
    const first = clips[0] && this.row.find(clips[0]);
    this.#intent = true;
    this.refused = false;
    if (first) {
      this.over = false;
      this.row.rearm(first);
      this.#updatePaused();
      this.#show(first, 0);
    } else {
      const next = this.over ? null : this.next();
      for (const clip of clips) this.#insert(clip, next);
    }
  }

  resume(): void {
    const video = this.media;
    if (video && !this.held && video.paused && !video.ended) void this.#start(video);
  }

  reset(): void {
    for (const { clip } of this.row.clear()) clip.bytes.release();
    this.#life.abort();
    this.#life = new AbortController();
    this.#beat.end();
    this.screen?.destroy();
    this.#idleSigner?.destroy();
    this.screen = this.#idleSigner = this.current = null;
    this.over = this.#moreExpected = this.jumping = this.refused = false;
    this.#intent = true;
    this.#updatePaused();
    this.fire('emptied');
  }

  #insert(clip: Clip, before: PlaylistItem | null): void {
    if (this.over) this.#startRow();
    const entry = this.row.add(clip, before);
    this.fire('durationchange');
    this.#updatePaused();
    void this.#fetch(entry);
  }

  #startRow(): void {
    this.row.clear();
    this.current = null;
    this.over = false;
    this.screen?.rise();
    this.fire('emptied');
    this.fire('timeupdate');
  }

  async #openScreen(): Promise<void> {
    const { signal } = this.#life;
    const { FallbackPlayer, IdleSigner } = await inTime(import('./screens.ts'));
    if (this.screen || signal.aborted) return;
    this.screen = new FallbackPlayer(this.stage, this.settings, this.#screenEvents);
    this.#idleSigner = new IdleSigner(this.stage);
    const onVisibility = (): void => {
      if (!document.hidden) this.resume();
      this.#updateIdle();
    };
    document.addEventListener('visibilitychange', onVisibility, { signal });
  }

  async #fetch(entry: PlaylistItem): Promise<void> {
    entry.asked = true;
    try {
      const [playable] = await Promise.all([entry.clip.bytes.load(), this.#openScreen()]);
      if (!this.row.has(entry)) return;
      entry.playable = playable;
      this.row.trim(this.current, this.next());
      this.fire('progress');
      this.#advance();
    } catch (error) {
      // Whatever it is, a clip that never comes must not hold up those behind it.
      this.#fail(entry, error instanceof SignError ? error : ownError('media_error', String(error)));
    }
  }

  #fail(entry: PlaylistItem, error: SignError): void {
    if (!this.row.has(entry)) return;
    this.remove(entry.clip);
    entry.clip.failed(error);
  }

  /** Does the next thing there is to do; safe to call at any time. */
  #advance(): void {
    const next = this.next();
    // Let go for the byte budget, and wanted now.
    if (next && !next.asked) void this.#fetch(next);
    const ready = next?.playable ? next : null;
    if (this.current && !this.current.ended) {
      if (!this.screen?.shows(this.current)) return;
      this.screen.prepare(ready, this.#beat.of(this.playbackRate) === 0);
    } else if (ready && this.#idleSigner?.on) {
      this.screen?.prepare(ready, false);
      this.#idleSigner.atRest(() => this.#advance());
    } else if (ready) {
      if (!this.#beat.on) this.#show(ready, 0);
    } else if (next) {
      this.fire('waiting');
      this.#updateIdle();
    } else if (this.row.entries.length && !this.#moreExpected && !this.over) {
      this.#endRow();
    } else {
      this.#updatePaused();
    }
  }

  #endRow(): void {
    const first = this.row.entries[0];
    if (this.loop && first) {
      this.row.rearm(first);
      return this.#show(first, 0);
    }
    this.over = true;
    this.fire('timeupdate');
    this.#updatePaused();
    this.screen?.stop();
    this.fire('ended');
  }

  #show(entry: PlaylistItem, within: number): void {
    this.current = entry;
    this.#beat.end();
    this.#updateIdle();
    if (entry.playable) return this.screen?.show(entry, within, !this.held);
    void this.#fetch(entry).then(() => {
      if (this.current === entry && entry.playable) this.screen?.show(entry, within, !this.held);
    });
  }

  readonly #screenEvents: RendererEvents = {
    forward: (entry, duration, changed) => {
      if (Number.isFinite(duration) && duration !== entry.duration) {
        entry.duration = duration;
        this.fire('durationchange');
      }
      if (changed) this.fire('resize');
      if (this.row.begin()) for (const type of ['loadedmetadata', 'loadeddata']) this.fire(type);
      if (this.jumping) {
        this.jumping = false;
        this.fire('seeked');
      }
      if (!this.held && this.media) void this.#start(this.media);
      this.row.trim(entry, this.next());
      this.#advance();
    },
    painted: (entry) => this.#begin(entry),
    unplayable: (entry, reason) => this.#fail(entry, ownError('media_error', reason)),
    ended: (entry) => {
      if (entry !== this.current || entry.ended) return;
      // A clip of a frame or two may be over before its painting was told.
      this.#begin(entry);
      entry.ended = true;
      this.#beat.begin(this.playbackRate);
      entry.clip.ended();
      this.#advance();
    },
    event: (entry, type) => {
      const video = this.media;
      if (entry !== this.current || !video) return;
      if (type === 'pause') {
        // By picture-in-picture or a media key; the browser's own, for a hidden page or a moved element, do not count.
        if (video.ended || document.hidden || !video.isConnected || !video.paused || this.refused) return;
        this.#intent = false;
        this.#updatePaused();
      } else if (type === 'play' && !this.#intent && !video.paused) {
        void this.play();
      } else if (!rowEvents.has(type)) this.fire(type);
    },
  };

  #begin(entry: PlaylistItem): void {
    if (entry.started || this.current !== entry) return;
    entry.started = true;
    entry.clip.started();
  }

  async #start(video: HTMLVideoElement): Promise<void> {
    try {
      await video.play();
    } catch (error) {
      // Anything but a refusal (a load that replaced this one, say) is told by the video's own events.
      const refused = error instanceof DOMException && error.name === 'NotAllowedError';
      if (!refused || video !== this.media) return;
      this.refused = true;
      this.#updatePaused();
    }
  }

  /** The idle signer may come while nothing is left to be signed, for now or at all, and the visitor wants it played. */
  #updateIdle(): void {
    const resting = this.over || !this.current || this.current.ended;
    const may = resting && this.screen?.shown && this.#intent && !this.refused && !document.hidden;
    if (may && this.#idle) this.#idleSigner?.come(this.#idle);
    else this.#idleSigner?.leave();
  }

  #updatePaused(): void {
    this.#updateIdle();
    const paused = !this.#intent || this.refused || this.over || this.row.entries.length === 0;
    if (paused === this.held) return;
    this.held = paused;
    this.fire(paused ? 'pause' : 'play');
  }

  protected override apply(settings: PlayerSettings): void {
    this.screen?.apply(settings);
    this.#advance();
  }

  async play(): Promise<void> {
    this.#intent = true;
    this.refused = false;
    this.#updatePaused();
    if (this.media && this.current && !this.current.ended) await this.#start(this.media);
  }

  pause(): void {
    this.#intent = false;
    this.#updatePaused();
    this.media?.pause();
  }

  protected override seekTo(time: number): void {
    const target = this.row.at(time);
    if (!target) return;
    this.jumping = target.entry !== this.current;
    if (this.jumping) this.fire('seeking');
    this.over = false;
    for (const skipped of this.row.moveTo(target.entry)) skipped.clip.ended();
    this.#updatePaused();
    this.#show(target.entry, target.within);
  }
}
