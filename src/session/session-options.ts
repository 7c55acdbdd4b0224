// What a session takes and gives, call by call. Everything that touches the outside (socket, fetch, time, chance) can be
// given, so that a session runs in a page, in Node and in a test alike.
import type { SessionConfig, SessionMode } from '../protocol/client-frames.ts';
import type { StreamManifests } from '../protocol/find-url.ts';
import type { Clock } from './clock.ts';
import type { Fetch } from './diagnose-upgrade.ts';
import type { NetworkLike } from './network.ts';
import type { CallResult } from './session-events.ts';
import type { SocketConstructor } from './transports/v3-socket.ts';

export interface SignSessionOptions {
  /** `ws:` or `wss:` address of the proxy's socket, e.g. `wss://example.org/sign/ws/`. */
  readonly url: string;
  /** `session.start.config` in the service's own names (document 3); fixed for all of the session's life. */
  readonly config: SessionConfig;
  /** `translate`: a video for each text. `stream`: texts are signed one after the other in `manifests`. */
  readonly mode: SessionMode;
  /** Default the platform's; Node 20 has none, there it is the class of the package ws. */
  readonly webSocket?: SocketConstructor | undefined;
  /** Asks a proxy that refused the socket for the reason. Default the platform's. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Tells `online` and `offline`. Default the platform's window or worker, where there is one. */
  readonly network?: NetworkLike | undefined;
  /** For jitter only, as Math.random. */
  readonly random?: (() => number) | undefined;
  /** Parts that may be unanswered or not yet played() (in stream mode: started()) at one time. Default Infinity. */
  readonly maxUnplayed?: number | undefined;
}

export interface SignOptions {
  /** Aborted before the text is sent it takes the text back; later its result is ignored. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the text, never used before. Default a fresh one; a chosen one must not be guessable. */
  readonly ref?: string | undefined;
}

export interface SignCall {
  readonly ref: string;
  /** The service took the text. */
  readonly accepted: Promise<void>;
  /** In stream mode it resolves once the service has taken the first part; `sign-dropped` tells when it fails later. */
  readonly result: Promise<CallResult>;
}

export interface RenewOptions {
  /** Which part of the text, from 0. Default 0. */
  readonly piece?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TextResult extends CallResult {
  /** Stream mode by REST: the text's own stream. Over V3 there is one for all, see `sign-appended`. */
  readonly manifests?: StreamManifests | undefined;
}

export interface TextCall extends Omit<SignCall, 'result'> {
  readonly result: Promise<TextResult>;
}
