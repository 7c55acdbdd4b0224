// Plays streams of signed texts: the ongoing stream of a session, or one stream for each text.
// - A cue point calls back when a moment of a stream is on screen, or after a number of seconds of playback. Painted frames
//   count, so a pause or a stall delays a cue point, and none is skipped.
// - Playback starts at the live edge, or earlier when an earlier moment has a cue point.
// - After a pause playback continues where it stopped. When a moment gets a cue point while playback is more than 2 s before both
//   the live edge and the next cue point, it seeks to the earlier of the two.
// - A rate above 1 counts only while playback is behind the live edge.
// - While a part is skipped, the playlist is checked ten times a second for how far it has grown.
import { StreamPlayer } from './stream-player.ts';
import type { Stream, StreamRenderer } from './stream-renderer.ts';

const MAX_BEHIND_SECONDS = 2;
const AT_LIVE_SECONDS = 0.5;
/** How long before its acknowledgement the first frames of a text may be dated. */
const LEAD_SECONDS = 0.3;

/** Plays streams of signed texts, and calls back when a moment of them is on screen. */
export class TextStreamPlayer extends StreamPlayer {
  readonly #cuePoints = new CuePoints();
  readonly #skip = new StreamSkip();

  /** Plays this stream as soon as it has a frame; the stream before stays on screen until then. */
  show(stream: Omit<Stream, 'format'>): void {
    this.open({ ...stream, format: 'hls', isFresh: true });
  }

  /** Calls `run` once this moment of the newest stream is on screen (`CuePoints`). */
  atMoment(moment: StreamMoment, signal: AbortSignal, run: (second: number) => void): void {
    const { newest } = this;
    if (!newest) return;
    this.#cuePoints.atMoment(newest, moment, signal, run);
    const live = newest.livePosition;
    if (newest !== this.active || live === null || this.paused || this.#skip.isActive) return;
    const next = Math.min(live, this.#cuePoints.firstOf(newest) ?? live);
    if (next - this.currentTime > MAX_BEHIND_SECONDS) this.currentTime = next;
  }

  /** Calls `run` after this many more seconds of playback. */
  afterSeconds(seconds: number, signal: AbortSignal, run: () => void): void {
    this.#cuePoints.after(seconds, signal, run);
  }

  /** Calls back for what the video has reached, because on a busy page a frame is reported after it was shown. */
  checkCuePoints(): void {
    if (this.active) this.#cuePoints.frameShown(this.active, this.active.video.currentTime);
  }

  /** The first second of the stream on screen that has a cue point; null when none has. */
  get nextMoment(): number | null {
    return this.active && this.#cuePoints.firstOf(this.active);
  }

  /** Skips from here to this second of the stream on screen. */
  skipTo(second: number): void {
    if (!this.active) return;
    this.#skip.begin(
      this.active,
      second,
      () => this.nextMoment,
      () => this.resume(),
    );
  }

  /** Holds the picture until the next stream is shown; no pause of the visitor. */
  hold(): void {
    this.skipTo(Infinity);
  }

  /** The current position, to play from again. */
  bookmark(): Bookmark {
    const renderer = this.active;
    return bookmarkIn(
      this,
      () => renderer === this.active,
      () => this.#skip.end(),
    );
  }

  override reset(): void {
    this.#skip.end();
    this.#cuePoints.clear();
    super.reset();
  }

  protected override get held(): boolean {
    return this.#skip.isActive;
  }

  protected override entryOf(renderer: StreamRenderer, tried: number): number | null {
    const first = tried > 0 ? null : this.#cuePoints.firstOf(renderer);
    return first === null || first >= renderer.video.currentTime ? null : Math.max(0, first - LEAD_SECONDS);
  }

  protected override onActive(): void {
    this.#skip.end();
  }

  protected override onFrame(renderer: StreamRenderer, time: number): void {
    this.#cuePoints.frameShown(renderer, time);
  }

  /** At the live edge there is no media for a faster rate. */
  protected override rateOf({ video, livePosition }: StreamRenderer): number {
    const isAtLive = livePosition !== null && livePosition - video.currentTime < AT_LIVE_SECONDS;
    return Math.min(isAtLive ? 1 : Infinity, this.playbackRate);
  }
}

const MAX_CLOCK_DIFFERENCE_S = 2;
/** How much later than the playlist of its moment an acknowledgement may come. */
const MAX_DELAY_S = 1;

/** When a text was accepted. */
interface StreamMoment {
  /** Milliseconds since 1970 by the stream's clock; null when that is not known. */
  readonly acceptedAt: number | null;
  /** `performance.now()`. */
  readonly seenAt: number;
}

interface CuePoint {
  /** Null for a cue point after a number of seconds. */
  readonly renderer: StreamRenderer | null;
  /** The second of the renderer's video, or of all playback; null while it is not known. */
  due(): number | null;
  readonly signal: AbortSignal;
  readonly run: () => void;
}

/**
 * Cue points of the streams of one player.
 * - The count of seconds goes on when the stream changes. A moment belongs to the stream that it was set for.
 * - Without dates in the playlist, or without a date of the moment, the end of the playlist at that moment is the cue point.
 * - A moment is reached 1 s before that end at the earliest and 2 s beyond it at the latest, because clocks may differ, and dates
 *   without a time zone are those of the visitor's.
 */
class CuePoints {
  #cuePoints: CuePoint[] = [];
  /** Seconds of playback, over all streams. */
  #played = 0;
  #last: { readonly renderer: StreamRenderer; readonly time: number } | null = null;

  /** Calls `run` once this moment is on screen, with the latest second of the stream that may be this moment. */
  atMoment(
    renderer: StreamRenderer,
    { acceptedAt, seenAt }: StreamMoment,
    signal: AbortSignal,
    run: (second: number) => void,
  ): void {
    const now = renderer.edge;
    const then = (): number | null => renderer.edgeAt(seenAt);
    const at = (): number | null => (acceptedAt === null ? null : renderer.timeOf(acceptedAt));
    const due = (): number | null => {
      const before = then();
      const edge = now === null || before === null ? (now ?? before) : Math.min(now, before);
      const second = at();
      if (second === null || edge === null) return edge;
      // In an outage the playlist stays as it is, and its stream goes on.
      return Math.min(Math.max(second, edge - MAX_DELAY_S), (before ?? edge) + MAX_CLOCK_DIFFERENCE_S);
    };
    // The encoder of a service may begin some seconds after the acknowledgement.
    const latest = (): number => Math.max(then() ?? Infinity, at() ?? -Infinity, renderer.begin);
    this.#cuePoints.push({ renderer, due, signal, run: () => run(latest()) });
  }

  /** Calls `run` after this many more seconds of playback. */
  after(seconds: number, signal: AbortSignal, run: () => void): void {
    const due = this.#played + seconds;
    this.#cuePoints.push({ renderer: null, due: () => due, signal, run });
  }

  /** The first second of this stream that has a cue point; null when none has. */
  firstOf(renderer: StreamRenderer): number | null {
    const times = this.#cuePoints
      .filter((point) => point.renderer === renderer && !point.signal.aborted)
      .map((point) => point.due())
      .filter((time) => time !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** This second of the video is on screen. */
  frameShown(renderer: StreamRenderer, time: number): void {
    const passed = this.#last?.renderer === renderer ? time - this.#last.time : 0;
    // A seek does not count as playback.
    if (passed > 0 && passed < 1) this.#played += passed;
    this.#last = { renderer, time };
    const reached = this.#cuePoints.filter((point) => {
      const due = point.due();
      return (
        due !== null &&
        (point.renderer === null ? this.#played : point.renderer === renderer ? time : -1) >= due
      );
    });
    this.#cuePoints = this.#cuePoints.filter((point) => !point.signal.aborted && !reached.includes(point));
    for (const { signal, run } of reached) if (!signal.aborted) run();
  }

  clear(): void {
    this.#cuePoints = [];
    this.#last = null;
  }
}

const SKIP_CHECK_MS = 100;

/**
 * Skips a part of a growing stream: the signs of an aborted text, which the service cannot stop. The picture is held until
 * the playlist has grown beyond that part, or to the next cue point, so that no later text is lost.
 */
class StreamSkip {
  #timer: ReturnType<typeof setInterval> | undefined;

  /** True while playback is held for the skip: no pause of the visitor. */
  get isActive(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * @param to the second of the video where the skipped part ends
   * @param nextCuePoint the first second that has a cue point; null when none has
   * @param skipped called after the seek; the video is paused then
   */
  begin(renderer: StreamRenderer, to: number, nextCuePoint: () => number | null, skipped: () => void): void {
    this.end();
    const { video } = renderer;
    video.pause();
    this.#timer = setInterval(() => {
      const target = Math.max(video.currentTime, Math.min(to, nextCuePoint() ?? to));
      if ((renderer.edge ?? 0) < target) return;
      this.end();
      video.currentTime = target;
      skipped();
    }, SKIP_CHECK_MS);
  }

  /** Ends the skip; the picture stays. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A position in a stream to play from again. */
export interface Bookmark {
  /** False when the stream was replaced, or no longer has this position. */
  readonly kept: boolean;
  /** Plays from there; from the current position when it is no longer kept. */
  open(): void;
}

/** The current position; `isShown` is true while the player still shows the same stream; `release` ends a hold. */
function bookmarkIn(player: TextStreamPlayer, isShown: () => boolean, release: () => void): Bookmark {
  const time = player.currentTime;
  return {
    get kept() {
      const { seekable } = player;
      return isShown() && seekable.length > 0 && seekable.start(0) <= time;
    },
    open() {
      release();
      if (this.kept) player.currentTime = time;
      player.tryToPlay();
    },
  };
}
