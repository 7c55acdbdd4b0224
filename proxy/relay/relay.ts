// One page, one session: passes frames between a page's socket and the service's. Policy (SEMANTICS, Proxy):
// - the service is connected while the page says its session.start; until then at most 64 kB of frames wait, then the
//   page is not read further. 5 s to connect, 15 s from the upgrade to a session.start.
// - what of a page passes is page-frames.ts's to say; it goes on as it came.
// - a frame of the service goes on as it came, but for secrets, and at most 1 MB long.
// - back pressure both ways: over 64 kB waiting for one side, the other is not read; a page with over 2 MB waiting
//   all the same is closed 1013.
// - whoever ends first, both sides are closed, and cut off after 5 s; so is a side that has begun its closing, or sent
//   what is no frame, and does not hang up (CLOSE_MS, in routes/ws.ts given to `ws` as well).
// - a page that sends more than its control frames is cut off (control-frames.ts).
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import { brokenPage, closings, type Closing } from './closings.ts';
import type { Clock } from '../clock.ts';
import { limitControlFrames } from './control-frames.ts';
import type { Drainable } from './drain.ts';
import { heartbeat } from './heartbeat.ts';
import type { Metrics } from '../metrics.ts';
import { Outbox } from './outbox.ts';
import { pageFrames, type PageFrameParts } from './page-frames.ts';

const CONNECT_MS = 5_000;
const START_MS = 15_000;
/** How long a closing may take. */
export const CLOSE_MS = 5_000;
const PAUSE_BYTES = 64 * 1024;
/** More than one frame of the service, which may have 1 MB. */
const PAGE_LIMIT_BYTES = 2 * 1024 * 1024;

export interface RelayParts extends Pick<PageFrameParts, 'rate' | 'refusals'> {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'frame' | 'limitHit'>;
  /** The connection under the page's socket. */
  readonly connection: Duplex;
  /** Takes secrets out of a frame of the service. */
  readonly redact: (frame: Buffer) => Buffer;
}

/** Relays until either side ends. `page` is open, `upstream` is connecting; both are closed once `closed` resolves. */
export function startRelay(page: WebSocket, upstream: WebSocket, parts: RelayParts): Drainable {
  const { clock, log, metrics, connection, redact } = parts;
  const toPage = new Outbox(page, connection, false);
  /** Null until the service's socket is open. */
  let toUpstream: Outbox | null = null;
  /** Frames from before that. */
  let early: Buffer[] = [];
  let earlyBytes = 0;
  /** Why the page is not read: its rate is being asked for, too much waits for the service. */
  let isHeld = false;
  let isFull = false;
  let started = false;
  let ending = false;
  /** HTTP status with which the service refused the upgrade; for the log. */
  let refusedWith: number | undefined;

  const end = (closing: Closing): void => {
    if (ending) return;
    ending = true;
    for (const stop of timers) stop();
    frames.stop();
    early = [];
    log.info({ code: closing.code, reason: closing.reason, started, refusedWith }, 'relay ended');
    toPage.flush();
    toUpstream?.flush();
    // A socket that is not read does not see the other side's half of the closing.
    page.close(closing.code, closing.reason);
    if (page.isPaused) page.resume();
    if (upstream.readyState === upstream.CONNECTING) {
      upstream.terminate();
    } else {
      upstream.close(1000);
      // Only what was paused has a connection: one whose handshake is being broken off has none.
      if (upstream.isPaused) upstream.resume();
    }
    const stopWaiting = clock.after(CLOSE_MS, () => {
      page.terminate();
      upstream.terminate();
    });
    void closed.then(stopWaiting);
  };

  const readPage = (): void => {
    const shouldRead = !isHeld && !isFull;
    if (shouldRead && page.isPaused) page.resume();
    else if (!shouldRead && !page.isPaused) page.pause();
  };

  const passUp = (frame: Buffer): void => {
    if (toUpstream === null) {
      early.push(frame);
      earlyBytes += frame.length;
    } else {
      toUpstream.send(frame, false);
      metrics.frame('up');
    }
    if ((toUpstream?.bytes ?? earlyBytes) <= PAUSE_BYTES) return;
    isFull = true;
    readPage();
  };

  const frames = pageFrames({
    ...parts,
    pass(frame, isStart) {
      if (isStart && !started) {
        started = true;
        stopStartTimer();
      }
      passUp(frame);
    },
    say: (frame) => toPage.send(Buffer.from(frame), false),
    end,
    hold(held) {
      isHeld = held;
      readPage();
    },
  });

  const fromUpstream = (data: Buffer, isBinary: boolean): void => {
    if (ending) return;
    toPage.send(redact(data), isBinary);
    metrics.frame('down');
    const waiting = toPage.bytes;
    if (waiting > PAGE_LIMIT_BYTES) {
      metrics.limitHit('page_backlog');
      end(closings.slowPage);
    } else if (waiting > PAUSE_BYTES) {
      upstream.pause();
    }
  };

  const drained = (): void => {
    isFull = false;
    if (!ending) readPage();
  };

  const opened = (connectionUp: Duplex): void => {
    if (ending) return;
    toUpstream = new Outbox(upstream, connectionUp, true);
    connectionUp.on('drain', drained);
    stopConnectTimer();
    timers.push(heartbeat(upstream, clock, () => end(closings.sessionFailed)));
    const waiting = early;
    early = [];
    drained();
    for (const frame of waiting) passUp(frame);
  };

  const stopConnectTimer = clock.after(CONNECT_MS, () => end(closings.upstreamUnreachable));
  const stopStartTimer = clock.after(START_MS, () => end(closings.noStart));
  const timers = [stopConnectTimer, stopStartTimer, heartbeat(page, clock, () => page.terminate())];

  const closed = Promise.all([whenClosed(page), whenClosed(upstream)]).then(() => undefined);
  limitControlFrames(page, clock, () => {
    metrics.limitHit('control_frames');
    page.terminate();
  });
  page.on('message', frames.take);
  page.on('close', (code) => end({ code, reason: '' }));
  connection.on('drain', () => upstream.isPaused && upstream.resume());
  // 'open' follows at once, or the answer was none to a WebSocket.
  upstream.on('upgrade', ({ socket }) => upstream.once('open', () => opened(socket)));
  upstream.on('message', fromUpstream);
  upstream.on('unexpected-response', (_request, response) => {
    refusedWith = response.statusCode;
    end(closings.upstreamUnreachable);
  });
  const upstreamFailed = (): void =>
    end(toUpstream === null ? closings.upstreamUnreachable : closings.sessionFailed);
  upstream.on('close', (code) => {
    const orderly = toUpstream !== null && (code === 1000 || code === 1005);
    if (orderly) end(closings.ended);
    else upstreamFailed();
  });
  // Its 'close' may be long in coming: whoever sent what is no frame need not hang up.
  page.on('error', (error: NodeJS.ErrnoException) => {
    log.info({ error: error.code }, 'socket of page');
    end(brokenPage(error.code));
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    log.warn({ error: error.code }, 'socket of service');
    upstreamFailed();
  });
  return { closed, restart: () => end(closings.restarting) };
}

const whenClosed = (socket: WebSocket): Promise<void> =>
  new Promise((done) => socket.once('close', () => done()));
