// Pages that sign through the balancer for as long as the run lasts: each text is sent once, and each result is recorded.
// - Real SignSessions with their own waits; a page pauses between two texts, as a reader does.
// - All requests of a page have its Origin, as in browsers. Without one a proxy of two sites does not tell why an upgrade failed.
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SignSession } from '../../../src/client.ts';
import { ORIGINS, type SiteName } from './site.ts';

/** The sandbox makes the video of a text once, so that the load is the proxy's. */
const TEXTS = 12;
const MAX_PAUSE_MS = 2_000;

export interface Pages {
  readonly asked: readonly string[];
  readonly signed: readonly string[];
  readonly failed: readonly string[];
  /** How often a page lost its session and got another. */
  readonly reconnects: number;
  /** The longest time from sign() to the result, in ms. */
  readonly longestMs: number;
  /** Sends no more texts, and waits for the results of those that were sent. */
  stop(): Promise<void>;
}

export function openPages(port: number, count: number, site: SiteName): Pages {
  const asked: string[] = [];
  const signed: string[] = [];
  const failed: string[] = [];
  let reconnects = 0;
  let longestMs = 0;
  const stopping = new AbortController();

  const headers = { Origin: ORIGINS[site] };
  class PageSocket extends WebSocket {
    constructor(url: string) {
      super(url, { headers });
    }
  }

  const page = async (number: number): Promise<void> => {
    const session = new SignSession({
      url: `ws://127.0.0.1:${port}/sign/ws/`,
      config: { digital_signer: 'RAE', resolution: '480p' },
      mode: 'translate',
      webSocket: PageSocket,
      fetch: (address, init) => fetch(address, { ...init, headers }),
    });
    session.on('sign-statechange', ({ state }) => {
      if (state === 'reconnecting') reconnects += 1;
    });
    session.on('sign-result', ({ ref }) => void signed.push(ref));
    for (let said = 0; !stopping.signal.aborted; said += 1) {
      const at = performance.now();
      const call = session.sign(`Train ${(number + said) % TEXTS} is late.`);
      asked.push(call.ref);
      await call.result.catch((error: unknown) => void failed.push(String(error)));
      longestMs = Math.max(longestMs, performance.now() - at);
      await setTimeout(Math.random() * MAX_PAUSE_MS, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
    await session.end();
  };
  const open = Array.from({ length: count }, (_, number) => page(number));
  return {
    asked,
    signed,
    failed,
    get reconnects() {
      return reconnects;
    },
    get longestMs() {
      return longestMs;
    },
    async stop() {
      stopping.abort();
      await Promise.all(open);
    },
  };
}
