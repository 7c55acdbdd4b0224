// Why a socket closed, as a SignError. Policy: the proxy gives a stable code as the close reason, one of sign-error.ts or
// of the service's; that wins. Without one the close code decides (protocol/websocket.ts); the proxy going down or
// being overloaded, and any end that nobody explains, is a session lost.
import { errorFromFrame, serviceErrors } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { isOwnErrorCode, ownError, type OwnErrorCode } from '../protocol/sign-error.ts';
import { closeCodes } from '../protocol/websocket.ts';

const meanings: Readonly<Partial<Record<number, OwnErrorCode>>> = {
  [closeCodes.policy]: 'invalid_request',
  [closeCodes.tooBig]: 'invalid_request',
  [closeCodes.upstreamFailed]: 'upstream_unreachable',
};

/** Always of severity `session`: whatever the code, nothing more comes from this socket. */
export function errorFromClose(code: number, reason: string, sessionId: string | null): SignError {
  const severity = 'session';
  if (Object.hasOwn(serviceErrors, reason)) {
    return errorFromFrame({ type: 'error', code: reason, severity }, sessionId);
  }
  const meaning = isOwnErrorCode(reason) ? reason : (meanings[code] ?? 'session_failed');
  return ownError(meaning, undefined, { severity, requestId: sessionId });
}
