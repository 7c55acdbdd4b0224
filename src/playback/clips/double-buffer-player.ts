// Two stacked `<video>`s that take turns: one shows, the other has the first frame of the next clip ready behind it.
// - Plays whatever a `<video src>` plays; a join takes about 50 ms and two animation frames.
// - The box never becomes black: the last picture stays until the next one is loaded; the visible video is never reloaded.
// - A clip is over two animation frames after its `ended`: Firefox 153 paints the last frame of a Matroska file up to 20 ms
//   later, and that of a clip that turns out to be longer than its file says.
import type { Renderer, RendererEvents, PlaylistItem } from './playlist.ts';
import { mediaEvents, type PlayerSettings } from '../player.ts';
import { applySettings, movePictureInPicture } from '../signer-video.ts';
import { onEachFrame, reportsFrames } from '../video-progress.ts';
import { ROUNDING } from './buffer-timeline.ts';
import { VideoSlot } from './video-slot.ts';

/** Seconds: a frame of 16 frames a second. */
const LAST_FRAME = 0.06;
/** After this time a painted frame was reported; WebKitGTK takes 0.1 s. */
const REPORTED_MS = 200;
/** The longest wait for the frame of a seek. */
const SOUGHT_MS = 1000;
/** Checks, one after the other, of whether the last frame is painted. */
const TRIES = 6;
/** Events of a video whose last frames are painted after its end. */
const HIDDEN = /^(seek|play|pause|ended|waiting)/;

export class DoubleBufferPlayer implements Renderer {
  readonly #events: RendererEvents;
  readonly #slots: [VideoSlot, VideoSlot];
  readonly #loaded: [PlaylistItem | null, PlaylistItem | null] = [null, null];
  /** Second that each video has painted last since its clip was asked for. */
  readonly #paintedAt: [number, number] = [0, 0];
  readonly #leaveFrames: (() => void)[] = [];
  #visible: 0 | 1 = 0;
  #shown = false;
  /** The item that was asked for has no picture yet. */
  #waiting = false;
  /** The clip on screen has ended, and the frames that were left out at its end are painted. */
  #resting = false;
  /** Aborted when another item is asked for. */
  #showing = new AbortController();
  readonly #listening = new AbortController();

  constructor(box: Element, settings: PlayerSettings, events: RendererEvents) {
    this.#events = events;
    this.#slots = [new VideoSlot(), new VideoSlot()];
    this.apply(settings);
    const { signal } = this.#listening;
    this.#slots.forEach(({ video }, index) => {
      box.append(video);
      this.#leaveFrames.push(onEachFrame(video, (second) => (this.#paintedAt[index] = second)));
      for (const type of mediaEvents) {
        video.addEventListener(type, () => this.#onEvent(index, type, video), { signal });
      }
    });
  }

  get video(): HTMLVideoElement {
    return this.#slots[this.#visible].video;
  }
  get shown(): boolean {
    return this.#shown;
  }
  get seeking(): boolean {
    return this.video.seeking && !this.#resting;
  }
  get within(): number {
    return this.#resting ? this.video.duration : this.video.currentTime;
  }

  shows(item: PlaylistItem): boolean {
    return this.#shown && this.#loaded[this.#visible] === item;
  }

  prepare(item: PlaylistItem | null): void {
    // The item would replace the one that is awaited; the playlist calls again when that one is on screen.
    if (this.#waiting) return;
    const back = this.#shown ? ((1 - this.#visible) as 0 | 1) : this.#visible;
    if (!item?.playable || this.#holds(back, item)) return;
    this.#loaded[back] = item;
    this.#slots[back].load(item.playable, 0);
  }

  show(item: PlaylistItem, within: number): void {
    if (!item.playable) return;
    this.halt();
    const isVisible = this.shows(item);
    const back = (1 - this.#visible) as 0 | 1;
    const index = this.#loaded[this.#visible] === item || !this.#shown ? this.#visible : back;
    const slot = this.#slots[index];
    this.#paintedAt[index] = 0;
    if (!this.#holds(index, item)) {
      this.#loaded[index] = item;
      slot.load(item.playable, within);
    } else slot.seek(within);
    if (isVisible || slot.showable) return this.#switchTo(index, item);
    this.#waiting = true;
    const { signal } = this.#showing;
    const ready = (): void => {
      if (slot.showable && !signal.aborted) this.#switchTo(index, item);
    };
    for (const type of ['loadeddata', 'seeked', 'canplay'])
      slot.video.addEventListener(type, ready, { signal });
  }

  halt(): void {
    this.#waiting = this.#resting = false;
    this.#showing.abort();
    this.#showing = new AbortController();
  }

  stop(): void {
    this.video.pause();
  }

  apply(settings: PlayerSettings): void {
    for (const { video } of this.#slots) applySettings(video, settings);
  }

  destroy(): void {
    this.#showing.abort();
    this.#listening.abort();
    for (const leave of this.#leaveFrames) leave();
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

  #switchTo(index: 0 | 1, item: PlaylistItem): void {
    this.halt();
    const changed = this.#visible !== index || !this.#shown;
    const shown = this.#slots[index].video;
    const back = this.#slots[(1 - index) as 0 | 1].video;
    this.#visible = index;
    this.#shown = true;
    shown.classList.add('shown');
    back.classList.remove('shown');
    back.pause();
    void movePictureInPicture(back, shown);
    this.#slots[index].painted.onceOnScreen(this.#showing.signal, () => this.#events.painted(item));
    this.#events.onScreen(item, shown.duration, changed);
  }

  #onEnded(index: number, item: PlaylistItem, video: HTMLVideoElement): void {
    const { signal } = this.#showing;
    const end = (): void => {
      this.#events.ended(item);
      this.#paintEnd(index, video, signal);
    };
    // A hidden page paints nothing, and neither does a video that does not go on to its end (VideoSlot).
    if (document.hidden || !video.ended) return end();
    const onPainted = (): void => {
      if (!signal.aborted && video.ended) end();
    };
    requestAnimationFrame(() => requestAnimationFrame(onPainted));
  }

  /** A busy WebKitGTK may leave out the last frames of a file. Where the clip rests there, it is sought to its last frame. */
  #paintEnd(index: number, video: HTMLVideoElement, signal: AbortSignal): void {
    setTimeout(() => {
      const second = this.#paintedAt[index]!;
      if (signal.aborted || !reportsFrames(video) || second > video.duration - LAST_FRAME) return;
      this.#resting = true;
      this.#paintedAt[index] = 0;
      video.currentTime = video.duration - ROUNDING;
      if (second > 0) this.#playEnd(index, video, signal, second, TRIES);
    }, REPORTED_MS);
  }

  /** A file that has ended seeks in WebKitGTK only as it plays: it plays on from the frame that was painted last. */
  #playEnd(index: number, video: HTMLVideoElement, signal: AbortSignal, from: number, tries: number): void {
    setTimeout(() => {
      const second = this.#paintedAt[index]!;
      const isPainted = tries === TRIES ? second > 0 : second > video.duration - LAST_FRAME;
      if (signal.aborted || isPainted || tries === 0) return;
      const last = Math.max(from, second);
      if (video.paused) {
        video.currentTime = last;
        video.play().catch(() => {});
      }
      this.#playEnd(index, video, signal, last, tries - 1);
    }, SOUGHT_MS);
  }

  #onEvent(index: number, type: string, video: HTMLVideoElement): void {
    const item = this.#loaded[index];
    if (!item) return;
    // Sound alone, or with pictures in an unknown coding: a browser plays the sound and reports no error.
    const isBlank = type === 'loadeddata' && video.videoWidth === 0;
    if (isBlank) this.#loaded[index] = null;
    if (isBlank || type === 'error')
      this.#events.unplayable(item, video.error?.message || 'it has no picture that plays here');
    else if (!this.#shown || index !== this.#visible) return;
    else if (this.#resting && HIDDEN.test(type)) return;
    // Chromium 156 corrects the duration while it plays a file with B-frames whose last frame is held.
    else if (type === 'durationchange') this.#events.duration(item, video.duration);
    else if (type === 'ended') this.#onEnded(index, item, video);
    else this.#events.event(item, type);
  }
}
