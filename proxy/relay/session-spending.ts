// Counts the seconds of video and the characters of one session from the frames that pass (document 3, text, result and
// session.summary).
// - a result counts once for its `ref`: `result.fetch` sends it again. The last 1,000 refs are known.
// - the summary has the billable sum: what is missing up to it is added.
// - characters are those of each text that goes up, so a text that is sent again counts again. A frame with a text that cannot be
//   read here counts with all its bytes: the service may read it nevertheless.
// - a stream has no results. While it is open its time counts towards the caps; one that ends without a summary counts from its
//   session.start to its end.
// - a client that leaves before a result has had it made: texts without an answer count with an estimate, unless we or the
//   service ended the session, after which pages send them again.
import type { Clock } from '../clock.ts';
import { isTooComplex } from '../json-complexity.ts';
import type { Spending } from '../limits/spending.ts';

const MAX_REFS = 1_000;
/** Of a text: more is not one that the service accepts. */
const LIMITS = { depth: 64, values: 1_000 };

export interface SessionSpending {
  /** A session.start went to the service. */
  started(frame: Buffer): void;
  /** Another frame went to the service. */
  sent(frame: Buffer): void;
  /** A frame of the service came. */
  received(frame: Buffer): void;
  /** `countsUnanswered` is false when the client did not cause the end. */
  ended(countsUnanswered: boolean): void;
  /** The session ended before anything had gone to the service. */
  dropped(): void;
}

export function sessionSpending(
  clock: Clock,
  spending: Pick<Spending, 'add' | 'streaming'>,
): SessionSpending {
  const refs = new Set<unknown>();
  /** The estimated seconds of the texts without an answer, by id. */
  const unanswered = new Map<unknown, number>();
  let counted = 0;
  let stream: { readonly since: number; readonly stop: () => void } | null = null;

  const add = (seconds: unknown): void => {
    if (typeof seconds !== 'number' || !(seconds > 0)) return;
    counted += seconds;
    spending.add({ seconds });
  };
  const endStream = (): void => {
    stream?.stop();
    stream = null;
  };

  return {
    started(frame) {
      if (parsed(frame)?.mode === 'stream') stream ??= { since: clock.now(), stop: spending.streaming() };
    },
    sent(frame) {
      // All other frames are not parsed; a name may be written with escapes.
      if (!frame.includes('"data"') && !frame.includes('\\u')) return;
      const message = isTooComplex(frame, LIMITS) ? null : parsed(frame);
      if (message === null) return spending.add({ characters: frame.length });
      const { type, id, data } = message;
      if (type !== 'text' || typeof data !== 'string') return;
      spending.add({ characters: charactersOf(data) });
      if (stream === null && unanswered.size < MAX_REFS) unanswered.set(id, estimatedSeconds(data));
    },
    received(frame) {
      // All other frames are not parsed.
      const isOfInterest = ['"duration_seconds"', '"total_video_duration_sec"', '"error"'].some((name) =>
        frame.includes(name),
      );
      if (!isOfInterest) return;
      const { type, ref, duration_seconds: seconds, usage } = parsed(frame) ?? {};
      if (type === 'session.summary') {
        const { total_video_duration_sec: total } = (usage ?? {}) as Record<string, unknown>;
        if (typeof total !== 'number') return;
        add(total - counted);
        unanswered.clear();
        endStream();
      }
      if (type === 'result' || type === 'error') unanswered.delete(ref);
      if (type !== 'result' || refs.has(ref)) return;
      refs.add(ref);
      if (refs.size > MAX_REFS) refs.delete(refs.values().next().value);
      add(seconds);
    },
    ended(countsUnanswered) {
      if (stream !== null) add((clock.now() - stream.since) / 1000 - counted);
      endStream();
      if (countsUnanswered) for (const seconds of unanswered.values()) add(seconds);
      unanswered.clear();
    },
    dropped: endStream,
  };
}

/**
 * About how long a text is signed, for what no response tells (SEMANTICS, Stream mode): by its words, and by its characters where
 * it has no spaces.
 */
export const estimatedSeconds = (text: string): number =>
  1 + Math.max(0.6 * text.split(/\s+/).length, 0.1 * charactersOf(text));

/** As people count them: a pair of surrogates is one. */
export const charactersOf = (text: string): number => {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
};

/** Null for what is no JSON, empty for what is no object. Some parsers accept a byte order mark. */
function parsed(frame: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(frame.toString().replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return null;
  }
}
