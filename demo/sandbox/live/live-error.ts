// The errors of the live routes of document 2 (Errors, envelope 2): `{ error: { code, type, message, details?,
// requestId } }`.
// - The ten documented codes have the status and type of the document's table.
// - Errors without a documented code (401, 405, the sandbox's own limit) get one in the same style.
// - `requestId` repeats `X-Request-Id`. Without that header it is a number that counts the requests of this run.
import type { FastifyRequest } from 'fastify';

type ErrorType = 'VALIDATION_ERROR' | 'NOT_FOUND' | 'UNSUPPORTED_OPERATION' | 'SERVICE_UNAVAILABLE';

/** Document 2, Live error codes. */
export const liveErrorCodes = [
  'BAD_REQUEST',
  'NOT_FOUND',
  'HLS_INPUT_UNREACHABLE',
  'HLS_INPUT_MALFORMED',
  'HLS_INPUT_INCOMPATIBLE',
  'HLS_INPUT_NORMALIZE_CAPACITY',
  'PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE',
  'MEDIA_LIVE_NOT_CONFIGURED',
  'SRT_RELAY_NOT_CONFIGURED',
  'RTMP_ENDPOINT_UNREACHABLE',
] as const;
export type LiveErrorCode = (typeof liveErrorCodes)[number];
type OwnCode = 'UNAUTHORIZED' | 'METHOD_NOT_ALLOWED' | 'SESSION_CAPACITY' | 'INTERNAL_ERROR';

interface Row {
  readonly status: number;
  readonly type: ErrorType;
  /** In seconds; only for errors with a known wait. */
  readonly retryAfter?: number;
}

const rows: Readonly<Record<LiveErrorCode | OwnCode, Row>> = {
  BAD_REQUEST: { status: 400, type: 'VALIDATION_ERROR' },
  NOT_FOUND: { status: 404, type: 'NOT_FOUND' },
  HLS_INPUT_UNREACHABLE: { status: 400, type: 'VALIDATION_ERROR' },
  HLS_INPUT_MALFORMED: { status: 400, type: 'VALIDATION_ERROR' },
  HLS_INPUT_INCOMPATIBLE: { status: 400, type: 'VALIDATION_ERROR' },
  HLS_INPUT_NORMALIZE_CAPACITY: { status: 503, type: 'SERVICE_UNAVAILABLE', retryAfter: 30 },
  PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE: { status: 501, type: 'UNSUPPORTED_OPERATION' },
  MEDIA_LIVE_NOT_CONFIGURED: { status: 501, type: 'UNSUPPORTED_OPERATION' },
  SRT_RELAY_NOT_CONFIGURED: { status: 501, type: 'UNSUPPORTED_OPERATION' },
  RTMP_ENDPOINT_UNREACHABLE: { status: 503, type: 'SERVICE_UNAVAILABLE' },
  UNAUTHORIZED: { status: 401, type: 'VALIDATION_ERROR' },
  METHOD_NOT_ALLOWED: { status: 405, type: 'UNSUPPORTED_OPERATION' },
  SESSION_CAPACITY: { status: 503, type: 'SERVICE_UNAVAILABLE', retryAfter: 30 },
  INTERNAL_ERROR: { status: 500, type: 'SERVICE_UNAVAILABLE' },
};

/** The body of an error. */
interface LiveEnvelope {
  readonly error: {
    readonly code: string;
    readonly type: ErrorType;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly requestId: string;
  };
}

/** A refused request of the live API. */
export class LiveError extends Error {
  override readonly name = 'LiveError';
  readonly code: LiveErrorCode | OwnCode;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    code: LiveErrorCode | OwnCode,
    message: string,
    details: Readonly<Record<string, unknown>> | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.#headers = headers;
  }

  get status(): number {
    return rows[this.code].status;
  }

  get headers(): Readonly<Record<string, string>> {
    const { retryAfter } = rows[this.code];
    return { ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }), ...this.#headers };
  }

  envelope(requestId: string): LiveEnvelope {
    const { code, message, details } = this;
    return { error: { code, type: rows[code].type, message, ...(details && { details }), requestId } };
  }
}

/** The code for a status without further details. */
export function codeOfStatus(status: number): LiveErrorCode | OwnCode {
  const usual: Partial<Record<number, LiveErrorCode | OwnCode>> = {
    401: 'UNAUTHORIZED',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    501: 'MEDIA_LIVE_NOT_CONFIGURED',
    503: 'SESSION_CAPACITY',
  };
  return usual[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
}

/** The request id in the answers to this request. */
export function requestIdOf(request: FastifyRequest): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && given !== '' ? given : request.id;
}
