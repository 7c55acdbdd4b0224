// The clips of one unbroken timeline, the position of each on it, and the interface of the renderers that show them. There is no
// `<video>` here.
// - The clip that plays next is fetched alone; then those after it, two at a time, until 16 MB are fetched ahead. So videos that
//   play later do not delay the first picture, and a visitor who leaves after a minute has not loaded the whole page. A clip
//   whose address expires is fetched earlier, by its owner (`ClipBytes.load()`).
// - Up to 64 MB are kept so that a reader can go back. Above that the clips played longest ago are removed first, then those that
//   play last, but never the clip on screen, the next one and the 16 MB ahead, even if a clip is larger than 64 MB by itself. A
//   removed clip is fetched again when it is to be played.
// - The player decides which clip is next and when; a renderer shows its picture without a gap.
import type { SignError } from '../../protocol/sign-error.ts';
import type { ClipBytes, Playable } from './clip-bytes.ts';
import type { PlayerSettings } from '../player.ts';

const BYTE_BUDGET = 64_000_000;
const BYTES_AHEAD = 16_000_000;
const FETCHED_AT_ONCE = 2;

export interface Clip {
  readonly bytes: ClipBytes;
  /** Seconds as the service announced them, null when it did not; the media's own duration wins once known. */
  readonly duration: number | null;
  /** Its sound is for the visitor. A clip of the service may have a silent track; a video by a person may have a voice. */
  readonly isHeard?: boolean | undefined;
  /** Its first frame is on screen. Called again when the clip is played again. */
  started(): void;
  /** Its last frame has been shown. Called again when the clip is played again. */
  ended(): void;
  /** It will not be shown: `media_error`, `media_refused` or the error of its renewal. */
  failed(error: SignError): void;
}

export interface PlaylistItem {
  readonly clip: Clip;
  playable: Playable | null;
  /** Its media is loaded or is being fetched; false before that, and after it was removed. */
  asked: boolean;
  /** Seconds; the announced duration until that of the media is known. */
  duration: number;
  /** Its first frame has been on screen since it was added or reset. */
  started: boolean;
  /** Played to its last frame since it was added or reset. */
  ended: boolean;
  /** A SourceBuffer took only a part of it. */
  isRefused?: boolean;
}

export class Playlist {
  #items: PlaylistItem[] = [];
  #begun = false;

  /** True at the first call, and at the first call after `clear()`. */
  begin(): boolean {
    const first = !this.#begun;
    this.#begun = true;
    return first;
  }

  get items(): readonly PlaylistItem[] {
    return this.#items;
  }

  add(clip: Clip, before: PlaylistItem | null): PlaylistItem {
    const item = {
      clip,
      playable: null,
      asked: false,
      duration: clip.duration ?? 0,
      started: false,
      ended: false,
    };
    const index = before ? this.#items.indexOf(before) : -1;
    this.#items.splice(index < 0 ? this.#items.length : index, 0, item);
    return item;
  }

  find(clip: Clip): PlaylistItem | undefined {
    return this.#items.find((item) => item.clip === clip);
  }

  has(item: PlaylistItem): boolean {
    return this.#items.includes(item);
  }

  remove(item: PlaylistItem): void {
    this.#items = this.#items.filter((other) => other !== item);
  }

  /** Drops an address that does not play; false when the clip is not played by its address, or when there is no fresh one. */
  expire(item: PlaylistItem): boolean {
    if (typeof item.playable !== 'string' || !item.clip.bytes.expire()) return false;
    item.playable = null;
    item.asked = false;
    return true;
  }

  /** The item after this one; the first when `item` is null. */
  after(item: PlaylistItem | null): PlaylistItem | null {
    return this.#items[item ? this.#items.indexOf(item) + 1 : 0] ?? null;
  }

  /** Sets the duration that the media has. True when it differs from the one before. */
  setDuration(item: PlaylistItem, seconds: number): boolean {
    if (!Number.isFinite(seconds) || seconds === item.duration) return false;
    item.duration = seconds;
    return true;
  }

  /** Seconds from the beginning to this item's; to the end when it is null. */
  offsetOf(item: PlaylistItem | null): number {
    let offset = 0;
    for (const other of this.#items) {
      if (other === item) break;
      offset += other.duration;
    }
    return offset;
  }

  /** Seconds; NaN for an empty playlist. */
  get duration(): number {
    return this.#items.length ? this.#items.reduce((sum, item) => sum + item.duration, 0) : NaN;
  }

  /** `[start, end]` in seconds of the clips that are loaded; clips that follow one another are one range. */
  get loaded(): [number, number][] {
    const ranges: [number, number][] = [];
    let offset = 0;
    for (const { playable, duration } of this.#items) {
      const last = ranges.at(-1);
      const end = offset + duration;
      if (playable && last?.[1] === offset) last[1] = end;
      else if (playable) ranges.push([offset, end]);
      offset = end;
    }
    return ranges;
  }

  /** The item that shows at this second, and the second within it. */
  at(time: number): { item: PlaylistItem; within: number } | null {
    let offset = 0;
    for (const item of this.#items) {
      if (time < offset + item.duration || item === this.#items.at(-1)) {
        return { item, within: Math.min(Math.max(0, time - offset), item.duration) };
      }
      offset += item.duration;
    }
    return null;
  }

  /** Resets this item and all after it, so that they start and end once more. */
  resetFrom(item: PlaylistItem): void {
    for (const other of this.#items.slice(this.#items.indexOf(item))) {
      other.started = false;
      other.ended = false;
    }
  }

  /**
   * Makes this item the next one to play, and resets those that will play again. Returns the items before it that were skipped
   * without being played.
   */
  moveTo(item: PlaylistItem): PlaylistItem[] {
    const index = this.#items.indexOf(item);
    const skipped = this.#items.filter((other, at) => at < index && !other.ended);
    this.#items.forEach((other, at) => {
      if (at > index || (at === index && other.ended)) other.started = false;
      other.ended = at < index;
    });
    return skipped;
  }

  /** The item to be fetched now: the next one to play, then those after it; null when enough is fetched or under way. */
  due(next: PlaylistItem | null): PlaylistItem | null {
    if (!next?.asked) return next;
    if (!next.playable) return null;
    const ahead = this.#items.slice(this.#items.indexOf(next));
    const fetching = ahead.filter(({ asked, playable }) => asked && !playable);
    if (bytesOf(ahead) >= BYTES_AHEAD || fetching.length >= FETCHED_AT_ONCE) return null;
    return ahead.find(({ asked }) => !asked) ?? null;
  }

  /** Releases bytes until the budget is kept; never those of the clip on screen, nor those ahead that `due` would fetch again. */
  trim(current: PlaylistItem | null, next: PlaylistItem | null): void {
    const at = next ? this.#items.indexOf(next) : this.#items.length;
    const [played, ahead] = [this.#items.slice(0, at), this.#items.slice(at)];
    let total = bytesOf(this.#items);
    for (const item of [...played, ...ahead.slice(1).reverse()]) {
      const size = sizeOf(item.playable);
      const isFetchedAgain = ahead.includes(item) && bytesOf(ahead) - size < BYTES_AHEAD;
      if (total <= BYTE_BUDGET || isFetchedAgain) return;
      if (size === 0 || item === current) continue;
      total -= size;
      item.playable = null;
      item.asked = false;
      item.clip.bytes.forget();
    }
  }

  /** Drops all items, and releases their bytes: whoever remembers a clip for its address would keep them. */
  clear(): PlaylistItem[] {
    const dropped = this.#items;
    for (const { clip } of dropped) clip.bytes.forget();
    this.#items = [];
    this.#begun = false;
    return dropped;
  }
}

/** Bytes; 0 for an address. */
const sizeOf = (playable: Playable | null): number =>
  playable === null || typeof playable === 'string' ? 0 : playable.bytes.length;

const bytesOf = (items: readonly PlaylistItem[]): number =>
  items.reduce((sum, { playable }) => sum + sizeOf(playable), 0);

/** What a renderer reports to the playlist, each for one item. */
export interface RendererEvents {
  /** This item's picture is on screen; `duration` in seconds; `changed` when the visible `<video>` or its size changed. */
  onScreen(item: PlaylistItem, duration: number, changed: boolean): void;
  /** The duration of its media in seconds, as far as the browser knows it now. */
  duration(item: PlaylistItem, seconds: number): void;
  /** A frame of it has been painted; may be reported more than once. */
  painted(item: PlaylistItem): void;
  /** Its last frame has been shown for its full time. */
  ended(item: PlaylistItem): void;
  /** This renderer will never show it. */
  unplayable(item: PlaylistItem, reason: string): void;
  /** A native event of the visible video, while it holds `item`. */
  event(item: PlaylistItem, type: string): void;
}

export interface Renderer {
  /** The visible video; before the first picture, the one that will show it. */
  readonly video: HTMLVideoElement;
  /** True once there has been a picture. */
  readonly shown: boolean;
  /** True during a seek within the current clip. */
  readonly seeking: boolean;
  /** Seconds into the current clip. */
  readonly within: number;
  /** True while this item is on screen. */
  shows(item: PlaylistItem): boolean;
  /**
   * Prepares the item that follows the one on screen; null when none follows. With `joined` playback continues into it by
   * itself; without, it stops at the last frame until `show()`.
   */
  prepare(item: PlaylistItem | null, joined: boolean): void;
  /** Shows an item from `within` seconds on, as soon as it has a picture; `playing` when it is then played. */
  show(item: PlaylistItem, within: number, playing: boolean): void;
  /** Stops waiting for the picture of an item that is no longer wanted. */
  halt(): void;
  /** Pauses the visible video; this is not reported as a `pause` of the visitor. */
  stop(): void;
  apply(settings: PlayerSettings): void;
  /** Takes the videos off the page and releases all that they hold. */
  destroy(): void;
}
