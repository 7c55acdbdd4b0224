// Passes messages between the two sides of a relay.
// - Until upstream is open at most 64 kB of frames wait; beyond that the client is not read. Frames that wait are not yet counted
//   as spent.
// - Frames pass unchanged, apart from redaction of upstream frames (session-redaction.ts). Which client frames pass:
//   client-frames.ts.
// - Backpressure both ways: while over 64 kB wait for one side, the other is not read. A client with over 2 MB waiting,
//   our own answers included, is closed with 1013.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { Redactor } from '../credentials/redaction.ts';
import type { Spending } from '../limits/spending.ts';
import type { Metrics } from '../metrics.ts';
import { type CloseReason, closeReasons, errorFrame, notTheClients } from './close-codes.ts';
import { type Message, messageOf } from './message.ts';
import { SendQueue } from './send-queue.ts';
import { SessionRedaction } from './session-redaction.ts';
import { SessionSpending } from './session-spending.ts';

const PAUSE_BYTES = 64 * 1024;
/** More than one frame of the service, which has at most 1 MB. */
const CLIENT_LIMIT_BYTES = 2 * 1024 * 1024;

export interface PassingDeps {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'frame' | 'limitHit'>;
  readonly spending: Pick<Spending, 'add' | 'expect' | 'isSpent' | 'mustWait' | 'streaming'>;
  /** The longest text in bytes. */
  readonly maxTextBytes: number;
  /** The stream under the client's socket. */
  readonly connection: Duplex;
  /** Replaces secrets in the frames of the service. */
  readonly redactor: Redactor;
  /** What the client's upgrade has sent to the service. */
  readonly sentByUpgrade: readonly string[];
}

interface PassingEvents {
  /** A session.start of the client passes, and may have before. */
  started(): void;
  /** A frame of the client goes to the service, or waits for it. */
  used(): void;
  /** Ends the relay, which then calls stop(). */
  end(closing: CloseReason): void;
}

export class Passing {
  readonly #client: WebSocket;
  readonly #upstream: WebSocket;
  readonly #deps: PassingDeps;
  readonly #events: PassingEvents;
  readonly #toClient: SendQueue;
  /** Null until the service's socket is open. */
  #toUpstream: SendQueue | null = null;
  /** Frames that arrived before that. */
  #early: (readonly [message: Message, isStart: boolean])[] = [];
  #earlyBytes = 0;
  /** The reasons not to read the client: the answer about its rate is awaited; too much waits for the service. */
  #isHeld = false;
  #isFull = false;
  #isStopped = false;
  readonly #spent: SessionSpending;
  readonly #redaction: SessionRedaction;

  constructor(client: WebSocket, upstream: WebSocket, deps: PassingDeps, events: PassingEvents) {
    this.#client = client;
    this.#upstream = upstream;
    this.#deps = deps;
    this.#events = events;
    this.#toClient = new SendQueue(client, deps.connection, false);
    this.#spent = new SessionSpending(deps.clock, deps.spending, deps.maxTextBytes);
    this.#redaction = new SessionRedaction(deps.redactor, deps.sentByUpgrade);
    deps.connection.on('drain', () => upstream.isPaused && upstream.resume());
  }

  /** The service's socket is open, on this connection. */
  opened(connection: Duplex): void {
    this.#toUpstream = new SendQueue(this.#upstream, connection, true);
    connection.on('drain', () => this.#drained());
    const waiting = this.#early;
    this.#early = [];
    this.#drained();
    for (const [message, isStart] of waiting) if (!this.#isStopped) this.up(message, isStart);
  }

  /** Whether a stream is open, which spends without a frame of its client, and a cap is reached. */
  get isStreamOverCap(): boolean {
    return this.#spent.isStreaming && this.#deps.spending.isSpent;
  }

  /** Passes a frame of the client. */
  up(message: Message, isStart: boolean): void {
    if (this.#deps.spending.isSpent) return this.#events.end(closeReasons.budgetSpent);
    if (isStart) this.#events.started();
    if (this.#toUpstream === null) {
      this.#events.used();
      this.#early.push([message.kept(), isStart]);
      this.#earlyBytes += message.length;
    } else {
      this.#send(this.#toUpstream, message, isStart);
    }
    if ((this.#toUpstream?.bufferedAmount ?? this.#earlyBytes) <= PAUSE_BYTES) return;
    this.#isFull = true;
    this.#updateReading();
  }

  /** Passes a frame of the service. */
  down(message: Message): void {
    if (this.#isStopped) return;
    this.#deps.metrics.frame('down');
    if (!message.isBinary) this.#spent.received(message);
    this.#sendToClient(this.#redaction.redacted(message));
    if (!this.#isStopped && this.#toClient.bufferedAmount > PAUSE_BYTES) this.#upstream.pause();
  }

  /** Sends the client a frame of our own. */
  reply(frame: string): void {
    this.#sendToClient(messageOf(Buffer.from(frame)));
  }

  /** While it is held the client is not read. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#updateReading();
  }

  /** Nothing passes from now on; counts what has no answer. */
  stop(closing: CloseReason): void {
    this.#isStopped = true;
    this.#early = [];
    // While the client does not read, the service is not read either: the service ends the session, and we have not counted its
    // results.
    this.#spent.ended(!notTheClients.has(closing) || this.#upstream.isPaused);
  }

  /** Writes what was sent in this turn. */
  flush(): void {
    this.#toClient.flush();
    this.#toUpstream?.flush();
  }

  #send(queue: SendQueue, message: Message, isStart: boolean): void {
    const { metrics } = this.#deps;
    if (isStart) this.#spent.started(message);
    const waiting = this.#spent.send(message);
    if (waiting !== null) {
      metrics.limitHit('budget_under_way');
      const text = 'the texts under way may use up what is left of the budget';
      return this.reply(errorFrame('backpressure', text, { ref: waiting }));
    }
    this.#redaction.sent(message);
    this.#events.used();
    queue.send(message);
    metrics.frame('up');
  }

  #sendToClient(message: Message): void {
    this.#toClient.send(message);
    if (this.#toClient.bufferedAmount <= CLIENT_LIMIT_BYTES) return;
    this.#deps.metrics.limitHit('page_backlog');
    this.#events.end(closeReasons.slowClient);
  }

  #drained(): void {
    this.#isFull = false;
    if (!this.#isStopped) this.#updateReading();
  }

  #updateReading(): void {
    const client = this.#client;
    const shouldRead = !this.#isHeld && !this.#isFull;
    if (shouldRead && client.isPaused) client.resume();
    else if (!shouldRead && !client.isPaused) client.pause();
  }
}
