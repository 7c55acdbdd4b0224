// One page, one session: passes frames between a page's socket and the service's. Policy (SEMANTICS, Proxy):
// - the service is connected while the page says its session.start; until then at most 64 kB of frames wait, then the
//   page is not read further. 5 s to connect, 15 s from the upgrade to a session.start.
// - a frame of the page is text, within its address's rate, and passes the session gate; it goes on as it came.
// - a frame over the rate is answered `rate_limited` with the seconds to wait and not relayed: the session lives on,
//   for a page that minds the answer loses nothing. Before a session.start there is nothing to keep: closed 1008.
//   Closed 1008 too is a page that was refused more often than it may send, for it does not listen.
// - a frame of the service goes on as it came, but for secrets, and at most 1 MB long.
// - back pressure both ways: over 64 kB waiting for one side, the other is not read; a page with over 512 kB waiting
//   all the same is closed 1013.
// - whoever ends first, both sides are closed, and cut off after 5 s.
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import { closings, type Closing } from './closings.ts';
import type { Clock } from './clock.ts';
import type { Drainable } from './drain.ts';
import { errorFrame } from './error-frame.ts';
import { heartbeat } from './heartbeat.ts';
import { idOf, judgeFrame } from './session-gate.ts';

const CONNECT_MS = 5_000;
const START_MS = 15_000;
const CLOSE_MS = 5_000;
const PAUSE_BYTES = 64 * 1024;
const PAGE_LIMIT_BYTES = 512 * 1024;

export interface RelayParts {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** The rate of the page's address: 0 when one more frame may pass, else the seconds to wait. */
  readonly rate: () => number;
  /** How often this page may be answered `rate_limited`: 0 when once more. */
  readonly refusals: () => number;
  /** Takes secrets out of a frame of the service. */
  readonly redact: (frame: Buffer) => Buffer;
}

/** Relays until either side ends. `page` is open, `upstream` is connecting; both are closed once `closed` resolves. */
export function startRelay(page: WebSocket, upstream: WebSocket, parts: RelayParts): Drainable {
  const { clock, log } = parts;
  /** Frames from before the service's socket opened; null from then on. */
  let waiting: Buffer[] | null = [];
  let waitingBytes = 0;
  let started = false;
  let ending = false;
  /** HTTP status with which the service refused the upgrade; for the log. */
  let refusedWith: number | undefined;

  const end = (closing: Closing): void => {
    if (ending) return;
    ending = true;
    for (const stop of timers) stop();
    waiting = null;
    log.info({ code: closing.code, reason: closing.reason, started, refusedWith }, 'relay ended');
    // A socket that is not read does not see the other side's half of the closing.
    page.close(closing.code, closing.reason);
    page.resume();
    if (upstream.readyState === upstream.CONNECTING) {
      upstream.terminate();
    } else {
      upstream.close(1000);
      upstream.resume();
    }
    const stopWaiting = clock.after(CLOSE_MS, () => {
      page.terminate();
      upstream.terminate();
    });
    void closed.then(stopWaiting);
  };

  const fromPage = (data: Buffer, isBinary: boolean): void => {
    if (ending) return;
    if (isBinary) return end(closings.binaryFrame);
    const seconds = parts.rate();
    if (seconds > 0) return refuse(data, Math.ceil(seconds));
    const verdict = judgeFrame(data);
    if (verdict.kind === 'refuse') {
      page.send(errorFrame('invalid_session_start', 'this proxy opens sessions of version 3.0 only'));
      return end(closings.invalidStart);
    }
    if (verdict.kind === 'start') {
      started = true;
      stopStartTimer();
    }
    if (waiting === null) return pass(page, upstream, verdict.frame, false);
    waiting.push(verdict.frame);
    waitingBytes += verdict.frame.length;
    if (waitingBytes > PAUSE_BYTES) page.pause();
  };

  const refuse = (data: Buffer, seconds: number): void => {
    if (parts.refusals() > 0) return end(closings.rateLimited);
    page.send(
      errorFrame('rate_limited', 'this address sends more messages a minute than the proxy allows', {
        ref: idOf(data),
        severity: started ? 'warning' : 'session',
        retry_after_seconds: seconds,
      }),
    );
    if (!started) end(closings.rateLimited);
  };

  const fromUpstream = (data: Buffer, isBinary: boolean): void => {
    if (ending) return;
    pass(upstream, page, parts.redact(data), isBinary);
    if (page.bufferedAmount > PAGE_LIMIT_BYTES) end(closings.slowPage);
  };

  const opened = (): void => {
    if (ending) return;
    stopConnectTimer();
    timers.push(heartbeat(upstream, clock, () => end(closings.sessionFailed)));
    const frames = waiting ?? [];
    waiting = null;
    page.resume();
    for (const frame of frames) pass(page, upstream, frame, false);
  };

  const stopConnectTimer = clock.after(CONNECT_MS, () => end(closings.upstreamUnreachable));
  const stopStartTimer = clock.after(START_MS, () => end(closings.noStart));
  const timers = [stopConnectTimer, stopStartTimer, heartbeat(page, clock, () => page.terminate())];

  const closed = Promise.all([whenClosed(page), whenClosed(upstream)]).then(() => undefined);
  page.on('message', fromPage);
  page.on('close', (code) => end({ code, reason: '' }));
  upstream.on('open', opened);
  upstream.on('message', fromUpstream);
  upstream.on('unexpected-response', (_request, response) => {
    refusedWith = response.statusCode;
    end(closings.upstreamUnreachable);
  });
  upstream.on('close', (code) => {
    const orderly = code === 1000 || code === 1005;
    end(waiting !== null ? closings.upstreamUnreachable : orderly ? closings.ended : closings.sessionFailed);
  });
  // An error is always followed by 'close', which decides; without a listener it would end the process.
  page.on('error', (error: NodeJS.ErrnoException) => log.info({ error: error.code }, 'socket of page'));
  upstream.on('error', (error: NodeJS.ErrnoException) =>
    log.warn({ error: error.code }, 'socket of service'),
  );
  return { closed, restart: () => end(closings.restarting) };
}

const whenClosed = (socket: WebSocket): Promise<void> =>
  new Promise((done) => socket.once('close', () => done()));

/** Sends on `to`, and stops reading `from` for as long as too much waits there. */
function pass(from: WebSocket, to: WebSocket, data: Buffer, binary: boolean): void {
  to.send(data, { binary }, () => {
    if (from.isPaused && to.bufferedAmount <= PAUSE_BYTES) from.resume();
  });
  if (to.bufferedAmount > PAUSE_BYTES) from.pause();
}
