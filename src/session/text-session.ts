// What the row of texts of an element needs of a session, whichever way its texts go: over the socket (SignSession), by
// REST (RestSession), or by whichever of the two can be had (AutoSession). Policy: the events and their details are the
// same for all three; a way that has nothing to tell (REST: no `sign-ready`, no `sign-summary`) stays silent.
import type { StreamManifests } from '../protocol/find-url.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { CallResult, Listen, SessionSummary, SignResult } from './session-events.ts';
import type { RenewOptions, SignCall, SignOptions } from './session-options.ts';
import type { SessionState } from './states.ts';

export type { StreamManifests };

export interface TextResult extends CallResult {
  /** Stream mode by REST: the text's own stream. Over the socket there is one for all, see `sign-appended`. */
  readonly manifests?: StreamManifests | null | undefined;
}

export interface TextCall extends Omit<SignCall, 'result'> {
  readonly result: Promise<TextResult>;
}

export interface TextSession {
  readonly state: SessionState;
  /** Stream mode: where the picture is; null before it is known and in translate mode. */
  readonly manifests: StreamManifests | null;
  /** Listens until the returned function is called or the signal aborts. */
  readonly on: Listen;
  /** Never throws: the promises reject with a SignError or the signal's reason. */
  sign(text: string, options?: SignOptions): TextCall;
  /** A fresh result of a piece that has one. */
  renew(ref: string, options?: RenewOptions): Promise<SignResult>;
  /** This piece was played, or will never be. */
  played(ref: string, piece?: number): void;
  /** Stream mode: this text is on screen, so it is never sent again. */
  started(ref: string): void;
  /**
   * The stream for all is refused by now: as after a drop, another session brings another, and what has not started is
   * sent once more. Absent where each text has a stream of its own.
   */
  renewStream?(error: SignError): void;
  /** Takes back the texts that were not sent yet. */
  clear(): void;
  /** Gets ready ahead of the first text. Rejects when nothing can be had. */
  connect(): Promise<void>;
  /** What waits rejects with an AbortError. Resolves with the summary, null when there is none. */
  end(): Promise<SessionSummary | null>;
}
