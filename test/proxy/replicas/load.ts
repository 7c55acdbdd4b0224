// Clients that sign through two replicas behind a balancer, without a pause, until the test stops them.
// - The replicas are processes of their own (the program itself), the service is the sandbox, the store a real Redis,
//   the clients are SignSessions over real sockets with their real waits and jitter.
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import type { Sandbox } from '../../../demo/sandbox/index.ts';
import { SignSession } from '../../../src/client.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { addressOf, run, type Program } from '../program.ts';
import { startBalancer, type Balancer } from './balancer.ts';

const PAGES = 4;
/** Texts that a client has under way at one time. */
const AT_ONCE = 2;
/** The sandbox makes a text's video once, so that the load is the proxy's. */
const TEXTS = 12;

export interface Replica {
  readonly program: Program;
  readonly port: number;
}

interface Site {
  readonly balancer: Balancer;
  /** Starts a replica; it gets connections when it is given to the balancer. */
  start(): Promise<Replica>;
}

export async function startSite(t: TestContext, { addresses }: Sandbox): Promise<Site> {
  const redis = await redisServer(t);
  const balancer = await startBalancer();
  t.after(() => balancer.close());
  const env = {
    ...process.env,
    PORT: '0',
    SIGN_API_URL: addresses.apiUrl,
    SIGN_WS_URL: addresses.wsUrl,
    SIGN_API_KEY: addresses.apiKey,
    SIGN_REDIS_URL: redis.url,
    SIGN_MESSAGES_PER_MINUTE: '100000',
    SIGN_REQUESTS_PER_MINUTE: '100000',
    SIGN_GENERATES_PER_MINUTE: '100000',
  };
  return {
    balancer,
    async start() {
      const program = run(t, env);
      return { program, port: Number((await addressOf(program)).port) };
    },
  };
}

interface Load {
  /** Ref and text of each call, and of each result. */
  readonly asked: readonly string[];
  readonly signed: readonly string[];
  /** How often a client lost its session and got another. */
  readonly reconnects: number;
  /** Waits until every client has `count` more results than now. Rejects when a text failed. */
  more(count: number): Promise<void>;
  /** Sends no more texts and waits until all calls have settled. Rejects with the first failure. */
  stop(): Promise<void>;
}

export function startLoad({ balancer }: Site): Load {
  const asked: string[] = [];
  const signed: string[] = [];
  let reconnects = 0;
  let isOver = false;
  const clients = Array.from({ length: PAGES }, (_, client) => {
    const session = new SignSession({
      url: `ws://127.0.0.1:${balancer.port}/sign/ws/`,
      config: { digital_signer: 'RAE', resolution: '480p' },
      mode: 'translate',
      webSocket: WebSocket,
    });
    let results = 0;
    let said = 0;
    session.on('sign-statechange', ({ state }) => {
      if (state === 'reconnecting') reconnects += 1;
    });
    session.on('sign-result', ({ ref, text }) => {
      results += 1;
      signed.push(`${ref} ${text}`);
    });
    const speak = async (): Promise<void> => {
      while (!isOver) {
        said += 1;
        const text = `Train ${(client + said) % TEXTS} is late.`;
        const call = session.sign(text);
        asked.push(`${call.ref} ${text}`);
        await call.result;
      }
    };
    const speaking = Promise.all(Array.from({ length: AT_ONCE }, speak));
    // more() and stop() report the error.
    speaking.catch(() => (isOver = true));
    return { session, speaking, results: () => results };
  });
  const settled = (): Promise<unknown> => Promise.all(clients.map(({ speaking }) => speaking));
  return {
    asked,
    signed,
    get reconnects() {
      return reconnects;
    },
    async more(count) {
      const goals = clients.map(({ results }) => results() + count);
      const isMissing = (): boolean =>
        clients.some(({ results }, client) => results() < (goals[client] ?? 0));
      while (!isOver && isMissing()) await new Promise((go) => setTimeout(go, 20));
      if (isOver) await settled();
    },
    async stop() {
      isOver = true;
      await settled();
      await Promise.all(clients.map(({ session }) => session.end()));
    },
  };
}
