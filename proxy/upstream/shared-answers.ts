// Many pages that ask the same are answered from one upstream request: those who come while it is under way, and those
// who come in the second after. Policy: only what was answered is kept, at most 1,000 answers of at most 16 kB each;
// whatever is over that is asked for each page alone.
import type { Clock } from '../clock.ts';

const KEEP_MS = 1_000;
const MAX_SHARED = 1_000;
const MAX_KEPT_BYTES = 16 * 1024;

/** `key` says what is asked; `ask` is called when nobody else's answer to it is there. */
export type SharedAnswers<Answer> = (key: string, ask: () => Promise<Answer>) => Promise<Answer>;

export function sharedAnswers<Answer>(
  clock: Clock,
  bytesOf: (answer: Answer) => number,
): SharedAnswers<Answer> {
  const shared = new Map<string, Promise<Answer>>();
  return (key, ask) => {
    const known = shared.get(key);
    if (known) return known;
    const answer = ask();
    if (shared.size >= MAX_SHARED) return answer;
    shared.set(key, answer);
    const forget = (): void => void shared.delete(key);
    answer.then((given) => {
      if (bytesOf(given) > MAX_KEPT_BYTES) forget();
      else clock.after(KEEP_MS, forget);
    }, forget);
    return answer;
  };
}
