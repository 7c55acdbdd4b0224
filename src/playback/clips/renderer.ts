// The interface between a playlist and the `<video>`s that show it clip by clip: the player decides which clip is next and when,
// a renderer how its picture gets in front of the visitor without a gap.
import type { PlaylistItem } from './playlist.ts';
import type { PlayerSettings } from '../player.ts';

/** What a renderer tells the playlist; `item` is always that of the picture it is about. */
export interface RendererEvents {
  /** This item's picture has come to the front; `duration` in seconds; `changed` when the `<video>` in front or its size did. */
  forward(item: PlaylistItem, duration: number, changed: boolean): void;
  /** A frame of it has been painted; may be told more than once. */
  painted(item: PlaylistItem): void;
  /** Its last frame has been shown for its full time. */
  ended(item: PlaylistItem): void;
  /** This renderer will never show it. */
  unplayable(item: PlaylistItem, reason: string): void;
  /** A native event of the video in front, while it holds `item`. */
  event(item: PlaylistItem, type: string): void;
}

export interface Renderer {
  /** The video in front; before the first picture, the one that will have it. */
  readonly video: HTMLVideoElement;
  /** True once there has been a picture. */
  readonly shown: boolean;
  /** True during a seek within the clip in front. */
  readonly seeking: boolean;
  /** Seconds into the clip in front. */
  readonly within: number;
  /** True while this item's picture is the one in front. */
  shows(item: PlaylistItem): boolean;
  /**
   * Gets an item ready to follow the one in front, null when none does. With `joined` the picture may go on into it by
   * itself; without, it stops at the last frame until `show()`.
   */
  prepare(item: PlaylistItem | null, joined: boolean): void;
  /** Brings an item to the front, at `within` seconds, as soon as its picture is there; `playing` when it is then played. */
  show(item: PlaylistItem, within: number, playing: boolean): void;
  /** Stops waiting for a picture that is no longer wanted. */
  halt(): void;
  /** Holds the picture in front, as the playlist wants it; not told as a `pause` of the visitor's. */
  stop(): void;
  apply(settings: PlayerSettings): void;
  /** Takes the videos off the page and lets all they hold go. */
  destroy(): void;
}
