// Asks the service again until its answer is the expected one.
// - It asks every 300 ms, for four minutes at most, because what takes a second on an idle machine may take a minute on a busy
//   one. A test has ten minutes.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

/** The longest wait for an answer, a frame or a change. */
export const LONGEST_WAIT_MS = 240_000;
const PAUSE_MS = 300;
/** Characters of the last answer that the failure quotes. */
const MAX_ANSWER_LENGTH = 2000;

const shortened = (answer: unknown): string =>
  (JSON.stringify(answer) ?? 'nothing').slice(0, MAX_ANSWER_LENGTH);

/** The first answer that meets the condition. @throws AssertionError after four minutes */
export async function until<T>(ask: () => Promise<T>, isExpected: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (isExpected(answer)) return answer;
    assert.ok(Date.now() < deadline, `it did not come within four minutes: ${shortened(answer)}`);
    await wait(PAUSE_MS);
  }
}
