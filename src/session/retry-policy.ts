// What an error means: for the text it names, and for the session. The one place that decides. Severity, retryable and the
// wait hint come from the tables of protocol/service-errors.ts and sign-error.ts, or from the frame itself, which wins.
//
// For a text (document 3, Errors, Client behaviour; SEMANTICS, retryable error):
//
// | severity | code            | retryable | verdict                                                            |
// |----------|-----------------|-----------|--------------------------------------------------------------------|
// | session  | session_expired | any       | end-session; the text was not looked at and goes to the next one    |
// | session  | any other       | yes       | end-session; the text goes to the next one                         |
// | session  | any other       | no        | end-session, and the text that is named surfaces                   |
// | other    | pacing (two)    | any       | pace: all sending rests, then the same text again; never counts    |
// | other    | any other       | yes       | retry: up to three tries in all, then surface                      |
// | other    | any other       | no        | surface                                                            |
//
// For a session that is gone, or never came (SEMANTICS, session severity and drop):
//
// | code            | when               | retryable | fate                                                           |
// |-----------------|--------------------|-----------|----------------------------------------------------------------|
// | session_expired | nothing to sign    | any       | end, quietly                                                   |
// | session_expired | something to sign  | any       | reconnect                                                      |
// | origin_refused  | any                | any       | fail: this proxy will not serve this page                      |
// | any other       | after ready        | any       | reconnect: the start was accepted once and will be again       |
// | any other       | before ready       | yes       | reconnect                                                      |
// | any other       | before ready       | no        | fail: the same session.start will be refused again             |
//
// The eighth session lost in a row fails (reconnect.ts counts), and so does a text that eight sessions were lost with.
// Waits: `retry_after_seconds` to the millisecond; without it full jitter, 0.5 s doubling to 30 s.
import { isPacing } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { LONGEST_TIMEOUT_MS } from './clock.ts';

/** Tries of one piece in all, the first included. */
export const MAX_TRIES = 3;

/** Sessions lost in a row, or with one and the same piece under way, before that is the end. */
export const MAX_LOSSES = 8;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export type Verdict =
  | { readonly kind: 'end-session'; readonly surfaces: boolean }
  | { readonly kind: 'pace'; readonly delayMs: number }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'surface' };

/** What has been tried so far: `tries` that counted, `refusals` for the sake of pace. */
export interface Attempts {
  readonly tries: number;
  readonly refusals: number;
}

export function decide(error: SignError, { tries, refusals }: Attempts, random: () => number): Verdict {
  if (error.severity === 'session') {
    return { kind: 'end-session', surfaces: !error.retryable && error.code !== 'session_expired' };
  }
  if (isPacing(error.code)) return { kind: 'pace', delayMs: delayMs(error, refusals, random) };
  if (error.retryable && tries < MAX_TRIES)
    return { kind: 'retry', delayMs: delayMs(error, tries - 1, random) };
  return { kind: 'surface' };
}

/** What becomes of a SignSession whose service session is gone. */
export type Fate = 'reconnect' | 'end' | 'fail';

/** `wasReady`: session.ready had come; `wanted`: somebody waits for a session. */
export function fateOf({ code, retryable }: SignError, wasReady: boolean, wanted: boolean): Fate {
  if (code === 'session_expired') return wanted ? 'reconnect' : 'end';
  return retryable || (wasReady && code !== 'origin_refused') ? 'reconnect' : 'fail';
}

/** The error's hint, else a backoff; `earlier` counts the failures before this one. */
export function delayMs(error: SignError, earlier: number, random: () => number): number {
  return error.retryAfterSeconds === null ? backoffMs(earlier, random) : hintMs(error);
}

/** The error's hint, 0 without one. */
export const hintMs = ({ retryAfterSeconds }: SignError): number =>
  Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_TIMEOUT_MS);

/** Full jitter: anything between nothing and the ceiling, which doubles with every failure before this one. */
export function backoffMs(earlier: number, random: () => number): number {
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** earlier);
}
