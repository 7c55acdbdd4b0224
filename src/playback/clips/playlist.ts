// The clips of one unbroken row and where each lies on its timeline. Pure bookkeeping, no `<video>`. Policy: bytes of
// the row are kept so that a reader can go back, up to 64 MB: those played longest ago are first out, then those that
// come last; never those of the clip on screen and of the next. What was let go is fetched again when its turn comes.
import type { SignError } from '../../protocol/sign-error.ts';
import type { ClipBytes, Playable } from './clip-bytes.ts';

const BYTE_BUDGET = 64_000_000;

export interface Clip {
  readonly bytes: ClipBytes;
  /** Seconds as the service announced them, null when it did not; the media's own duration wins once known. */
  readonly duration: number | null;
  /** Its first frame is on screen. Called again when the clip is played again. */
  started(): void;
  /** Its last frame has been shown. Called again when the clip is played again. */
  ended(): void;
  /** It will not be shown: `media_error`, `media_refused` or what the renewal met. */
  failed(error: SignError): void;
}

export interface PlaylistItem {
  readonly clip: Clip;
  playable: Playable | null;
  /** It is here or on its way; false once it was let go. */
  asked: boolean;
  /** Seconds; the announced duration until the media tells its own. */
  duration: number;
  /** Its first frame has been on screen since it was last (re)armed. */
  started: boolean;
  /** Played to its last frame since it was last (re)armed. */
  ended: boolean;
}

export class Playlist {
  #entries: PlaylistItem[] = [];
  #begun = false;

  /** True of the first picture of a row, and never again until the row is cleared. */
  begin(): boolean {
    const first = !this.#begun;
    this.#begun = true;
    return first;
  }

  get entries(): readonly PlaylistItem[] {
    return this.#entries;
  }

  add(clip: Clip, before: PlaylistItem | null): PlaylistItem {
    const entry = {
      clip,
      playable: null,
      asked: false,
      duration: clip.duration ?? 0,
      started: false,
      ended: false,
    };
    const index = before ? this.#entries.indexOf(before) : -1;
    this.#entries.splice(index < 0 ? this.#entries.length : index, 0, entry);
    return entry;
  }

  find(clip: Clip): PlaylistItem | undefined {
    return this.#entries.find((entry) => entry.clip === clip);
  }

  has(entry: PlaylistItem): boolean {
    return this.#entries.includes(entry);
  }

  remove(entry: PlaylistItem): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  /** The entry after this one; the first when `entry` is null. */
  after(entry: PlaylistItem | null): PlaylistItem | null {
    return this.#entries[entry ? this.#entries.indexOf(entry) + 1 : 0] ?? null;
  }

  /** Seconds from the row's start to this entry's; to the row's end when it is null. */
  offsetOf(entry: PlaylistItem | null): number {
    let offset = 0;
    for (const other of this.#entries) {
      if (other === entry) break;
      offset += other.duration;
    }
    return offset;
  }

  /** Seconds; NaN for an empty row. */
  get duration(): number {
    return this.#entries.length ? this.#entries.reduce((sum, entry) => sum + entry.duration, 0) : NaN;
  }

  /** Seconds from the start for which bytes are here without a gap. */
  get loaded(): number {
    let end = 0;
    for (const entry of this.#entries) {
      if (!entry.playable) break;
      end += entry.duration;
    }
    return end;
  }

  /** The entry that shows at this second, and the second within it. */
  at(time: number): { entry: PlaylistItem; within: number } | null {
    let offset = 0;
    for (const entry of this.#entries) {
      if (time < offset + entry.duration || entry === this.#entries.at(-1)) {
        return { entry, within: Math.min(Math.max(0, time - offset), entry.duration) };
      }
      offset += entry.duration;
    }
    return null;
  }

  /** Arms this entry and all after it to start and end once more. */
  rearm(entry: PlaylistItem): void {
    for (const other of this.#entries.slice(this.#entries.indexOf(entry))) {
      other.started = false;
      other.ended = false;
    }
  }

  /**
   * Makes this entry the next to play; what then plays again is armed to start again too. Returns those before it that
   * were passed over unplayed.
   */
  moveTo(entry: PlaylistItem): PlaylistItem[] {
    const index = this.#entries.indexOf(entry);
    const skipped = this.#entries.filter((other, at) => at < index && !other.ended);
    this.#entries.forEach((other, at) => {
      if (at > index || (at === index && other.ended)) other.started = false;
      other.ended = at < index;
    });
    return skipped;
  }

  /** Lets bytes go until the budget holds; never those of the clip on screen and of what plays next. */
  trim(current: PlaylistItem | null, next: PlaylistItem | null): void {
    const at = next ? this.#entries.indexOf(next) : this.#entries.length;
    const [played, later] = [this.#entries.slice(0, at), this.#entries.slice(at + 1)];
    let total = this.#entries.reduce((sum, { playable }) => sum + sizeOf(playable), 0);
    for (const entry of [...played, ...later.reverse()]) {
      if (total <= BYTE_BUDGET) return;
      const size = sizeOf(entry.playable);
      if (size === 0 || entry === current) continue;
      total -= size;
      entry.playable = null;
      entry.asked = false;
      entry.clip.bytes.forget();
    }
  }

  clear(): PlaylistItem[] {
    const dropped = this.#entries;
    this.#entries = [];
    this.#begun = false;
    return dropped;
  }
}

/** Bytes; an address takes none. */
const sizeOf = (playable: Playable | null): number =>
  playable === null || typeof playable === 'string' ? 0 : playable.bytes.length;
