// The error codes that the product itself adds to the service's. One table: README prints it, ownError() reads it.
// Only what this side can know stands here; whatever the service says keeps the service's code.
import { SignError, type Severity, type SignErrorInit } from './sign-error.ts';

interface OwnError {
  readonly severity: Severity;
  readonly retryable: boolean;
  /** For developers, in English; what a visitor reads is in src/strings. */
  readonly meaning: string;
}

const row = (severity: Severity, retryable: boolean, meaning: string): OwnError => ({
  severity,
  retryable,
  meaning,
});

export const ownErrors = {
  empty_text: row('message', false, 'the text is empty after trimming'),
  invalid_signer: row('message', false, 'this signer does not sign in this language'),
  invalid_request: row('message', false, 'the request is not one that can be sent'),
  proxy_unreachable: row('session', true, 'no proxy answers at this address'),
  origin_refused: row('session', false, 'the proxy does not serve pages of this origin'),
  too_many_sockets: row('session', true, 'too many connections from this address'),
  upstream_unreachable: row('session', true, 'the proxy does not reach the signing service'),
  handshake_timeout: row('session', true, 'the connection came to no session in time'),
  session_failed: row('session', true, 'the session was lost'),
  no_answer: row('message', false, 'the service did not answer in time'),
  protocol_error: row('message', false, 'the service sent something that is not in its protocol'),
  media_error: row('message', false, 'the video could not be loaded or played'),
  media_refused: row('message', false, 'the media server refused the video'),
  not_found: row('message', false, 'there is nothing under this id'),
  announcement_failed: row('message', false, 'the video of the announcement could not be made'),
} as const satisfies Record<string, OwnError>;

export type OwnErrorCode = keyof typeof ownErrors;

export const isOwnErrorCode = (code: string): code is OwnErrorCode => Object.hasOwn(ownErrors, code);

/** An error of our own with its severity and retryability from the table. `message` defaults to the table's meaning. */
export function ownError(code: OwnErrorCode, message?: string, init: SignErrorInit = {}): SignError {
  const { severity, retryable, meaning } = ownErrors[code];
  return new SignError(code, message ?? meaning, { severity, retryable, ...init });
}
