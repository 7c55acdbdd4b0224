// Relays frames between one client's socket and one upstream session (SEMANTICS, Proxy).
// - Upstream is connecting while the client sends its session.start: 5 s to connect, 15 s from the upgrade to a
//   session.start. Until upstream is open at most 64 kB of frames wait; then the client is not read. What waits is not spent.
// - Frames pass unchanged, apart from redaction of upstream frames (of secrets that the client has not sent itself). Which client
//   frames pass: client-frames.ts.
// - Backpressure both ways: while over 64 kB wait for one side, the other is not read. A client with over 2 MB waiting,
//   our own answers included, is closed with 1013.
// - When one side ends, both are closed, and terminated after 5 s (CLOSE_MS; `ws` applies it to each closing too), a client also
//   when it goes on sending (late-bytes.ts).
// - A client that sends too many pings and pongs is terminated (keepalive.ts), and an idle or very long session is
//   closed (session-limits.ts).
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { redactorFor, type Redactor } from '../credentials/redaction.ts';
import type { Spending } from '../limits/spending.ts';
import { type Metrics, NO_STATUS } from '../metrics.ts';
import { type ClientFrameDeps, clientFrames } from './client-frames.ts';
import { closeReasonOf, type CloseReason, closeReasons, endOfService, errorFrame } from './close-codes.ts';
import type { Drainable } from './drain.ts';
import { readPlainFrames } from './frame-reader.ts';
import { heartbeat, limitControlFrames } from './keepalive.ts';
import { limitLateBytes } from './late-bytes.ts';
import { type Message, messageOf } from './message.ts';
import { SendQueue } from './send-queue.ts';
import { sessionLimits } from './session-limits.ts';
import { sessionSpending } from './session-spending.ts';

const CONNECT_MS = 5_000;
const START_MS = 15_000;
/** The longest time that a closing may take. */
export const CLOSE_MS = 5_000;
const SWITCHING_PROTOCOLS = 101;
const PAUSE_BYTES = 64 * 1024;
/** More than one frame of the service, which has at most 1 MB. */
const CLIENT_LIMIT_BYTES = 2 * 1024 * 1024;

export interface RelayDeps extends Pick<ClientFrameDeps, 'rate' | 'refusals' | 'maxTextBytes' | 'signers'> {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'frame' | 'limitHit' | 'relayEnded' | 'upstreamAnswered'>;
  readonly spending: Pick<Spending, 'add' | 'expect' | 'isSpent' | 'mustWait' | 'streaming'>;
  /** The stream under the client's socket. */
  readonly connection: Duplex;
  /** Replaces secrets in the frames of the service. */
  readonly redactor: Redactor;
}

/**
 * Relays until either side ends. `client` is open, `upstream` is connecting; both are closed once `closed` resolves.
 */
export function startRelay(client: WebSocket, upstream: WebSocket, deps: RelayDeps): Drainable {
  const { clock, log, metrics, connection } = deps;
  const toClient = new SendQueue(client, connection, false);
  /** Null until the service's socket is open. */
  let toUpstream: SendQueue | null = null;
  /** Frames that arrived before that. */
  let early: (readonly [message: Message, isStart: boolean])[] = [];
  let earlyBytes = 0;
  /** The reasons not to read the client: its rate is being asked for; too much waits for the service. */
  let isHeld = false;
  let isFull = false;
  let started = false;
  let ending = false;
  /** HTTP status of the service's response to the upgrade. */
  let status: number | undefined;
  const connectingSince = clock.now();

  const spent = sessionSpending(clock, deps.spending, deps.maxTextBytes);
  /** Secrets that the client has sent, and so knows. */
  const known = new Set<string>();
  const redactor = redactorFor(deps.redactor, () => [...known]);

  /** Counted as the responses to requests are, so that an alert sees a key that only sockets use being refused. */
  const responded = (withStatus: number): void => {
    status = withStatus;
    metrics.upstreamAnswered('/ws/', status, (clock.now() - connectingSince) / 1000);
  };

  const end = (closing: CloseReason): void => {
    if (ending) return;
    ending = true;
    for (const stop of timers) stop();
    // While the client does not read, the service is not read either: it gives the session up, and its results are not counted.
    spent.ended(!notTheClients.has(closing) || upstream.isPaused);
    frames.stop();
    early = [];
    if (closing === closeReasons.upstreamUnreachable && status === undefined) responded(NO_STATUS);
    const refusedWith = status === SWITCHING_PROTOCOLS ? undefined : status;
    log.info({ code: closing.code, reason: closing.reason, started, refusedWith }, 'relay ended');
    metrics.relayEnded(labelOf(closing));
    toClient.flush();
    toUpstream?.flush();
    limitLateBytes(connection, () => client.terminate());
    // A paused socket does not receive the close frame of the other side.
    client.close(closing.code, closing.reason);
    if (client.isPaused) client.resume();
    if (upstream.readyState === upstream.CONNECTING) {
      upstream.terminate();
    } else {
      upstream.close(1000);
      // A socket whose handshake failed has no connection and cannot be resumed; only a connected one was paused.
      if (upstream.isPaused) upstream.resume();
    }
    const stopWaiting = clock.after(CLOSE_MS, () => {
      client.terminate();
      upstream.terminate();
    });
    void closed.then(stopWaiting);
  };

  const updateReading = (): void => {
    const shouldRead = !isHeld && !isFull;
    if (shouldRead && client.isPaused) client.resume();
    else if (!shouldRead && !client.isPaused) client.pause();
  };

  const sendToClient = (message: Message): void => {
    toClient.send(message);
    if (toClient.bufferedAmount <= CLIENT_LIMIT_BYTES) return;
    metrics.limitHit('page_backlog');
    end(closeReasons.slowClient);
  };
  /** Whether a plain message holds no secret: nothing else is searched in its bytes. */
  const isFree = ({ data, from, to }: Message, plain: { readonly hasEscapes: boolean } | null): boolean =>
    plain !== null && !plain.hasEscapes && deps.redactor.isFree(data, from, to);
  const reply = (frame: string): void => sendToClient(messageOf(Buffer.from(frame)));

  const sendToUpstream = (queue: SendQueue, message: Message, isStart: boolean): void => {
    if (isStart) spent.started(message);
    const waiting = spent.send(message);
    if (waiting !== null) {
      metrics.limitHit('budget_under_way');
      const text = 'the texts under way may use up what is left of the budget';
      return reply(errorFrame('backpressure', text, { ref: waiting }));
    }
    if (!isFree(message, message.plainText))
      for (const secret of deps.redactor.secretsIn(message.text)) known.add(secret);
    limits.used();
    queue.send(message);
    metrics.frame('up');
  };

  const pass: ClientFrameDeps['pass'] = (message, isStart) => {
    if (deps.spending.isSpent) return end(closeReasons.budgetSpent);
    if (isStart && !started) {
      started = true;
      stopStartTimer();
    }
    if (toUpstream === null) {
      limits.used();
      early.push([message.kept(), isStart]);
      earlyBytes += message.length;
    } else {
      sendToUpstream(toUpstream, message, isStart);
    }
    if ((toUpstream?.bufferedAmount ?? earlyBytes) <= PAUSE_BYTES) return;
    isFull = true;
    updateReading();
  };

  const frames = clientFrames({
    ...deps,
    pass,
    reply,
    end,
    hold(held) {
      isHeld = held;
      updateReading();
    },
  });

  /** An exception in a listener of a socket would end the process. So it ends this session with 1011, and no other. */
  const guarded =
    (handle: (message: Message) => void) =>
    (message: Message): void => {
      try {
        handle(message);
      } catch (error) {
        // The message of an error may hold a part of the frame.
        log.error({ fault: error instanceof Error ? error.name : typeof error }, 'frame not handled');
        end(closeReasons.sessionFailed);
      }
    };

  const redacted = (message: Message): Message => {
    if (isFree(message, message.plainResult)) return message;
    const text = redactor.text(message.text);
    return text === message.text ? message : messageOf(Buffer.from(text, 'latin1'), message.isBinary);
  };

  const fromUpstream = guarded((message) => {
    if (ending) return;
    metrics.frame('down');
    if (!message.isBinary) spent.received(message);
    sendToClient(redacted(message));
    if (!ending && toClient.bufferedAmount > PAUSE_BYTES) upstream.pause();
  });

  const drained = (): void => {
    isFull = false;
    if (!ending) updateReading();
  };

  const opened = (connectionUp: Duplex): void => {
    if (ending) return;
    toUpstream = new SendQueue(upstream, connectionUp, true);
    readPlainFrames(upstream, false, fromUpstream);
    connectionUp.on('drain', drained);
    stopConnectTimer();
    timers.push(heartbeat(upstream, clock, () => end(closeReasons.sessionFailed)));
    const waiting = early;
    early = [];
    drained();
    for (const [message, isStart] of waiting) if (!ending) pass(message, isStart);
  };

  const expired = (): void => {
    metrics.limitHit('session_idle');
    reply(errorFrame('session_expired', 'nothing was sent for 10 minutes'));
    end(closeReasons.sessionExpired);
  };
  const limits = sessionLimits(clock, client, {
    onIdle: expired,
    onOld: () => end(closeReasons.restarting),
    onUnfinished() {
      metrics.limitHit('unfinished_messages');
      end(closeReasons.unfinished);
    },
  });
  const stopConnectTimer = clock.after(CONNECT_MS, () => end(closeReasons.upstreamUnreachable));
  const stopStartTimer = clock.after(START_MS, () => end(closeReasons.handshakeTimeout));
  const stopHeartbeat = heartbeat(client, clock, () => client.terminate());
  const timers = [stopConnectTimer, stopStartTimer, stopHeartbeat, limits.stop];

  const closed = Promise.all([whenClosed(client), whenClosed(upstream)]).then(() => undefined);
  limitControlFrames(client, clock, () => {
    metrics.limitHit('control_frames');
    client.terminate();
  });
  const fromClient = guarded((message) => {
    limits.received();
    frames.receive(message);
  });
  client.on('message', (data: Buffer, isBinary) => fromClient(messageOf(data, isBinary)));
  readPlainFrames(client, true, fromClient);
  client.on('close', (code) => end({ code, reason: '' }));
  connection.on('drain', () => upstream.isPaused && upstream.resume());
  // 'open' follows at once, unless the handshake response is invalid.
  upstream.on('upgrade', ({ socket }) => {
    responded(SWITCHING_PROTOCOLS);
    upstream.once('open', () => opened(socket));
  });
  upstream.on('message', (data: Buffer, isBinary) => fromUpstream(messageOf(data, isBinary)));
  upstream.on('unexpected-response', (_request, response) => {
    responded(response.statusCode ?? NO_STATUS);
    end(closeReasons.upstreamUnreachable);
  });
  const upstreamFailed = (): void =>
    end(toUpstream === null ? closeReasons.upstreamUnreachable : closeReasons.sessionFailed);
  upstream.on('close', (code) => {
    if (toUpstream === null) upstreamFailed();
    else end(endOfService(code));
  });
  // A client that sent an invalid frame may stay connected: 'close' can be late.
  client.on('error', (error: NodeJS.ErrnoException) => {
    log.info({ error: error.code }, 'socket of client');
    end(closeReasonOf(error.code));
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    log.warn({ error: error.code }, 'socket of service');
    upstreamFailed();
  });
  return { closed, restart: () => end(closeReasons.restarting) };
}

/** Ends that a client does not cause. */
const notTheClients: ReadonlySet<CloseReason> = new Set([
  closeReasons.restarting,
  closeReasons.sessionFailed,
  closeReasons.upstreamUnreachable,
]);

/** A code that a client chose is no label. */
const labelOf = ({ code, reason }: CloseReason): string =>
  reason || (code === closeReasons.ended.code ? 'ended' : 'closed');

const whenClosed = (socket: WebSocket): Promise<void> =>
  new Promise((done) => socket.once('close', () => done()));
