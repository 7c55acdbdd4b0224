// Two stacked `<video>`s that take turns: one shows, the other has the first frame of the next clip ready behind it.
// - Plays whatever a `<video src>` plays; a join takes about 50 ms.
// - Never black: the last picture stays until the next one is loaded; the visible video is never reloaded.
import type { Renderer, RendererEvents, PlaylistItem } from './playlist.ts';
import { mediaEvents, type PlayerSettings } from '../player.ts';
import { movePictureInPicture } from '../signer-video.ts';
import { VideoSlot } from './video-slot.ts';

export class DoubleBufferPlayer implements Renderer {
  readonly #events: RendererEvents;
  readonly #slots: [VideoSlot, VideoSlot];
  readonly #loaded: [PlaylistItem | null, PlaylistItem | null] = [null, null];
  #front: 0 | 1 = 0;
  #shown = false;
  /** The picture now asked for is not there yet. */
  #coming = false;
  /** Ends with the picture now asked for. */
  #showing = new AbortController();
  readonly #listening = new AbortController();

  constructor(stage: Element, settings: PlayerSettings, events: RendererEvents) {
    this.#events = events;
    this.#slots = [new VideoSlot(), new VideoSlot()];
    this.apply(settings);
    const { signal } = this.#listening;
    this.#slots.forEach(({ video }, index) => {
      stage.append(video);
      for (const type of mediaEvents) {
        video.addEventListener(type, () => this.#onEvent(index, type, video), { signal });
      }
    });
  }

  get video(): HTMLVideoElement {
    return this.#slots[this.#front].video;
  }
  get shown(): boolean {
    return this.#shown;
  }
  get seeking(): boolean {
    return this.video.seeking;
  }
  get within(): number {
    return this.video.currentTime;
  }

  shows(item: PlaylistItem): boolean {
    return this.#shown && this.#loaded[this.#front] === item;
  }

  prepare(item: PlaylistItem | null): void {
    // It would be loaded over what is awaited; the playlist asks again once that is there.
    if (this.#coming) return;
    const back = this.#shown ? ((1 - this.#front) as 0 | 1) : this.#front;
    if (!item?.playable || this.#holds(back, item)) return;
    this.#loaded[back] = item;
    this.#slots[back].load(item.playable, 0);
  }

  show(item: PlaylistItem, within: number): void {
    if (!item.playable) return;
    this.halt();
    const inFront = this.shows(item);
    const back = (1 - this.#front) as 0 | 1;
    const index = this.#loaded[this.#front] === item || !this.#shown ? this.#front : back;
    const slot = this.#slots[index];
    if (!this.#holds(index, item)) {
      this.#loaded[index] = item;
      slot.load(item.playable, within);
    } else if (slot.video.currentTime !== within) {
      slot.painted.reset();
      slot.video.currentTime = within;
    }
    if (inFront || slot.showable) return this.#bringForward(index, item);
    this.#coming = true;
    const { signal } = this.#showing;
    const ready = (): void => {
      if (slot.showable && !signal.aborted) this.#bringForward(index, item);
    };
    for (const type of ['loadeddata', 'seeked', 'canplay'])
      slot.video.addEventListener(type, ready, { signal });
  }

  halt(): void {
    this.#coming = false;
    this.#showing.abort();
    this.#showing = new AbortController();
  }

  stop(): void {
    this.video.pause();
  }

  apply({ playbackRate, muted, volume }: PlayerSettings): void {
    for (const { video } of this.#slots) {
      video.defaultPlaybackRate = playbackRate;
      video.playbackRate = playbackRate;
      video.muted = muted;
      video.volume = volume;
    }
  }

  destroy(): void {
    this.#showing.abort();
    this.#listening.abort();
    for (const slot of this.#slots) {
      slot.clear();
      slot.video.remove();
    }
    this.#loaded.fill(null);
  }

  /** False after an error: the item may have another address by now. */
  #holds(index: 0 | 1, item: PlaylistItem): boolean {
    return this.#loaded[index] === item && !this.#slots[index].video.error;
  }

  #bringForward(index: 0 | 1, item: PlaylistItem): void {
    this.halt();
    const changed = this.#front !== index || !this.#shown;
    const front = this.#slots[index].video;
    const back = this.#slots[(1 - index) as 0 | 1].video;
    this.#front = index;
    this.#shown = true;
    front.classList.add('front');
    back.classList.remove('front');
    back.pause();
    void movePictureInPicture(back, front);
    this.#slots[index].painted.onceOnScreen(this.#showing.signal, () => this.#events.painted(item));
    this.#events.forward(item, front.duration, changed);
  }

  #onEvent(index: number, type: string, video: HTMLVideoElement): void {
    const item = this.#loaded[index];
    if (!item) return;
    if (type === 'error')
      this.#events.unplayable(item, video.error?.message || 'this is not a video that plays here');
    // Sound alone, or sound beside pictures in a coding that is not known here: browsers play that without a word.
    else if (type === 'loadeddata' && video.videoWidth === 0) {
      this.#loaded[index] = null;
      this.#events.unplayable(item, 'there is no picture in it that plays here');
    } else if (!this.#shown || index !== this.#front) return;
    // Chromium 156 finds out while it plays that a last frame of B-frames is held.
    else if (type === 'durationchange') this.#events.lasts(item, video.duration);
    else if (type === 'ended') this.#events.ended(item);
    else this.#events.event(item, type);
  }
}
