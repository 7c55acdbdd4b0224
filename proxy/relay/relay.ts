// Relays frames between one client's socket and one upstream session (SEMANTICS, Proxy): begins and ends the relay; passing.ts
// passes the frames.
// - Upstream is connecting while the client sends its session.start: 5 s to connect, 15 s from the upgrade to a session.start.
// - When one side ends, both are closed (closing.ts).
// - A client that sends too many pings and pongs is terminated (keepalive.ts), and an idle or very long session is
//   closed (session-limits.ts).
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import { type Metrics, NO_STATUS } from '../metrics.ts';
import { type ClientFrameDeps, ClientFrames } from './client-frames.ts';
import {
  closeReasonOf,
  type CloseReason,
  closeReasons,
  endOfService,
  errorFrame,
  labelOf,
} from './close-codes.ts';
import { closeBoth } from './closing.ts';
import type { Drainable } from './drain.ts';
import { readPlainFrames } from './frame-reader.ts';
import { heartbeat, limitControlFrames } from './keepalive.ts';
import { type Message, messageOf } from './message.ts';
import { Passing, type PassingDeps } from './passing.ts';
import { sessionLimits } from './session-limits.ts';

const CONNECT_MS = 5_000;
const START_MS = 15_000;
const SWITCHING_PROTOCOLS = 101;

export interface RelayDeps
  extends PassingDeps, Pick<ClientFrameDeps, 'rate' | 'refusals' | 'maxTextBytes' | 'signers'> {
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'frame' | 'limitHit' | 'relayEnded' | 'upstreamAnswered'>;
}

/**
 * Relays until either side ends. `client` is open, `upstream` is connecting; both are closed once `closed` resolves.
 */
export const startRelay = (client: WebSocket, upstream: WebSocket, deps: RelayDeps): Drainable =>
  new Relay(client, upstream, deps);

class Relay implements Drainable {
  readonly closed: Promise<void>;
  readonly #client: WebSocket;
  readonly #upstream: WebSocket;
  readonly #deps: RelayDeps;
  readonly #connectingSince: number;
  /** HTTP status of the service's response to the upgrade. */
  #status: number | undefined;
  #isOpen = false;
  #hasStarted = false;
  #isEnding = false;
  readonly #passing: Passing;
  readonly #frames: ClientFrames;
  readonly #limits: ReturnType<typeof sessionLimits>;
  readonly #stopConnectTimer: () => void;
  readonly #stopStartTimer: () => void;
  /** What ends with the relay. */
  readonly #stops: (() => void)[];

  constructor(client: WebSocket, upstream: WebSocket, deps: RelayDeps) {
    const { clock } = deps;
    this.#client = client;
    this.#upstream = upstream;
    this.#deps = deps;
    this.#connectingSince = clock.now();
    this.#passing = new Passing(client, upstream, deps, {
      started: () => this.#started(),
      used: () => this.#limits.used(),
      end: (closing) => this.#end(closing),
    });
    this.#frames = this.#checkedFrames();
    this.#limits = this.#limitSession();
    this.#stopConnectTimer = clock.after(CONNECT_MS, () => this.#end(closeReasons.upstreamUnreachable));
    this.#stopStartTimer = clock.after(START_MS, () => this.#end(closeReasons.handshakeTimeout));
    const stopHeartbeat = heartbeat(client, clock, () => client.terminate());
    this.#stops = [this.#stopConnectTimer, this.#stopStartTimer, stopHeartbeat, this.#limits.stop];
    this.closed = Promise.all([whenClosed(client), whenClosed(upstream)]).then(() => undefined);
    this.#listenToClient();
    this.#listenToUpstream();
  }

  restart(): void {
    this.#end(closeReasons.restarting);
  }

  #checkedFrames(): ClientFrames {
    return new ClientFrames({
      ...this.#deps,
      pass: (message, isStart) => this.#passing.up(message, isStart),
      reply: (frame) => this.#passing.reply(frame),
      end: (closing) => this.#end(closing),
      hold: (isHeld) => this.#passing.hold(isHeld),
    });
  }

  #limitSession(): ReturnType<typeof sessionLimits> {
    const { clock, metrics } = this.#deps;
    return sessionLimits(clock, this.#client, {
      isOverCap: () => this.#passing.isStreamOverCap,
      onOverCap: () => this.#end(closeReasons.budgetSpent),
      onIdle: () => {
        metrics.limitHit('session_idle');
        this.#passing.reply(errorFrame('session_expired', 'nothing was sent for 10 minutes'));
        this.#end(closeReasons.sessionExpired);
      },
      onOld: () => this.#end(closeReasons.restarting),
      onUnfinished: () => {
        metrics.limitHit('unfinished_messages');
        this.#end(closeReasons.unfinished);
      },
    });
  }

  #listenToClient(): void {
    const client = this.#client;
    const { clock, log, metrics } = this.#deps;
    limitControlFrames(client, clock, () => {
      metrics.limitHit('control_frames');
      client.terminate();
    });
    const fromClient = this.#guarded((message) => {
      this.#limits.received();
      this.#frames.receive(message);
    });
    client.on('message', (data: Buffer, isBinary) => fromClient(messageOf(data, isBinary)));
    readPlainFrames(client, true, fromClient);
    client.on('close', (code) => this.#end({ code, reason: '' }));
    // A client that sent an invalid frame may stay connected: 'close' can be late.
    client.on('error', (error: NodeJS.ErrnoException) => {
      log.info({ error: error.code }, 'socket of client');
      this.#end(closeReasonOf(error.code));
    });
  }

  #listenToUpstream(): void {
    const upstream = this.#upstream;
    const fromUpstream = this.#guarded((message) => this.#passing.down(message));
    // 'open' follows at once, unless the handshake response is invalid.
    upstream.on('upgrade', ({ socket }) => {
      this.#responded(SWITCHING_PROTOCOLS);
      upstream.once('open', () => this.#opened(socket, fromUpstream));
    });
    upstream.on('message', (data: Buffer, isBinary) => fromUpstream(messageOf(data, isBinary)));
    upstream.on('unexpected-response', (_request, response) => {
      this.#responded(response.statusCode ?? NO_STATUS);
      this.#end(closeReasons.upstreamUnreachable);
    });
    upstream.on('close', (code) => {
      if (this.#isOpen) this.#end(endOfService(code));
      else this.#upstreamFailed();
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      // `ws` reports an error for a socket that we end while it connects.
      if (this.#isEnding) return;
      this.#deps.log.warn({ error: error.code }, 'socket of service');
      this.#upstreamFailed();
    });
  }

  /** An exception in a listener of a socket would end the process. So it ends this session with 1011, and no other. */
  #guarded(handle: (message: Message) => void): (message: Message) => void {
    return (message) => {
      try {
        handle(message);
      } catch (error) {
        // The message of an error may hold a part of the frame.
        this.#deps.log.error(
          { fault: error instanceof Error ? error.name : typeof error },
          'frame not handled',
        );
        this.#end(closeReasons.sessionFailed);
      }
    };
  }

  #opened(connection: Duplex, fromUpstream: (message: Message) => void): void {
    if (this.#isEnding) return;
    this.#isOpen = true;
    readPlainFrames(this.#upstream, false, fromUpstream);
    this.#stopConnectTimer();
    const onSilent = (): void => this.#end(closeReasons.sessionFailed);
    this.#stops.push(heartbeat(this.#upstream, this.#deps.clock, onSilent));
    this.#passing.opened(connection);
  }

  #started(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#stopStartTimer();
  }

  /** Counts the response like those to requests, so that an alert sees that a key is refused which only sockets use. */
  #responded(status: number): void {
    this.#status = status;
    const { clock, metrics } = this.#deps;
    metrics.upstreamAnswered('/ws/', status, (clock.now() - this.#connectingSince) / 1000);
  }

  #upstreamFailed(): void {
    this.#end(this.#isOpen ? closeReasons.sessionFailed : closeReasons.upstreamUnreachable);
  }

  #end(closing: CloseReason): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const stop of this.#stops) stop();
    this.#passing.stop(closing);
    this.#frames.stop();
    this.#reportEnd(closing);
    this.#passing.flush();
    const { connection, clock } = this.#deps;
    const { closed } = this;
    closeBoth({ client: this.#client, upstream: this.#upstream, connection, closed }, closing, clock);
  }

  #reportEnd(closing: CloseReason): void {
    const { log, metrics } = this.#deps;
    if (closing === closeReasons.upstreamUnreachable && this.#status === undefined)
      this.#responded(NO_STATUS);
    const refusedWith = this.#status === SWITCHING_PROTOCOLS ? undefined : this.#status;
    const { code, reason } = closing;
    log.info({ code, reason, started: this.#hasStarted, refusedWith }, 'relay ended');
    metrics.relayEnded(labelOf(closing));
  }
}

const whenClosed = (socket: WebSocket): Promise<void> =>
  new Promise((done) => socket.once('close', () => done()));
