// What a session tells: its results and the details of its events, under the contract's names. `config`, `limits` and
// `usage` are the service's own objects; everything else is in our words and units.
import type { Limits } from '../protocol/server-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { SessionState } from './states.ts';

/** The video of one part of a text. A text that fits in one message has one part. */
export interface SignResult {
  /** The call's ref, whichever part this is. */
  readonly ref: string;
  /** The part's text. */
  readonly text: string;
  /** Presigned MP4, to be used as it is; the service keeps it for 5 minutes (document 3, Limits). */
  readonly url: string;
  /** ISO 8601, null when the service did not say. */
  readonly expiresAt: string | null;
  /** Seconds, null when the service did not say. */
  readonly durationSeconds: number | null;
  /** The service's timings in milliseconds: `gloss`, `render`, `encode`, `total`. */
  readonly pipelineMs: Readonly<Record<string, unknown>> | null;
  /** Position among the call's parts, from 0. */
  readonly piece: number;
  readonly pieces: number;
}

/** A whole call: its first part with the call's text and the sum of the durations (null when one is not known). */
export interface CallResult extends Omit<SignResult, 'url'> {
  /** As that of a part; null in stream mode, where the picture is in the stream. */
  readonly url: string | null;
  /**
   * Stream mode: when the service took the first part, in milliseconds since 1970 by the service's own clock, which is
   * that of the stream's PROGRAM-DATE-TIME. Null when the service did not say, and in translate mode.
   */
  readonly acceptedAt: number | null;
  /** In stream mode empty: no part has a result. */
  readonly parts: readonly SignResult[];
}

export interface SessionSummary {
  readonly sessionId: string | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

export interface SessionEventMap {
  'sign-statechange': { readonly state: SessionState };
  'sign-ready': {
    readonly sessionId: string;
    readonly config: Readonly<Record<string, unknown>>;
    readonly limits: Readonly<Limits>;
  };
  /** Once a call: the service took its first part. */
  'sign-accepted': { readonly ref: string; readonly text: string };
  /**
   * Stream mode only: the text is in the stream that `manifests` names now. Once a call, and once more for each time that
   * it was sent again on a later session because it had not started; `acceptedAt` as in CallResult.
   */
  'sign-appended': { readonly ref: string; readonly acceptedAt: number | null };
  /**
   * Stream mode only: a text that was appended, and that nobody aborted, will not be signed, or not to its end. Its result
   * has resolved, so this tells `reason`, with which one would reject.
   */
  'sign-dropped': { readonly ref: string; readonly reason: unknown };
  /** Only with `config.debug`. */
  'sign-progress': {
    readonly ref: string;
    readonly stage: string;
    readonly status: string | null;
    readonly durationMs: number | null;
  };
  /** Once a part; never in stream mode. */
  'sign-result': SignResult;
  /**
   * Without `ref` it concerns the session. Severity `warning`: a try failed and another will be made, of the text or of
   * the session.
   */
  'sign-error': { readonly error: SignError; readonly ref?: string };
  'sign-summary': SessionSummary;
}

/** Listens until the returned function is called or the signal aborts. */
export type Listen = <Name extends keyof SessionEventMap>(
  name: Name,
  listener: (detail: SessionEventMap[Name]) => void,
  options?: { signal?: AbortSignal | undefined },
) => () => void;

export type Emit = <Name extends keyof SessionEventMap>(name: Name, detail: SessionEventMap[Name]) => void;
