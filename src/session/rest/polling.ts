// Polls until a result is there (document 1, Polling guidance; document 2, Endpoints, rule 4).
// - The first poll comes after 1 s, then 2, 4 and 8 s, then every 8 s. Waits are up to a quarter shorter at random, so that
//   pages do not poll at the same time.
// - After 10 minutes it fails with `no_answer`.
import { ownError } from '../../protocol/sign-error.ts';
import { type Clock, wait } from '../async.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;
const JITTER = 0.25;
const LONGEST_MS = 600_000;

export interface PollingOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
  /** Runs between two polls and gets the wait; without it there is only the wait. */
  readonly between?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/** Resolves with the first answer of `ask` that is not null; rejects as `ask` does. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer | null>,
  { clock, random, signal, between = (due) => due() }: PollingOptions,
): Promise<Answer> {
  const began = clock.now();
  for (let delayMs = FIRST_WAIT_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_WAIT_MS)) {
    if (clock.now() - began >= LONGEST_MS) throw ownError('no_answer');
    await between(() => wait(clock, delayMs * (1 - JITTER * random()), signal));
    const answer = await ask();
    if (answer !== null) return answer;
  }
}
