// Carries parts over the socket of document 3, one service session at a time.
// - Answers come in any order and belong to a part by their `ref` (document 3, rule 3).
// - In stream mode text.ack is the answer. One text is sent at a time, because texts are signed in the order of their arrival. A
//   result, which no document shows in this mode, is ignored, because the picture is in the stream.
// - An answer that cannot be parsed fails the part that it names. Any other frame that cannot be parsed is only reported, because
//   the answer may still follow.
// - When a request is not answered in time and no frame was received meanwhile, the socket is dead, whatever its state says.
// - Frames of a type that this version does not name are ignored (document 3, Versioning), with one line on the console for
//   each of the first 16 types.
import { warnOnce } from '../../internal/page-settings.ts';
import type { SessionMode, SessionStartFrame } from '../../protocol/client-frames.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type {
  AckFrame,
  ErrorFrame,
  ParsedFrame,
  ProgressFrame,
  ReadyFrame,
  ResultFrame,
} from '../../protocol/server-frames.ts';
import { errorFromFrame } from '../../protocol/service-errors.ts';
import type { Clock } from '../async.ts';
import { isOnlyReported } from '../retry-policy.ts';
import type { PartVideo, UtterancePart } from '../utterance-part.ts';
import { configuredFetch, type Fetch } from '../diagnose-upgrade.ts';
import { PendingRequests, type SentFrame } from './pending-requests.ts';
import type { ConnectionEvents, RequestEvents, Transport, TransportWindow } from './transport.ts';
import { V3Socket, type SocketConstructor } from './v3-socket.ts';

const WARNED_TYPES = 16;
/** A frame of a page has at most 64 kB (the proxy's limit), and one byte of a text takes up to 6 bytes as JSON. */
const MOST_BYTES = 10_000;

interface V3TransportOptions {
  /** The address of the socket. */
  readonly url: string;
  readonly start: SessionStartFrame;
  readonly webSocket: SocketConstructor | undefined;
  readonly fetch: Fetch | undefined;
  readonly clock: Clock;
  /** Stream mode: finds the manifests in `session.ready`. */
  readonly findManifests: ((answer: unknown) => StreamManifests | null) | undefined;
}

export class V3Transport implements Transport {
  readonly kind = 'v3';
  window: TransportWindow | null = null;
  manifests: StreamManifests | null = null;
  readonly #options: V3TransportOptions;
  readonly #connection: ConnectionEvents;
  readonly #requests: RequestEvents;
  readonly #pending: PendingRequests;
  readonly #unknownTypes = new Set<string>();
  #socket: V3Socket | null = null;
  #sessionId: string | null = null;
  /** The platform was offline since the last frame was received. */
  #wasOffline = false;

  constructor(options: V3TransportOptions, connection: ConnectionEvents, requests: RequestEvents) {
    this.#options = options;
    this.#connection = connection;
    this.#requests = requests;
    this.#pending = new PendingRequests(options.clock, connection.network, (frame) => this.#silent(frame));
  }

  get pending(): readonly SentFrame[] {
    return this.#pending.unanswered;
  }

  get #mode(): SessionMode {
    return this.#options.start.mode;
  }

  open(): void {
    const { url, start, clock, webSocket = globalThis.WebSocket, fetch = configuredFetch } = this.#options;
    this.#sessionId = this.manifests = null;
    this.#wasOffline = false;
    this.#socket = new V3Socket({
      url,
      start,
      webSocket,
      fetch,
      clock,
      ready: (frame) => this.#ready(frame),
      heard: (parsed) => this.#heard(parsed),
      lost: (error) => this.#lose(error),
    });
    this.#socket.open();
  }

  send(part: UtterancePart): SentFrame {
    const { asks, wireId: id, text } = part;
    const frame = this.#pending.sent(part);
    this.#socket?.send(asks === 'text' ? { type: 'text', id, data: text } : { type: 'result.fetch', id });
    return frame;
  }

  /** A sent frame cannot be taken back: its answer will be ignored. */
  cancel(): void {}

  /** Notes it only: the socket reports when it is closed. */
  offline(): void {
    this.#wasOffline = true;
  }

  end(): boolean {
    const canEnd = this.#sessionId !== null && this.#socket !== null;
    this.window = null;
    this.#pending.clear();
    if (canEnd) this.#socket?.send({ type: 'session.end' });
    return canEnd;
  }

  close(): void {
    this.window = null;
    this.#pending.clear();
    this.#socket?.close();
    this.#socket = null;
    this.#requests.disconnected();
  }

  #ready(frame: ReadyFrame): void {
    const { session_id: sessionId, limits } = frame;
    const isStream = this.#mode === 'stream';
    const manifests = (isStream && this.#options.findManifests?.(frame)) || null;
    if (isStream && !manifests) {
      const error = ownError('protocol_error', 'session.ready: no stream', { requestId: sessionId });
      return this.#lose(error);
    }
    this.#sessionId = sessionId;
    this.manifests = manifests;
    this.window = {
      sessionId,
      maxInflight: isStream ? 1 : limits.max_inflight,
      maxMessagesPerMinute: limits.max_messages_per_minute,
      maxTextBytes: Math.min(limits.max_text_length, MOST_BYTES),
      splits: true,
    };
    this.#connection.ready(frame);
  }

  #heard(parsed: ParsedFrame): void {
    this.#wasOffline = false;
    if (parsed.kind === 'unknown') return this.#warnOfType(parsed.type);
    const type = parsed.kind === 'frame' ? parsed.frame.type : parsed.type;
    if (type === 'result' && this.#mode === 'stream') return;
    if (parsed.kind === 'malformed') return this.#malformed(parsed);
    const { frame } = parsed;
    switch (frame.type) {
      case 'session.ready':
        return;
      case 'session.summary':
        return this.#connection.summary({
          sessionId: frame.session_id ?? this.#sessionId,
          usage: frame.usage,
        });
      case 'error':
        return this.#refused(frame);
      case 'text.ack':
      case 'text.progress':
      case 'result':
        return this.#answered(frame);
    }
  }

  #answered(answer: AckFrame | ResultFrame | ProgressFrame): void {
    const sent = this.window && this.#pending.get(answer.ref);
    if (!sent) return;
    this.#requests.arrived(sent);
    switch (answer.type) {
      case 'text.ack':
        return this.#acknowledged(sent, answer);
      case 'text.progress': {
        const { stage, status, duration_ms: durationMs } = answer;
        return this.#requests.progress(sent, {
          stage,
          status: status ?? null,
          durationMs: durationMs ?? null,
        });
      }
      case 'result':
        this.#pending.answered(sent);
        this.#requests.answered(sent, videoOf(answer));
        this.#requests.freed();
    }
  }

  #acknowledged(sent: SentFrame, { timestamp }: AckFrame): void {
    this.#pending.acknowledged(sent);
    if (this.#mode === 'translate') return this.#requests.acknowledged(sent, null);
    this.#pending.answered(sent);
    // A timestamp without an offset would be read in the visitor's own time zone, hours away from the clock of the playlist.
    const at = /(?:Z|[+-]\d\d:?\d\d)$/i.test(timestamp ?? '') ? Date.parse(timestamp ?? '') : NaN;
    this.#requests.acknowledged(sent, { at: Number.isNaN(at) ? null : at, manifests: null });
    this.#requests.freed();
  }

  #refused(frame: ErrorFrame): void {
    const error = errorFromFrame(frame, this.#sessionId);
    // A session that is ending answers no texts any more, but its pacing errors concern the whole account.
    if (!this.window) return this.#requests.paced(error);
    const sent = this.#pending.get(frame.ref ?? '') ?? null;
    if (sent) this.#requests.arrived(sent);
    if (sent?.asks !== 'fetch' && isOnlyReported(error)) return this.#requests.warned(sent, error);
    const endsSession = error.severity === 'session';
    if (sent && !endsSession) this.#pending.answered(sent);
    this.#requests.refused(sent, error);
    if (endsSession) this.#lose(error);
    else this.#requests.freed();
  }

  #malformed({ type, ref, problem }: Extract<ParsedFrame, { kind: 'malformed' }>): void {
    const error = ownError('protocol_error', `${type ?? 'frame'}: ${problem}`, {
      requestId: this.#sessionId,
    });
    const isAnswer = type === 'result' || type === 'error';
    const sent = isAnswer && ref !== null ? this.#pending.get(ref) : undefined;
    if (!sent?.part.open) return this.#requests.warned(null, error);
    this.#pending.answered(sent);
    this.#requests.failed(sent, error);
    this.#requests.freed();
  }

  /** The time of this request is up. When no frame came in that time, the socket is dead. */
  #silent(sent: SentFrame): void {
    const socket = this.#socket;
    const requestId = this.#sessionId;
    const { since } = sent;
    this.#requests.arrived(sent);
    // When nothing was heard since the platform was offline, the outage killed the socket, although it may have been heard after
    // this frame was sent: that is no try (SEMANTICS, offline).
    const isAlive = !this.#wasOffline && socket?.heardSince(since);
    if (!this.#wasOffline) this.#requests.silent(sent, sent.acknowledged);
    // A listener may have ended the session.
    if (!this.window || socket !== this.#socket || isAlive) return this.#requests.freed();
    this.#lose(ownError('session_failed', 'silent', { requestId }));
  }

  #lose(error: SignError): void {
    this.close();
    this.#connection.lost(error);
  }

  #warnOfType(type: string): void {
    if (this.#unknownTypes.size >= WARNED_TYPES) return;
    const name = JSON.stringify(type.slice(0, 64));
    this.#unknownTypes.add(name);
    warnOnce(name, `unknown frames ${name}`);
  }
}

const videoOf = (frame: ResultFrame): PartVideo => ({
  url: frame.url,
  expiresAt: frame.url_expires_at ?? null,
  durationSeconds: frame.duration_seconds ?? null,
  pipelineMs: frame.pipeline_ms ?? null,
});
