// The public types of a session: its options, results and events.
// - Everything outside (socket, fetch, time, random numbers) can be passed in, so that a session runs in a page, in Node and in
//   a test.
// - `config`, `limits` and `usage` are the service's own objects; everything else has our names and units.
import type { SessionConfig, SessionMode } from '../protocol/client-frames.ts';
import type { StreamManifests } from '../protocol/find-url.ts';
import type { Clock } from './async.ts';
import type { Fetch } from './diagnose-upgrade.ts';
import type { NetworkLike } from './network.ts';
import type { SocketConstructor } from './transports/v3-socket.ts';
import type { Limits } from '../protocol/server-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';

export interface SignSessionOptions {
  /** `ws:` or `wss:` address of the proxy's socket, e.g. `wss://example.org/sign/ws/`. */
  readonly url: string;
  /** `session.start.config` in the service's own names (document 3); fixed for all of the session's life. */
  readonly config: SessionConfig;
  /** `translate`: a video for each text. `stream`: texts are signed one after the other in `manifests`. */
  readonly mode: SessionMode;
  /** Default the platform's. Node 20 has none: pass the class of the package ws. */
  readonly webSocket?: SocketConstructor | undefined;
  /** Asks a proxy that refused the socket for the reason. Default the platform's. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Fires `online` and `offline`. Default the window or worker, if there is one. */
  readonly network?: NetworkLike | undefined;
  /** For jitter only, as Math.random. */
  readonly random?: (() => number) | undefined;
  /** Parts that may be unanswered or not yet played() (in stream mode: started()) at one time. Default Infinity. */
  readonly maxUnplayed?: number | undefined;
}

export interface SignOptions {
  /** An abort before the text is sent drops it; after that its result is ignored. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the text, never used before. Default a fresh one; a chosen one must not be guessable. */
  readonly ref?: string | undefined;
}

export interface PendingUtterance {
  readonly ref: string;
  /** The service took the text. */
  readonly accepted: Promise<void>;
  /** In stream mode it resolves once the service has taken the first part; `sign-dropped` fires when it fails later. */
  readonly result: Promise<CallResult>;
}

export interface RenewOptions {
  /** Which part of the text, from 0. Default 0. */
  readonly partIndex?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TextResult extends CallResult {
  /** Stream mode by REST: the text's own stream. Over V3 all texts have one stream, see `sign-appended`. */
  readonly manifests?: StreamManifests | undefined;
}

export interface TextCall extends Omit<PendingUtterance, 'result'> {
  readonly result: Promise<TextResult>;
}

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
  readonly partIndex: number;
  readonly partCount: number;
}

/** A whole call: its first part with the call's text and the sum of the durations (null when one is not known). */
export interface CallResult extends Omit<SignResult, 'url'> {
  /** The URL of the first part; null in stream mode, where the picture is in the stream. */
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

/** The table of transport-connection.ts has the changes from state to state. */
export type SessionState =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'reconnecting'
  | 'finalizing'
  | 'ended'
  | 'failed';

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
   * Stream mode only: the text is in the stream that `manifests` of the session names now, or by REST in that of this event. Once
   * a call, and again each time the text was sent again on a later session because it had not started. `acceptedAt` as in
   * CallResult.
   */
  'sign-appended': {
    readonly ref: string;
    readonly acceptedAt: number | null;
    readonly manifests?: StreamManifests | undefined;
  };
  /**
   * Stream mode only: a text that was appended, and not aborted, will not be signed to its end. Its result has resolved before,
   * so this event carries the `reason` of the failure.
   */
  'sign-dropped': { readonly ref: string; readonly reason: unknown };
  /** Only with `config.debug`. */
  'sign-progress': {
    readonly ref: string;
    readonly stage: string;
    readonly status: string | null;
    readonly durationMs: number | null;
  };
  /** Once for each part; never in stream mode. */
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
