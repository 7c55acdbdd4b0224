// Asks again and again until a result is there (document 1, Polling guidance; document 2, Endpoints, rule 4).
// - The first poll comes after 1 s, then 2, 4 and 8 s, then every 8 s. Waits are up to a quarter shorter at random, so that pages
//   do not poll at the same time. After 10 minutes: `no_answer`.
// - A poll with an error that may pass counts as one without a result, because the result is being made.
import { ownError } from '../../protocol/own-errors.ts';
import { SignError } from '../../protocol/sign-error.ts';
import { afterAwake, wait, type Clock } from '../async.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;
const JITTER = 0.25;
const LONGEST_MS = 600_000;

/** How long after it has accepted a request the service may have servers that do not know the request. */
export const NEW_MS = 30_000;

interface PollingOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
  /** Runs before each poll and must call `wait`. Default: it only waits. */
  readonly between?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/** Null after an error that may pass; rejects with any other. */
export const noResultYet = (error: unknown): null => {
  if (error instanceof SignError && (error.retryable || error.code === 'no_answer')) return null;
  throw error;
};

/** Null for an id that is not found and `isNew`; rejects with any other error. */
export const unknownYet =
  (isNew: boolean) =>
  (error: unknown): null => {
    if (isNew && error instanceof SignError && error.code === 'not_found') return null;
    throw error;
  };

/** Resolves with the first answer of `ask` that is not null; rejects as `ask` does with an error that is final. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer | null>,
  { clock, random, signal, between = (due) => due() }: PollingOptions,
): Promise<Answer> {
  let isOver = false;
  const stopCounting = afterAwake(clock, LONGEST_MS, () => (isOver = true));
  try {
    for (let delayMs = FIRST_WAIT_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_WAIT_MS)) {
      if (isOver) throw ownError('no_answer');
      await between(() => wait(clock, delayMs * (1 - JITTER * random()), signal));
      const answer = await ask().catch(noResultYet);
      if (answer !== null) return answer;
    }
  } finally {
    stopCounting();
  }
}
