// What the proxy itself tells a client on a socket: close codes with a reason, and error frames.
// - The close code is the kind of end (src/protocol/websocket.ts), the reason is a stable code for the page. The
//   close reason of the service is not passed on.
// - Six errors are sent in the format of the service (document 3, Errors), so that clients parse one format: a refused
//   session.start, a frame before it, a frame over the rate, a text that is too long, a text that has to wait for the budget, and
//   the end of an idle session.
import { closeCodes } from '../../src/protocol/websocket.ts';
import type { OwnErrorCode } from '../../src/protocol/own-errors.ts';
import type { ErrorFrame } from '../../src/protocol/server-frames.ts';
import { type ServiceErrorCode, serviceErrors } from '../../src/protocol/service-errors.ts';

export interface CloseReason {
  readonly code: number;
  readonly reason: OwnErrorCode | ServiceErrorCode | 'restarting' | 'overloaded' | '';
}

export const closeReasons = {
  /** The service closed the session with 1000 or without a code. */
  ended: { code: closeCodes.normal, reason: '' },
  invalidStart: { code: closeCodes.policy, reason: 'invalid_session_start' },
  binaryFrame: { code: closeCodes.policy, reason: 'invalid_message' },
  sessionExpired: { code: closeCodes.normal, reason: 'session_expired' },
  handshakeTimeout: { code: closeCodes.policy, reason: 'handshake_timeout' },
  rateLimited: { code: closeCodes.policy, reason: 'rate_limited' },
  budgetSpent: { code: closeCodes.policy, reason: 'budget_spent' },
  upstreamUnreachable: { code: closeCodes.upstreamFailed, reason: 'upstream_unreachable' },
  sessionFailed: { code: closeCodes.upstreamFailed, reason: 'session_failed' },
  /** The service closed the session because of what the client sent. */
  sessionRefused: { code: closeCodes.upstreamFailed, reason: 'session_failed' },
  restarting: { code: closeCodes.restarting, reason: 'restarting' },
  /** The client began a message and did not finish it. */
  unfinished: { code: closeCodes.restarting, reason: 'restarting' },
  /** The client reads more slowly than the service sends. */
  slowClient: { code: closeCodes.overloaded, reason: 'overloaded' },
} as const satisfies Record<string, CloseReason>;

/** Ends that a client does not cause. */
export const notTheClients: ReadonlySet<CloseReason> = new Set([
  closeReasons.restarting,
  closeReasons.sessionFailed,
  closeReasons.upstreamUnreachable,
]);

/** For the metrics: a code that a client chose is no label. */
export const labelOf = ({ code, reason }: CloseReason): string =>
  reason || (code === closeReasons.ended.code ? 'ended' : 'closed');

/** RFC 6455, 7.4.1. */
const [PROTOCOL_ERROR, UNACCEPTABLE_DATA, NO_CODE, INVALID_DATA] = [1002, 1003, 1005, 1007];

/** The close code for each error code of `ws`; all others are protocol errors. */
const codesOfErrors: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: INVALID_DATA,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: closeCodes.policy,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: closeCodes.tooBig,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: closeCodes.tooBig,
};

/** Codes with which a peer says that it received a wrong frame. */
const refusals: ReadonlySet<number> = new Set([
  PROTOCOL_ERROR,
  UNACCEPTABLE_DATA,
  INVALID_DATA,
  closeCodes.policy,
  closeCodes.tooBig,
]);

/** The reason for the client, by the code with which the service closed an open session. */
export function endOfService(code: number): CloseReason {
  if (code === closeCodes.normal || code === NO_CODE) return closeReasons.ended;
  return refusals.has(code) ? closeReasons.sessionRefused : closeReasons.sessionFailed;
}

/**
 * For the log: the code with which `ws` has closed a client that sent an invalid frame or one over 64 kB, before the
 * frame is in memory and without a reason.
 */
export const closeReasonOf = (error = ''): CloseReason => ({
  code: codesOfErrors[error] ?? PROTOCOL_ERROR,
  reason: '',
});

/** Stage, severity and retryable come from the table in document 3 unless `fields` replace them. */
export function errorFrame(
  code: ServiceErrorCode,
  message: string,
  fields: Partial<Pick<ErrorFrame, 'ref' | 'severity' | 'retry_after_seconds'>> = {},
): string {
  const { stage, severity, retryable, retryAfterSeconds } = serviceErrors[code];
  const frame = {
    type: 'error',
    ref: '',
    code,
    stage,
    message,
    severity,
    retryable,
    retry_after_seconds: retryAfterSeconds,
    ...fields,
  } satisfies ErrorFrame;
  return JSON.stringify(frame);
}
