// Shows clips joined on one video, and falls back to two stacked videos where that fails: no MediaSource, a media host without
// CORS, a file or codec that MSE does not take, a source that closes, a picture that does not move for 8 s, or for 3 s after a
// seek although the browser says that it has the next frames.
// - The picture on screen stays until the other renderer has one. The current clip continues where it was.
// - A clip that cannot be joined is shown on two videos; the next one that can be joined is joined again.
// - After a joined clip has failed (the source closed, the picture stopped), no clip is joined until the playlist is over.
// - A picture that does not move for 20 s on two videos, where bytes may still be on their way, is unplayable.
import type { Renderer, RendererEvents, PlaylistItem } from './playlist.ts';
import { MsePlayer } from './mse-player.ts';
import { movePictureInPicture } from '../signer-video.ts';
import { mediaSourceClass } from '../source-buffer-queue.ts';
import { remuxItem } from './buffer-timeline.ts';
import { NO_TIMESCALE } from '../mp4/mp4-track.ts';
import { DoubleBufferPlayer } from './double-buffer-player.ts';
import { ProgressWatchdog } from '../video-progress.ts';
import type { PlayerSettings } from '../player.ts';

/** Checks without a change, one a second, after which a video in WebKitGTK is sought to its own position or seek target. */
const SEEK_CHECKS = 2;
/** Checks without a change after which clips are not joined any more. */
const MSE_STUCK_CHECKS = 8;
/** The same where the browser says that it has the next frame. */
const PLAYABLE_STUCK_CHECKS = 3;
const DOUBLE_BUFFER_STUCK_CHECKS = 20;

/** The end of what is buffered, in seconds; 0 when nothing is. */
const loadedOf = ({ buffered }: HTMLVideoElement): number =>
  buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;

function canBeJoined(item: PlaylistItem): boolean {
  try {
    remuxItem(item);
    return true;
  } catch {
    return false;
  }
}

export class FallbackPlayer implements Renderer {
  readonly #box: Element;
  readonly #events: RendererEvents;
  #settings: PlayerSettings;
  /** The renderer whose picture is on screen. */
  #visible: Renderer;
  /** Gets the next clips. It differs from the visible one only after a fall back, and after a return to one video. */
  #active: Renderer;
  #fellBack = false;
  /** A joined clip has failed. */
  #failed = false;
  /** What was asked for last; null when nothing is. */
  #asked: {
    readonly item: PlaylistItem;
    readonly within: number;
    readonly playing: boolean;
    /** The renderer that was asked to show it. */
    readonly renderer: Renderer;
  } | null = null;
  #prepared: PlaylistItem | null = null;
  /** Position of the last seek that was made because the picture did not move. */
  #soughtAt = NaN;
  readonly #stuck = new ProgressWatchdog(
    () => this.#snapshot(),
    (checks) => this.#onStuck(checks),
  );

  constructor(box: Element, settings: PlayerSettings, events: RendererEvents) {
    this.#box = box;
    this.#settings = settings;
    this.#events = events;
    this.#visible = this.#active = this.#open();
  }

  get video(): HTMLVideoElement {
    return this.#visible.video;
  }
  get shown(): boolean {
    return this.#visible.shown;
  }
  get seeking(): boolean {
    return this.#visible.seeking;
  }
  get within(): number {
    return this.#visible.within;
  }

  shows(item: PlaylistItem): boolean {
    return this.#visible.shows(item);
  }

  prepare(item: PlaylistItem | null, joined: boolean): void {
    if (item && item !== this.#prepared && this.#fellBack && !this.#failed && canBeJoined(item)) this.#join();
    this.#prepared = item;
    if (this.#visible !== this.#active) this.#visible.prepare(null, false);
    this.#active.prepare(item, joined);
  }

  show(item: PlaylistItem, within: number, playing: boolean): void {
    // A seek within the clip on screen is for the renderer that shows it.
    this.#showOn(this.#visible.shows(item) ? this.#visible : this.#active, item, within, playing);
  }

  #showOn(renderer: Renderer, item: PlaylistItem, within: number, playing: boolean): void {
    this.#asked = { item, within, playing, renderer };
    this.#stuck.begin();
    renderer.show(item, within, playing);
  }

  halt(): void {
    this.#asked = null;
    this.#stuck.end();
    this.#visible.halt();
    this.#active.halt();
  }

  stop(): void {
    this.#visible.stop();
  }

  apply(settings: PlayerSettings): void {
    this.#settings = settings;
    this.#visible.apply(settings);
    this.#active.apply(settings);
  }

  destroy(): void {
    this.#stuck.end();
    this.#visible.destroy();
    this.#active.destroy();
  }

  /** A new playlist begins: its clips are joined again. */
  beginPlaylist(): void {
    if (this.#fellBack) this.#join();
    this.#failed = false;
  }

  #join(): void {
    if (!mediaSourceClass()) return;
    this.#fellBack = false;
    this.#change();
  }

  #open(): Renderer {
    const Source = this.#fellBack ? null : mediaSourceClass();
    const ownEvents = this.#events;
    const isVisible = (): boolean => renderer === this.#visible;
    const events: RendererEvents = {
      onScreen: (item, duration, changed) => {
        const before = this.#visible;
        const isOther = before !== renderer;
        this.#visible = renderer;
        if (isOther) {
          const moved = movePictureInPicture(before.video, renderer.video);
          if (moved) void moved.then(() => before.destroy());
          else before.destroy();
        }
        ownEvents.onScreen(item, duration, isOther || changed);
      },
      duration: (item, seconds) => isVisible() && ownEvents.duration(item, seconds),
      painted: (item) => isVisible() && ownEvents.painted(item),
      ended: (item) => {
        if (!isVisible()) return;
        if (this.#asked?.item === item) this.#stuck.end();
        ownEvents.ended(item);
      },
      event: (item, type) => isVisible() && ownEvents.event(item, type),
      unplayable: (item, reason) => {
        if (renderer instanceof DoubleBufferPlayer || reason === NO_TIMESCALE)
          return ownEvents.unplayable(item, reason);
        if (renderer === this.#active) this.#fallBack(item);
        this.#resumeWith(item);
      },
    };
    const renderer: Renderer = Source
      ? new MsePlayer(this.#box, this.#settings, events, Source)
      : new DoubleBufferPlayer(this.#box, this.#settings, events);
    return renderer;
  }

  #fallBack(item: PlaylistItem): void {
    this.#fellBack = true;
    this.#failed ||= canBeJoined(item);
    this.#change();
  }

  #change(): void {
    if (this.#active !== this.#visible) this.#active.destroy();
    else if (!this.#visible.shown) this.#visible.destroy();
    const isDoubleBuffered = this.#visible instanceof DoubleBufferPlayer;
    const isUsable = this.#fellBack ? isDoubleBuffered : !isDoubleBuffered && !this.#failed;
    this.#active = isUsable ? this.#visible : this.#open();
    if (!this.#visible.shown) this.#visible = this.#active;
  }

  /** Asks the other renderer for what the failed one was asked for. */
  #resumeWith(item: PlaylistItem): void {
    const asked = this.#asked;
    const { within, video } = this.#visible;
    if (this.#visible.shows(item)) this.#showOn(this.#active, item, within, !video.paused);
    else if (asked?.item === item) this.show(item, asked.within, asked.playing);
    else if (this.#prepared === item) this.prepare(item, false);
  }

  /** Everything that changes while the clip loads or plays; null while nothing has to change. */
  #snapshot(): string | null {
    const { video, seeking } = this.#visible;
    const isHeld = this.#asked !== null && this.shows(this.#asked.item) && video.paused && !seeking;
    if (!this.#asked || isHeld) return null;
    return [...this.#box.querySelectorAll('video')]
      .map((one) => `${one.currentTime} ${one.readyState} ${loadedOf(one)}`)
      .join();
  }

  #onStuck(checks: number): void {
    if (!this.#asked) return;
    const { item, renderer } = this.#asked;
    const { video } = renderer;
    const isDoubleBuffered = renderer instanceof DoubleBufferPlayer;
    const { currentTime, readyState, seeking } = video;
    const isShown = renderer.shows(item) && !seeking;
    // Firefox still shows frames that the buffer has lost. A seek to one of them shows an earlier one.
    const hasNext = loadedOf(video) > currentTime;
    const isPlayable = isShown && hasNext && readyState > HTMLMediaElement.HAVE_CURRENT_DATA;
    if (checks === SEEK_CHECKS && !isDoubleBuffered) {
      if (seeking) video.currentTime += 0;
      else if (isPlayable && currentTime !== this.#soughtAt) {
        renderer.show(item, renderer.within, !video.paused);
        this.#soughtAt = video.currentTime;
      }
    }
    const mseChecks = isPlayable ? PLAYABLE_STUCK_CHECKS : MSE_STUCK_CHECKS;
    if (checks < (isDoubleBuffered ? DOUBLE_BUFFER_STUCK_CHECKS : mseChecks)) return;
    if (isDoubleBuffered) return this.#events.unplayable(item, 'the video does not move');
    if (renderer === this.#active) this.#fallBack(item);
    this.#resumeWith(item);
  }
}
