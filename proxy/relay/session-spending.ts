// Counts the seconds of video and the characters of one session from the frames that pass (document 3, text, result and
// session.summary).
// - a result counts once for its `ref`: `result.fetch` sends it again. The last 1,000 refs are known.
// - the summary has the billable sum: what is missing up to it is added.
// - characters are those of each text that goes up, so a text that is sent again counts again.
// - a stream has no results. One that ends without a summary counts from its session.start to its end.
import type { Clock } from '../clock.ts';
import { isTooComplex } from '../json-complexity.ts';
import type { Amount } from '../limits/spending.ts';

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
  ended(): void;
}

export function sessionSpending(clock: Clock, spend: (amount: Amount) => void): SessionSpending {
  const refs = new Set<unknown>();
  let counted = 0;
  let streamsSince: number | null = null;

  const add = (seconds: unknown): void => {
    if (typeof seconds !== 'number' || !(seconds > 0)) return;
    counted += seconds;
    spend({ seconds });
  };

  return {
    started(frame) {
      if (parsed(frame).mode === 'stream') streamsSince ??= clock.now();
    },
    sent(frame) {
      // All other frames are not parsed; a name may be written with escapes.
      if (!frame.includes('"data"') && !frame.includes('\\u')) return;
      if (isTooComplex(frame, LIMITS)) return;
      const { type, data } = parsed(frame);
      if (type === 'text' && typeof data === 'string') spend({ characters: charactersOf(data) });
    },
    received(frame) {
      // All other frames are not parsed.
      if (!frame.includes('"duration_seconds"') && !frame.includes('"total_video_duration_sec"')) return;
      const { type, ref, duration_seconds: seconds, usage } = parsed(frame);
      if (type === 'session.summary') {
        const { total_video_duration_sec: total } = (usage ?? {}) as Record<string, unknown>;
        if (typeof total !== 'number') return;
        add(total - counted);
        streamsSince = null;
      }
      if (type !== 'result' || refs.has(ref)) return;
      refs.add(ref);
      if (refs.size > MAX_REFS) refs.delete(refs.values().next().value);
      add(seconds);
    },
    ended() {
      if (streamsSince !== null) add((clock.now() - streamsSince) / 1000 - counted);
      streamsSince = null;
    },
  };
}

/** As people count them: a pair of surrogates is one. */
export const charactersOf = (text: string): number => {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
};

function parsed(frame: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(frame.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
