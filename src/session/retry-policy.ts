// What an error means for what was asked: the one place that decides. Severity, retryable and the wait hint come from
// the tables of protocol/service-errors.ts and own-errors.ts, or from the frame itself, which wins.
//
// | severity | code            | retryable | verdict                                                            |
// |----------|-----------------|-----------|--------------------------------------------------------------------|
// | session  | any             | any       | end-session                                                        |
// | other    | pacing (two)    | any       | pace: all sending rests, then the same text again; never counts    |
// | other    | any other       | yes       | retry: up to three tries in all, then surface                      |
// | other    | any other       | no        | surface                                                            |
//
// Waits: `retry_after_seconds` to the millisecond; without it full jitter, 0.5 s doubling to 30 s.
import { isPacing } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { LONGEST_TIMEOUT_MS } from './clock.ts';

/** Tries of one piece in all, the first included. */
export const MAX_TRIES = 3;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export type Verdict =
  | { readonly kind: 'end-session' }
  | { readonly kind: 'pace'; readonly delayMs: number }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'surface' };

/** What has been tried so far: `tries` that counted, `refusals` for the sake of pace. */
export interface Attempts {
  readonly tries: number;
  readonly refusals: number;
}

export function decide(error: SignError, { tries, refusals }: Attempts, random: () => number): Verdict {
  if (error.severity === 'session') return { kind: 'end-session' };
  if (isPacing(error.code)) return { kind: 'pace', delayMs: delayOf(error, refusals, random) };
  if (error.retryable && tries < MAX_TRIES)
    return { kind: 'retry', delayMs: delayOf(error, tries - 1, random) };
  return { kind: 'surface' };
}

function delayOf(error: SignError, earlier: number, random: () => number): number {
  return error.retryAfterSeconds === null
    ? backoffMs(earlier, random)
    : Math.min(error.retryAfterSeconds * 1000, LONGEST_TIMEOUT_MS);
}

/** Full jitter: anything between nothing and the ceiling, which doubles with every failure before this one. */
export function backoffMs(earlier: number, random: () => number): number {
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** earlier);
}
