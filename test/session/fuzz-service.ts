// A service by the rules of document 3 with the faults of a schedule: it can be slow, silent, out of order, forgetful or
// cut off. It records what a client may never do (`broken`), and what it signed, so that a URL identifies its
// text. Frames travel in order, each way as long as the socket's lag.
import type { ManualClock } from './manual-clock.ts';
import {
  RESULT_LIFE_MS,
  type Frame,
  type FuzzSocket,
  type ServiceOfSocket,
  type SocketFaults,
} from './fuzz-socket.ts';

const MINUTE_MS = 60_000;

/** What happens to a text, or to a result.fetch, that the service may take. */
export interface Reaction {
  readonly kind:
    | 'result'
    | 'twice'
    | 'error'
    | 'deaf'
    | 'silent'
    | 'unacknowledged'
    | 'malformed'
    | 'dropped'
    /** The acknowledgement comes after the result. */
    | 'acknowledged-late'
    /** A result follows the error, or an error the result. */
    | 'error-and-result'
    | 'result-and-error';
  readonly ackMs: number;
  /** After the acknowledgement. */
  readonly resultMs: number;
  readonly code: string;
  readonly hint: number | null;
  /** Fields of the error that win over what document 3 says of its code; null where they are missing. */
  readonly severity: string | null;
  readonly retryable: boolean | null;
  /** By REST: the status of an error that is not `refused`. */
  readonly status: number;
  /** An error comes instead of the acknowledgement. */
  readonly refused: boolean;
  /** By REST: a job is answered at the acknowledgement, and has the result later. */
  readonly isJob: boolean;
}

/** When everything works. */
export const fine: Reaction = {
  kind: 'result',
  ackMs: 20,
  resultMs: 200,
  code: '',
  hint: null,
  severity: null,
  retryable: null,
  status: 500,
  refused: false,
  isJob: false,
};

export class FuzzService implements ServiceOfSocket {
  readonly clock: ManualClock;
  readonly sockets: FuzzSocket[] = [];
  /** Rules that the client broke. */
  readonly broken: string[] = [];
  /** Texts by the number in their URL. */
  readonly signed: string[] = [];
  /** Texts as the client sent them. */
  readonly sent: { readonly socket: FuzzSocket | null; readonly data: string }[] = [];
  /** Until when the result is kept, by text that the client knows as acknowledged and not as failed. */
  readonly kept = new Map<string, number>();
  /** Texts of which a result was renewed: they are under way more than once. */
  readonly renewed = new Set<string>();
  /** Texts of jobs that the client knows and that have not failed: REST polls them. */
  readonly polled = new Set<string>();
  /** The browser says that it is offline. */
  offline = false;
  /** Whether a socket reaches the service. */
  reachable = (): boolean => true;
  /** Texts as they came in, whether or not they were answered, socket by socket. */
  readonly texts: { readonly socket: FuzzSocket; readonly id: string; readonly data: string }[] = [];
  readonly #reactions: readonly Reaction[];
  readonly #socketFaults: readonly SocketFaults[];
  readonly #usedIds = new Set<string>();
  readonly #results = new Map<string, { readonly frame: Frame; readonly until: number }>();
  #arrivals: number[] = [];
  #reaction = 0;
  /** From now on everything works. */
  peaceful = false;
  /** Until then the service asked the client to send nothing. */
  pausedUntil = -Infinity;
  /** Until then the service asked the client to open no session. */
  closedUntil = -Infinity;

  constructor(clock: ManualClock, reactions: readonly Reaction[], socketFaults: readonly SocketFaults[]) {
    this.clock = clock;
    this.#reactions = reactions;
    this.#socketFaults = socketFaults;
  }

  /** The newest socket. */
  get socket(): FuzzSocket | undefined {
    return this.sockets.at(-1);
  }

  faultsOf(socket: number): SocketFaults {
    const faults = this.#socketFaults[socket % this.#socketFaults.length] as SocketFaults;
    return this.peaceful ? { ...faults, opens: 'ready', lag: 10 } : faults;
  }

  /** The client ended or failed: its next session need not wait for `retry_after_seconds`, and may try once while offline. */
  begunAnew(): void {
    this.closedUntil = -Infinity;
    this.offline = false;
  }

  breaks(rule: string): void {
    this.broken.push(`at ${this.clock.now()} ms: ${rule}`);
  }

  /** A frame of the client arrives. */
  receive(socket: FuzzSocket, frame: Frame): void {
    if (frame.type === 'session.start') return this.#start(socket, frame);
    if (frame.type === 'session.end') {
      socket.say({ type: 'session.summary', session_id: 's', usage: {} });
      return socket.hangUp();
    }
    this.#count(socket);
    const id = String(frame['id']);
    if (frame.type === 'text') this.#text(socket, id, String(frame['data']));
    else this.#fetch(socket, id);
  }

  #start(socket: FuzzSocket, { mode }: Frame): void {
    const { opens, limits } = socket.faults;
    if (opens === 'mute') return;
    if (opens === 'error') {
      socket.say({ type: 'error', ref: '', code: 'gloss_unavailable', retry_after_seconds: 3 });
      return socket.hangUp();
    }
    socket.mode = mode === 'stream' ? 'stream' : 'translate';
    const hls = `https://media.example/stream-${this.sockets.length}.m3u8`;
    socket.say({ type: 'session.ready', session_id: `s-${this.sockets.length}`, limits, manifest_url: hls });
  }

  #count({ faults }: FuzzSocket): void {
    const now = this.clock.now();
    this.#arrivals = this.#arrivals.filter((at) => at + MINUTE_MS > now);
    this.#arrivals.push(now);
    const most = faults.limits.max_messages_per_minute;
    if (this.#arrivals.length > most)
      this.breaks(`${this.#arrivals.length} messages in 60 s, at most ${most}`);
  }

  #text(socket: FuzzSocket, id: string, data: string): void {
    const { max_text_length, max_inflight } = socket.faults.limits;
    if (Buffer.byteLength(data) > max_text_length) this.breaks(`a text over ${max_text_length} bytes`);
    if (this.#usedIds.has(id)) this.breaks('an id was used twice');
    this.#usedIds.add(id);
    // A text can still be under way here only when the client's wait for it has ended.
    if (socket.rendering >= max_inflight) {
      return socket.say({ type: 'error', ref: id, code: 'backpressure', retry_after_seconds: 2 });
    }
    this.texts.push({ socket, id, data });
    const reaction = this.#nextReaction();
    if (reaction.kind === 'deaf') return;
    if (reaction.kind === 'error' && reaction.refused) return this.#fail(socket, id, reaction);
    socket.rendering += 1;
    this.clock.setTimeout(() => {
      if (reaction.kind !== 'unacknowledged' && reaction.kind !== 'acknowledged-late') {
        socket.say({ type: 'text.ack', ref: id, timestamp: new Date(this.clock.now()).toISOString() });
      }
      if (socket.mode === 'stream') socket.rendering -= 1;
      if (reaction.kind === 'dropped') socket.drop(1006);
    }, reaction.ackMs);
    this.clock.setTimeout(
      () => this.#rendered(socket, id, data, reaction),
      reaction.ackMs + reaction.resultMs,
    );
  }

  /** Which text the video at an address signs. */
  textAt(url: string): string | undefined {
    return this.signed[Number(/(\d+)\.mp4$/.exec(url)?.[1])];
  }

  #rendered(socket: FuzzSocket, id: string, data: string, reaction: Reaction): void {
    if (socket.mode === 'translate') socket.rendering -= 1;
    if (reaction.kind === 'error') return this.#fail(socket, id, reaction);
    if (reaction.kind === 'error-and-result') this.#fail(socket, id, reaction);
    if (reaction.kind === 'silent' || socket.mode === 'stream') return;
    const url = `https://media.example/${this.signed.push(data) - 1}.mp4`;
    const frame = { type: 'result', ref: id, url, duration_seconds: 1 };
    this.#results.set(id, { frame, until: this.clock.now() + RESULT_LIFE_MS });
    if (reaction.kind === 'malformed') return socket.say({ ...frame, url: 7 });
    socket.say(frame);
    if (reaction.kind === 'twice') socket.say(frame);
    if (reaction.kind === 'acknowledged-late') socket.say({ type: 'text.ack', ref: id });
    if (reaction.kind === 'result-and-error') this.#fail(socket, id, reaction);
  }

  #fail(socket: FuzzSocket, ref: string, { code, hint, severity, retryable }: Reaction): void {
    socket.say({ type: 'error', ref, code, severity, retryable, retry_after_seconds: hint });
    const ends = severity ?? (code === 'gloss_unavailable' || code === 'session_expired' ? 'session' : null);
    // Without a hint the service leaves the socket open, so that the client has to close it.
    if (ends === 'session' && hint !== null) socket.hangUp();
  }

  #fetch(socket: FuzzSocket, id: string): void {
    if (socket.mode === 'stream') this.breaks('result.fetch in stream mode');
    if (!this.#usedIds.has(id)) this.breaks('result.fetch of an id that was never sent');
    const reaction = this.#nextReaction();
    if (reaction.kind === 'deaf' || reaction.kind === 'silent') return;
    if (reaction.kind === 'error') return this.#fail(socket, id, reaction);
    const kept = this.#results.get(id);
    if (kept && kept.until > this.clock.now()) socket.say(kept.frame);
    else socket.say({ type: 'error', ref: id, code: 'result_expired' });
  }

  #nextReaction(): Reaction {
    this.#reaction += 1;
    return this.peaceful ? fine : (this.#reactions[this.#reaction % this.#reactions.length] as Reaction);
  }
}
