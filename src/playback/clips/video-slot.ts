// A `<video>` that plays one file at a time: loads a clip, knows when its first frame can be shown, and releases everything.
// - An object URL is valid as long as its clip is loaded.
// - WebKitGTK that is busy at the end of a file plays it once more (webkit.org/b/320981): a video that is at its end and has not
//   paused is paused, and one that goes to 0 although nobody asked for it is sent back to its end.
// - WebKitGTK sometimes stops although the whole file is loaded: at the end without `ended`, with `loop` before the next round,
//   or anywhere until it is paused and played again, or only until it is loaded again. A video that has not moved for 1.5 s is
//   played again. After another 1.5 s it is loaded again at the same position, sent to its beginning, or treated as ended.
//   `readyState` does not help: in a second round it says that the next frame is missing.
import { plainEvent } from '../../internal/plain-event.ts';
import type { ClipFile, Playable } from './clip-bytes.ts';
import { ROUNDING } from './buffer-timeline.ts';
import { PaintedFrame, ProgressWatchdog } from '../video-progress.ts';
import { signerVideo } from '../signer-video.ts';

const CHECK_MS = 500;
/** A browser pauses a video at its end within a few milliseconds. */
const PAUSED_MS = 100;
/** Checks without progress until the video is restarted. */
const MAX_UNMOVED_CHECKS = 3;
/** Seconds: a frame of 10 frames a second. */
const LAST_FRAME = 0.1;

export class VideoSlot {
  readonly video = signerVideo();
  readonly painted = new PaintedFrame(this.video);
  #objectUrl: string | null = null;
  /** Second that was asked for last; NaN once it plays. */
  #at = 0;

  constructor() {
    const { video } = this;
    restartWhenStalled(video, () => this.#at >= 0);
    const onPlay = (): void => void (this.#at = NaN);
    video.addEventListener('play', onPlay);
    video.addEventListener('timeupdate', () => !video.paused && !video.seeking && onPlay());
  }

  /** True once the frame that was asked for can be shown without a wait. WebKit has the first one ready while it seeks. */
  get showable(): boolean {
    return !this.video.seeking && this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  load(playable: Playable, at: number): void {
    this.#revoke();
    this.painted.reset();
    this.video.src = typeof playable === 'string' ? playable : this.#urlOf(playable);
    this.#at = at;
    if (at > 0) this.video.currentTime = at;
  }

  /**
   * Goes to this second, unless the video is there. A video that was loaded for this second and has not played since is there,
   * whatever its `currentTime`: where the first frame is later than 0, that is the time of the frame in Chromium, and a seek to 0
   * may end some frames behind it.
   */
  seek(at: number): void {
    if (at === this.video.currentTime || at === this.#at) return;
    this.#at = at;
    this.painted.reset();
    this.video.currentTime = at;
  }

  /** Ends the download and releases the picture. */
  clear(): void {
    this.painted.leave();
    this.#revoke();
    if (!this.video.hasAttribute('src')) return;
    this.video.removeAttribute('src');
    this.video.load();
  }

  #urlOf({ bytes, type }: ClipFile): string {
    return (this.#objectUrl = URL.createObjectURL(new Blob([bytes], { type })));
  }

  #revoke(): void {
    if (this.#objectUrl) URL.revokeObjectURL(this.#objectUrl);
    this.#objectUrl = null;
  }
}

/**
 * Watches this video for as long as it exists.
 * @param isAsked whether the seek under way was asked for
 */
export function restartWhenStalled(video: HTMLVideoElement, isAsked = (): boolean => false): void {
  const snapshot = (): string | null => {
    const { paused, seeking, currentTime } = video;
    const waits = paused || seeking || !(isLoaded(video) || isAtEnd(video));
    return waits ? null : String(currentTime);
  };
  let restartedAt = NaN;
  const stuck = new ProgressWatchdog(snapshot, (checks) => {
    if (checks < MAX_UNMOVED_CHECKS) return;
    const { currentTime } = video;
    restart(video, currentTime === restartedAt);
    restartedAt = currentTime;
  });
  let runs = false;
  video.addEventListener('playing', () => {
    runs = true;
    stuck.begin(CHECK_MS);
  });
  const isLate = (): boolean => video.ended && !video.paused;
  // WebKitGTK may fire `play` only at the end of the file, and begins anew within milliseconds.
  video.addEventListener('play', () => isLate() && end(video));
  video.addEventListener('timeupdate', () => {
    if (isLate()) setTimeout(() => isLate() && end(video), PAUSED_MS);
  });
  video.addEventListener('seeking', () => {
    if (!runs || video.loop || video.currentTime > 0 || !isLoaded(video) || isAsked()) return;
    // So that the first frame is not seen again.
    video.currentTime = video.duration - ROUNDING;
    end(video);
  });
  for (const type of ['pause', 'ended', 'emptied'])
    video.addEventListener(type, () => {
      runs = false;
      stuck.end();
    });
}

const isAtEnd = ({ currentTime, duration }: HTMLVideoElement): boolean =>
  currentTime >= duration - LAST_FRAME;

const isLoaded = ({ buffered, duration }: HTMLVideoElement): boolean =>
  buffered.length > 0 && buffered.end(buffered.length - 1) >= duration - LAST_FRAME;

function restart(video: HTMLVideoElement, isInVain: boolean): void {
  if (!isAtEnd(video)) {
    const { currentTime } = video;
    if (isInVain) {
      video.load();
      video.currentTime = currentTime;
    } else video.pause();
    // Whoever started playback notices a refusal.
    video.play().catch(() => {});
  } else if (video.loop) video.currentTime = 0;
  else end(video);
}

function end(video: HTMLVideoElement): void {
  if (video.ended) video.pause();
  video.dispatchEvent(plainEvent('ended'));
}
