// Shows clips on one joined video while it can, and falls back to two stacked ones where it cannot: no MediaSource, a media host
// without CORS, a file or codec that MSE does not take, a source that closes, a picture that does not move for 8 s.
// - The picture on screen stays until the other renderer has one.
// - The current clip is not repeated: it goes on where it was.
// - A clip that cannot be joined falls back alone: the next one that can is joined again. After a clip that can be joined has
//   failed (the source closed, the picture stood), no clip is joined before the playlist is over.
// - What does not move on two videos for 20 s, where bytes may still be on their way, counts as unplayable.
import type { Renderer, RendererEvents, PlaylistItem } from './playlist.ts';
import { MsePlayer } from './mse-player.ts';
import { movePictureInPicture } from '../signer-video.ts';
import { mediaSourceClass } from '../source-buffer-queue.ts';
import { remuxItem } from './buffer-timeline.ts';
import { DoubleBufferPlayer } from './double-buffer-player.ts';
import { ProgressWatchdog } from '../video-progress.ts';
import type { PlayerSettings } from '../player.ts';

/** In looks, one a second. */
const MSE_PATIENCE = 8;
const DOUBLE_BUFFER_PATIENCE = 20;

/** Seconds that are here, of all there is. */
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
  readonly #stage: Element;
  readonly #events: RendererEvents;
  #settings: PlayerSettings;
  /** Has the picture. */
  #front: Renderer;
  /** Gets what comes next. It differs from the one on screen only after a fall back, and after a return to one video. */
  #active: Renderer;
  #fallen = false;
  /** A clip that can be joined has failed on one video. */
  #failed = false;
  #shown: {
    readonly item: PlaylistItem;
    readonly within: number;
    readonly playing: boolean;
    /** Was asked for it. */
    readonly renderer: Renderer;
  } | null = null;
  #prepared: PlaylistItem | null = null;
  readonly #stuck = new ProgressWatchdog(
    () => this.#sight(),
    (looks) => this.#onStuck(looks),
  );

  constructor(stage: Element, settings: PlayerSettings, events: RendererEvents) {
    this.#stage = stage;
    this.#settings = settings;
    this.#events = events;
    this.#front = this.#active = this.#open();
  }

  get video(): HTMLVideoElement {
    return this.#front.video;
  }
  get shown(): boolean {
    return this.#front.shown;
  }
  get seeking(): boolean {
    return this.#front.seeking;
  }
  get within(): number {
    return this.#front.within;
  }

  shows(item: PlaylistItem): boolean {
    return this.#front.shows(item);
  }

  prepare(item: PlaylistItem | null, joined: boolean): void {
    if (item && item !== this.#prepared && this.#fallen && !this.#failed && canBeJoined(item)) this.#join();
    this.#prepared = item;
    if (this.#front !== this.#active) this.#front.prepare(null, false);
    this.#active.prepare(item, joined);
  }

  show(item: PlaylistItem, within: number, playing: boolean): void {
    // A seek within the clip on screen is for the renderer that shows it.
    this.#showOn(this.#front.shows(item) ? this.#front : this.#active, item, within, playing);
  }

  #showOn(renderer: Renderer, item: PlaylistItem, within: number, playing: boolean): void {
    this.#shown = { item, within, playing, renderer };
    this.#stuck.begin();
    renderer.show(item, within, playing);
  }

  halt(): void {
    this.#shown = null;
    this.#stuck.end();
    this.#front.halt();
    this.#active.halt();
  }

  stop(): void {
    this.#front.stop();
  }

  apply(settings: PlayerSettings): void {
    this.#settings = settings;
    this.#front.apply(settings);
    this.#active.apply(settings);
  }

  destroy(): void {
    this.#stuck.end();
    this.#front.destroy();
    this.#active.destroy();
  }

  /** A new playlist begins: its clips are joined again. */
  rise(): void {
    if (this.#fallen) this.#join();
    this.#failed = false;
  }

  #join(): void {
    if (!mediaSourceClass()) return;
    this.#fallen = false;
    this.#change();
  }

  #open(): Renderer {
    const Source = this.#fallen ? null : mediaSourceClass();
    const tell = this.#events;
    const inFront = (): boolean => renderer === this.#front;
    const events: RendererEvents = {
      forward: (item, duration, changed) => {
        const before = this.#front;
        const came = before !== renderer;
        this.#front = renderer;
        if (came) {
          const moved = movePictureInPicture(before.video, renderer.video);
          if (moved) void moved.then(() => before.destroy());
          else before.destroy();
        }
        tell.forward(item, duration, came || changed);
      },
      lasts: (item, seconds) => inFront() && tell.lasts(item, seconds),
      painted: (item) => inFront() && tell.painted(item),
      ended: (item) => {
        if (!inFront()) return;
        if (this.#shown?.item === item) this.#stuck.end();
        tell.ended(item);
      },
      event: (item, type) => inFront() && tell.event(item, type),
      unplayable: (item, reason) => {
        if (renderer instanceof DoubleBufferPlayer) return tell.unplayable(item, reason);
        if (renderer === this.#active) this.#fallBack(item);
        this.#resumeWith(item);
      },
    };
    const renderer: Renderer = Source
      ? new MsePlayer(this.#stage, this.#settings, events, Source)
      : new DoubleBufferPlayer(this.#stage, this.#settings, events);
    return renderer;
  }

  #fallBack(item: PlaylistItem): void {
    this.#fallen = true;
    this.#failed ||= canBeJoined(item);
    this.#change();
  }

  #change(): void {
    if (this.#active !== this.#front) this.#active.destroy();
    else if (!this.#front.shown) this.#front.destroy();
    const isDoubleBuffered = this.#front instanceof DoubleBufferPlayer;
    const isUsable = this.#fallen ? isDoubleBuffered : !isDoubleBuffered && !this.#failed;
    this.#active = isUsable ? this.#front : this.#open();
    if (!this.#front.shown) this.#front = this.#active;
  }

  /** Asks the other renderer for what the one that gave up was asked for. */
  #resumeWith(item: PlaylistItem): void {
    const shown = this.#shown;
    const { within, video } = this.#front;
    if (this.#front.shows(item)) this.#showOn(this.#active, item, within, !video.paused);
    else if (shown?.item === item) this.show(item, shown.within, shown.playing);
    else if (this.#prepared === item) this.prepare(item, false);
  }

  /** All that may move or come while what was asked for is on its way, or plays. */
  #sight(): string | null {
    const { video, seeking } = this.#front;
    const isHeld = this.#shown !== null && this.shows(this.#shown.item) && video.paused && !seeking;
    if (!this.#shown || isHeld) return null;
    return [...this.#stage.querySelectorAll('video')]
      .map((one) => `${one.currentTime} ${one.readyState} ${loadedOf(one)}`)
      .join();
  }

  #onStuck(looks: number): void {
    if (!this.#shown) return;
    const { item, renderer } = this.#shown;
    const isDoubleBuffered = renderer instanceof DoubleBufferPlayer;
    if (looks < (isDoubleBuffered ? DOUBLE_BUFFER_PATIENCE : MSE_PATIENCE)) return;
    if (isDoubleBuffered) return this.#events.unplayable(item, 'the video stands still');
    if (renderer === this.#active) this.#fallBack(item);
    this.#resumeWith(item);
  }
}
