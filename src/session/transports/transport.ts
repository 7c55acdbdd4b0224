// The interface of a transport, which carries parts to the service and videos back: the socket of document 3
// (v3-transport.ts) or HTTP requests of document 2 (rest-transport.ts).
// - A transport knows the wire and nothing of order, retries or credits (sign-queue.ts).
import type { StreamManifests } from '../../protocol/find-url.ts';
import type { ReadyFrame } from '../../protocol/server-frames.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { NetworkStatus } from '../network.ts';
import type { SessionEventMap, SessionSummary } from '../session-types.ts';
import type { PartVideo, StreamEntry, UtterancePart } from '../utterance-part.ts';

export type TransportKind = 'v3' | 'rest';

/** What can be sent while a transport is ready. */
export interface TransportWindow {
  /** Null where there is no session. */
  readonly sessionId: string | null;
  readonly maxInflight: number;
  /** Infinity where there is no such limit. */
  readonly maxMessagesPerMinute: number;
  readonly maxTextBytes: number;
  /** False when a text has to go as one part. */
  readonly splits: boolean;
}

/** A frame or a request that was sent for a part. */
export interface PendingRequest {
  readonly part: UtterancePart;
  readonly wireId: string;
  readonly asks: 'text' | 'fetch';
  /** The service has accepted it. */
  readonly acknowledged: boolean;
}

export interface Transport {
  readonly kind: TransportKind;
  /** Null while nothing can be sent. */
  readonly window: TransportWindow | null;
  /** Stream mode: addresses of the stream; null before they are known. */
  readonly manifests: StreamManifests | null;
  /** The requests that were sent and not answered. */
  readonly pending: readonly PendingRequest[];
  /** Starts one attempt; `ready` or `lost` reports its outcome. */
  open(): void;
  /** Sends what the part asks for. */
  send(part: UtterancePart): PendingRequest;
  /** Nobody waits for this part any more. */
  cancel(part: UtterancePart): void;
  /** Sends nothing any more. True when it has sent `session.end`, so that a summary may come. */
  end(): boolean;
  /** Ends everything at once, without an event. */
  close(): void;
  /** The platform has gone offline. */
  offline(): void;
}

/** Events of a transport for its connection. */
export interface ConnectionEvents {
  /** Shared by all transports of a session. */
  readonly network: Pick<NetworkStatus, 'offline' | 'wasReached' | 'isAway' | 'reached'>;
  /** `frame` of session.ready; null where there is no session. */
  ready(frame: ReadyFrame | null): void;
  /** It was lost, or did not get ready. Nothing is sent before it is opened again. */
  lost(error: SignError): void;
  summary(summary: SessionSummary): void;
}

/** Events of a transport's requests for the queue. */
export interface RequestEvents {
  /** The message has arrived, or never will. */
  arrived(request: PendingRequest): void;
  /** No message is on its way any more. */
  disconnected(): void;
  /** The service accepted the request; `entry` when the text goes into a stream. */
  acknowledged(request: PendingRequest, entry: StreamEntry | null): void;
  progress(request: PendingRequest, detail: Omit<SessionEventMap['sign-progress'], 'ref'>): void;
  answered(request: PendingRequest, video: PartVideo): void;
  /** The service answered with an error; `request` is null when the error names none. */
  refused(request: PendingRequest | null, error: SignError): void;
  /** An error of a session that is ending: it may ask for slower sending. */
  paced(error: SignError): void;
  /** The request failed, and another try would not help. */
  failed(request: PendingRequest, error: SignError): void;
  /** The connection broke, and the request may be sent again. `error` is null while offline, when a failure does not count. */
  broken(request: PendingRequest, error: SignError | null): void;
  /** A try failed and another is being made. */
  warned(request: PendingRequest | null, error: SignError): void;
  /** The service did not answer the request in time. */
  silent(request: PendingRequest, wasAcknowledged: boolean): void;
  /** Another request may be possible now. */
  freed(): void;
}

/** False for an earlier try of the part, and for a part that nobody waits for. */
export const isCurrent = ({ part, wireId, asks }: PendingRequest): boolean =>
  part.underWay && part.wireId === wireId && part.asks === asks;
