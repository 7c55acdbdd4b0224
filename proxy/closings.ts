// How the proxy ends a page's socket. Policy: the code says what kind of end it was (src/protocol/close-codes.ts), the
// reason is a stable code that a page can act on; of what the service said when it closed, nothing is passed on.
import { closeCodes } from '../src/protocol/close-codes.ts';
import type { OwnErrorCode } from '../src/protocol/own-errors.ts';
import type { ServiceErrorCode } from '../src/protocol/service-errors.ts';

export interface Closing {
  readonly code: number;
  readonly reason: OwnErrorCode | ServiceErrorCode | 'restarting' | 'overloaded' | '';
}

/** A frame over 64 kB is closed 1009 without a reason: `ws` does that before the frame is in memory. */
export const closings = {
  /** The service closed the session as it should (1000, or no code at all). */
  ended: { code: closeCodes.normal, reason: '' },
  /** What the page sent is no frame, or its connection failed: `ws` has answered it as that needs (1002, 1007, 1009). */
  brokenPage: { code: closeCodes.policy, reason: '' },
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
