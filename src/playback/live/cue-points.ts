// Calls back when a moment of a stream is on screen, or after a number of seconds of playback.
// - Painted frames count, so a pause or a stall delays a cue point, and none is skipped.
// - Seconds go on over a change of streams. A moment belongs to the stream that it was set for.
// - Without dates in the playlist, or without a moment, the end of the playlist at the time of the call is the cue point.
// - A moment is reached at the latest 2 s beyond that end, because clocks may differ.
import type { StreamRenderer } from './stream-renderer.ts';

const MAX_CLOCK_DIFFERENCE_S = 2;

interface CuePoint {
  /** Null for a cue point after a number of seconds. */
  readonly renderer: StreamRenderer | null;
  /** The second of the renderer's video, or of all playback; null while it is not known. */
  due(): number | null;
  readonly signal: AbortSignal;
  readonly run: () => void;
}

/** Cue points of the streams of one player. */
export class CuePoints {
  #cuePoints: CuePoint[] = [];
  /** Seconds of playback, over all streams. */
  #played = 0;
  #last: { readonly renderer: StreamRenderer; readonly time: number } | null = null;

  /** Calls `run` once this moment is on screen (milliseconds since 1970; null: the present end of the playlist). */
  atMoment(renderer: StreamRenderer, moment: number | null, signal: AbortSignal, run: () => void): void {
    const now = renderer.edge;
    const due = (): number | null => {
      const edge = now ?? renderer.firstEdge;
      const at = moment === null ? null : renderer.timeOf(moment);
      return at === null || edge === null ? edge : Math.min(at, edge + MAX_CLOCK_DIFFERENCE_S);
    };
    this.#cuePoints.push({ renderer, due, signal, run });
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
