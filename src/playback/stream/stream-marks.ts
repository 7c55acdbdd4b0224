// Points of a stream at which somebody wants to be called: a moment of its playlist's clock, or so many seconds of
// picture later. Policy: what counts is the painted picture, so a pause or a stall delays a mark and nothing is skipped;
// seconds go on over a change of streams; a moment belongs to the stream it was asked of. A playlist without dates, or
// one that is not there yet when the moment is not known either, counts its end at that time for it; and 2 s beyond that
// end a moment is past in any case, because clocks may differ.
import type { StreamSlot } from '../live/stream-slot.ts';

const CLOCKS_DIFFER_BY = 2;

interface Mark {
  /** Null for one that counts seconds. */
  readonly slot: StreamSlot | null;
  /** The second of the slot's video, or of all that was painted; null while it cannot be told. */
  due(): number | null;
  readonly signal: AbortSignal;
  readonly run: () => void;
}

export class StreamMarks {
  #marks: Mark[] = [];
  /** Seconds of picture that were painted, over all streams. */
  #played = 0;
  #last: { readonly slot: StreamSlot; readonly time: number } | null = null;

  /** Runs once this moment (milliseconds since 1970; null: the end of the playlist as it is now) is on screen. */
  atMoment(slot: StreamSlot, moment: number | null, signal: AbortSignal, run: () => void): void {
    const now = slot.edge;
    const due = (): number | null => {
      const edge = now ?? slot.firstEdge;
      const at = moment === null ? null : slot.timeOf(moment);
      return at === null || edge === null ? edge : Math.min(at, edge + CLOCKS_DIFFER_BY);
    };
    this.#marks.push({ slot, due, signal, run });
  }

  /** Runs once this many more seconds were on screen. */
  after(seconds: number, signal: AbortSignal, run: () => void): void {
    const due = this.#played + seconds;
    this.#marks.push({ slot: null, due: () => due, signal, run });
  }

  /** The first second of this stream's video that somebody waits for; null when nobody does. */
  firstOf(slot: StreamSlot): number | null {
    const times = this.#marks
      .filter((mark) => mark.slot === slot && !mark.signal.aborted)
      .map((mark) => mark.due())
      .filter((time) => time !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** This second of the video is on screen. */
  painted(slot: StreamSlot, time: number): void {
    const passed = this.#last?.slot === slot ? time - this.#last.time : 0;
    // A seek is no playback.
    if (passed > 0 && passed < 1) this.#played += passed;
    this.#last = { slot, time };
    const reached = this.#marks.filter((mark) => {
      const due = mark.due();
      return due !== null && (mark.slot === null ? this.#played : mark.slot === slot ? time : -1) >= due;
    });
    this.#marks = this.#marks.filter((mark) => !mark.signal.aborted && !reached.includes(mark));
    for (const { signal, run } of reached) if (!signal.aborted) run();
  }

  clear(): void {
    this.#marks = [];
    this.#last = null;
  }
}
