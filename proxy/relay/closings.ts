// How the proxy ends a page's socket. Policy: the code says what kind of end it was (src/protocol/websocket.ts), the
// reason is a stable code that a page can act on; of what the service said when it closed, nothing is passed on.
import { closeCodes } from '../../src/protocol/websocket.ts';
import type { OwnErrorCode } from '../../src/protocol/sign-error.ts';
import type { ServiceErrorCode } from '../../src/protocol/service-errors.ts';

export interface Closing {
  readonly code: number;
  readonly reason: OwnErrorCode | ServiceErrorCode | 'restarting' | 'overloaded' | '';
}

export const closings = {
  /** The service closed the session as it should (1000, or no code at all). */
  ended: { code: closeCodes.normal, reason: '' },
  invalidStart: { code: closeCodes.policy, reason: 'invalid_session_start' },
  binaryFrame: { code: closeCodes.policy, reason: 'invalid_message' },
  noStart: { code: closeCodes.policy, reason: 'handshake_timeout' },
  rateLimited: { code: closeCodes.policy, reason: 'rate_limited' },
  upstreamUnreachable: { code: closeCodes.upstreamFailed, reason: 'upstream_unreachable' },
  sessionFailed: { code: closeCodes.upstreamFailed, reason: 'session_failed' },
  restarting: { code: closeCodes.restarting, reason: 'restarting' },
  /** The page reads slower than the service sends. */
  slowPage: { code: closeCodes.overloaded, reason: 'overloaded' },
} as const satisfies Record<string, Closing>;

/** RFC 6455, 7.4.1; by the names that `ws` has for what is wrong. All others break the protocol. */
const codesOfBroken: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: 1007,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: closeCodes.policy,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: closeCodes.tooBig,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: closeCodes.tooBig,
};
const PROTOCOL_BROKEN = 1002;

/**
 * What the page sent is no frame, or one over 64 kB: `ws` has closed that by itself by now, before it is in memory and
 * without a reason. This says how, for the log.
 */
export const brokenPage = (error = ''): Closing => ({
  code: codesOfBroken[error] ?? PROTOCOL_BROKEN,
  reason: '',
});
