// What a page sends, judged frame by frame and in its order. Policy (SEMANTICS, Proxy):
// - a frame is text, within its address's rate, and passes the session gate.
// - a frame over the rate is answered `rate_limited` with the seconds to wait and not relayed: the session lives on,
//   for a page that minds the answer loses nothing. Before a session.start there is nothing to keep: closed 1008.
//   Closed 1008 too is a page that was refused more often than it may send, for it does not listen.
// - where the rate is shared with other replicas it takes time to ask: meanwhile the page is not read, and what had been
//   read already waits, at most one read of its connection.
import { closings, type Closing } from './closings.ts';
import { errorFrame } from './error-frame.ts';
import type { Metrics } from '../metrics.ts';
import { idOf, judgeFrame } from './session-gate.ts';

export interface PageFrameParts {
  /** The rate of the page's address: 0 when one more frame may pass, else the seconds to wait. */
  readonly rate: () => number | Promise<number>;
  /** How often this page may be answered `rate_limited`: 0 when once more. */
  readonly refusals: () => number;
  readonly metrics: Pick<Metrics, 'limitHit'>;
  /** Takes a frame that may pass, and whether it is a session.start. */
  pass(frame: Buffer, isStart: boolean): void;
  /** Says something to the page. */
  say(frame: string): void;
  end(closing: Closing): void;
  /** Called with true when the page is not to be read for now, with false when it is again. */
  hold(isHeld: boolean): void;
}

export interface PageFrames {
  take(data: Buffer, isBinary: boolean): void;
  /** Forgets what waits; nothing passes any more. */
  stop(): void;
}

export function pageFrames(parts: PageFrameParts): PageFrames {
  /** Those whose rate is being asked for, one after the other; null when none is. */
  let waiting: Buffer[] | null = null;
  let hasStarted = false;
  let isStopped = false;

  const judge = (data: Buffer, seconds: number): void => {
    if (seconds > 0) return refuse(data, Math.ceil(seconds));
    const verdict = judgeFrame(data);
    if (verdict.kind === 'refuse') {
      parts.say(errorFrame('invalid_session_start', 'this proxy opens sessions of version 3.0 only'));
      return parts.end(closings.invalidStart);
    }
    const isStart = verdict.kind === 'start';
    hasStarted ||= isStart;
    parts.pass(verdict.frame, isStart);
  };

  const refuse = (data: Buffer, seconds: number): void => {
    parts.metrics.limitHit('messages_per_minute');
    if (parts.refusals() > 0) return parts.end(closings.rateLimited);
    parts.say(
      errorFrame('rate_limited', 'this address sends more messages a minute than the proxy allows', {
        ref: idOf(data),
        severity: hasStarted ? 'warning' : 'session',
        retry_after_seconds: seconds,
      }),
    );
    if (!hasStarted) parts.end(closings.rateLimited);
  };

  /** Judges `frames` in their order, those too that join them meanwhile; `asked` is the rate of the first. */
  const judgeInTurn = async (frames: Buffer[], asked: Promise<number>): Promise<void> => {
    let rate: number | Promise<number> = asked;
    for (let data = frames[0]; data !== undefined; data = frames[0]) {
      const seconds = await rate;
      if (isStopped) return;
      judge(data, seconds);
      frames.shift();
      if (frames.length > 0) rate = parts.rate();
    }
  };

  return {
    take(data, isBinary) {
      if (isStopped) return;
      if (isBinary) return parts.end(closings.binaryFrame);
      if (waiting !== null) return void waiting.push(data);
      const seconds = parts.rate();
      if (typeof seconds === 'number') return judge(data, seconds);
      waiting = [data];
      parts.hold(true);
      void judgeInTurn(waiting, seconds)
        .catch(() => parts.end(closings.sessionFailed))
        .then(() => {
          waiting = null;
          if (!isStopped) parts.hold(false);
        });
    },
    stop() {
      isStopped = true;
      waiting = null;
    },
  };
}
