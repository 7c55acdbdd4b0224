// The interface between a row of signed texts and whatever shows it: two stacked videos, or one MSE timeline. Whoever
// fills it knows clips and their order; whoever implements it knows `<video>`.
import type { ClipBytes, Playable } from './clip-bytes.ts';
import type { MediaSurface } from '../media-surface.ts';
import type { SignError } from '../../protocol/sign-error.ts';

/** Media events that a timeline fires itself, because a clip's own are not the row's. */
export const rowEvents: ReadonlySet<string> = new Set([
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

/** The signer at rest, who may take over between texts. */
export interface IdleLoop {
  /** Seconds on the last frame before that. */
  readonly after: number;
  /** A video of some seconds whose last frame joins its first. What it rejects with is nobody's error. */
  load(signal: AbortSignal): Promise<Playable>;
}

/** One unbroken row of clips: `currentTime` and `duration` run over all of it; after it ended, the next clip begins a new row. */
export interface ClipTimeline extends MediaSurface {
  /** Holds the videos; whoever owns the timeline puts it on the page. */
  readonly stage: HTMLElement;
  /** True while further clips are on their way: the row then waits on its last frame and does not end. */
  moreExpected: boolean;
  /**
   * Who is shown while the row waits or is over, null for the last frame; default null. Never while the visitor has
   * paused, wants reduced motion or does not see the page. No part of `currentTime`, `duration`, `ended` and `media`.
   */
  idle: IdleLoop | null;
  /** True when the browser refused to start playback without a gesture; `play()` from a gesture clears it. */
  readonly blocked: boolean;
  append(clip: Clip): void;
  /** Drops a clip; when it is the one on screen, the next begins at once. */
  remove(clip: Clip): void;
  /** Plays the row again from this clip on; clips no longer in the row are put in as the next. */
  playFrom(clips: readonly Clip[]): void;
  /** Resumes after the stage was moved in the document, which pauses a video. */
  resume(): void;
  /** Drops everything, videos and bytes included; the timeline can be filled again. */
  reset(): void;
}
