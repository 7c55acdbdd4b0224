// What every element shows to a page: the members of HTMLMediaElement that pages and media-chrome's controls read.
// Policy: a property is up to date before its event fires, and an event is only fired once the media has really changed.

/** Native media events that a surface fires, and that elements mirror on their host, not bubbling. */
export const mediaEvents = [
  'play',
  'playing',
  'pause',
  'ended',
  'timeupdate',
  'durationchange',
  'loadedmetadata',
  'loadeddata',
  'canplay',
  'canplaythrough',
  'progress',
  'waiting',
  'stalled',
  'seeking',
  'seeked',
  'ratechange',
  'volumechange',
  'emptied',
  'error',
  'resize',
  'enterpictureinpicture',
  'leavepictureinpicture',
] as const;

export interface MediaSurface extends EventTarget {
  /** The `<video>` now on screen, null before there is one. */
  readonly media: HTMLVideoElement | null;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly seeking: boolean;
  /** Seconds. */
  currentTime: number;
  /** Seconds; NaN before there is media. */
  readonly duration: number;
  readonly readyState: number;
  readonly buffered: TimeRanges;
  readonly seekable: TimeRanges;
  readonly error: MediaError | null;
  readonly currentSrc: string;
  readonly textTracks: TextTrackList;
  readonly videoWidth: number;
  readonly videoHeight: number;
  /** 0.5 to 2. */
  playbackRate: number;
  muted: boolean;
  /** 0 to 1. */
  volume: number;
  loop: boolean;
  play(): Promise<void>;
  pause(): void;
}
