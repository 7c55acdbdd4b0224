// Outages of the network, the proxy and a gateway in front of it, at each moment of three texts, by each transport.
// - The client is the headless one, the proxy and the sandbox are those of dist/. Each client has a TCP relay between itself
//   and the proxy, with the failures of outage-relay.ts.
// - A text is lost when it rejects or has no result two minutes after the outage, and it is a duplicate when it has two results.
// - Two kinds reject on purpose and are counted apart: by REST, a text whose request was sent and has no answer, because it may
//   have been billed; and a text at an address where another server answers and no proxy has answered before.
// - The service is slow, so that an outage meets texts on their way; a line below the table says in how many cells it did.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Fault } from '../../demo/sandbox/index.ts';
import { SignError } from '../../src/protocol/sign-error.ts';
import { ServiceSession } from '../../src/session/service-session.ts';
import { startBackend } from '../backend/backend.mjs';
import { freePort } from '../backend/free-port.mjs';
import { Relay, type Failure } from './outage-relay.ts';

const TRANSPORTS = ['v3', 'rest', 'auto'] as const;
const MOMENTS = ['before the first text', 'sent', 'accepted', 'result there'] as const;
const TEXTS = ['One', 'Two', 'Three'];
export const FAILURES = {
  offline: 'closed',
  'proxy away': 'closed',
  'gateway 502': 'gateway',
  'half-open': 'silent',
  reset: 'reset',
  'captive portal': 'portal',
  'other server': 'other',
  'half answers': 'half',
  'cut amid': 'amid',
} as const satisfies Record<string, Failure>;
/** The first text of a session is ready early, the later ones are not. */
export const SLOW: readonly Fault[] = [
  { fault: 'latency', text: 1, ms: 500 },
  { fault: 'latency', ms: 3000 },
  { fault: 'rest_latency', operation: 'generate', ms: 1000 },
];
const LONGEST_WAIT_MS = 120_000;

type Transport = (typeof TRANSPORTS)[number];
type Moment = (typeof MOMENTS)[number];

interface Outage {
  readonly what: keyof typeof FAILURES;
  readonly seconds: number;
}

interface Tally {
  signed: number;
  /** Rejected because its request was sent and has no answer. */
  broken: number;
  /** Rejected because no proxy was ever at the address. */
  refused: number;
  lost: string[];
  twice: number;
  /** The number of texts that were requested and had no result when the outage began. */
  pending: number;
  /** The time from the end of the outage to the last result; below 0 when all results came before. */
  ms: number;
}

interface Client {
  readonly session: ServiceSession;
  /** Resolves when a text, or a request with one, is on its way. */
  readonly sent: Promise<void>;
}

function connect(transport: Transport, relay: Relay): Client {
  let onSent = (): void => {};
  const sent = new Promise<void>((resolve) => (onSent = resolve));
  class Socket extends WebSocket {
    override send(data: string): void {
      super.send(data);
      if ((JSON.parse(data) as { type: string }).type === 'text') onSent();
    }
  }
  const origin = `127.0.0.1:${relay.port}/sign`;
  const session = new ServiceSession({
    url: `ws://${origin}/ws/`,
    transport,
    mode: 'translate',
    config: { digital_signer: 'RAE', language: 'BSL', resolution: '480p' },
    rest: { proxy: `http://${origin}`, background: null, generateOptions: null },
    webSocket: Socket,
    network: relay,
    fetch: (address, init) => {
      const answer = fetch(address, init);
      if (init.method === 'POST') setTimeout(onSent, 5);
      return answer;
    },
  });
  return { session, sent };
}

/**
 * Signs `texts`, and reports the outcome of each.
 * @param isKnown a proxy has answered before the outage
 */
function sign(
  session: ServiceSession,
  transport: Transport,
  texts: readonly string[],
  since: () => number,
  isKnown: boolean,
): Promise<Tally> {
  const tally: Tally = { signed: 0, broken: 0, refused: 0, lost: [], twice: 0, pending: 0, ms: 0 };
  const results = new Map<string, number>();
  session.on('sign-result', ({ ref, partIndex }) => {
    const key = `${ref} ${partIndex}`;
    results.set(key, (results.get(key) ?? 0) + 1);
  });
  const late = new AbortController();
  const calls = texts.map((text) =>
    Promise.race([
      session.sign(text).result,
      new Promise<never>((_, reject) =>
        late.signal.addEventListener('abort', () => reject(new Error('no result'))),
      ),
    ]).then(
      () => {
        tally.signed += 1;
        tally.ms = performance.now() - since();
      },
      (error: Error) => {
        const { code, message } = error instanceof SignError ? error : { code: '', message: error.message };
        const hasNoAnswer = transport !== 'v3' && code === 'no_answer';
        if (hasNoAnswer || message.includes('after the request was sent')) tally.broken += 1;
        else if (!isKnown && message.startsWith('no sign proxy at')) tally.refused += 1;
        else tally.lost.push(code || message);
      },
    ),
  );
  const timer = setInterval(() => performance.now() - since() > LONGEST_WAIT_MS && late.abort(), 1000);
  return Promise.all(calls).then(() => {
    clearInterval(timer);
    tally.twice = [...results.values()].filter((count) => count > 1).length;
    return tally;
  });
}

async function cell(
  target: number,
  { what, seconds }: Outage,
  moment: Moment,
  transport: Transport,
): Promise<Tally> {
  const relay = new Relay(target);
  await relay.up();
  const { session, sent } = connect(transport, relay);
  let over = Infinity;
  let results = 0;
  session.on('sign-result', () => (results += 1));
  const isKnown = moment !== 'before the first text' && (transport !== 'rest' || moment !== 'sent');
  const all = (): Promise<Tally> => sign(session, transport, TEXTS, () => over, isKnown);
  const accepted = new Promise<void>((resolve) => session.on('sign-accepted', () => resolve()));
  const result = new Promise<void>((resolve) => session.on('sign-result', () => resolve()));
  let outcome = moment === 'before the first text' ? null : all();
  if (outcome) await (moment === 'sent' ? sent : moment === 'accepted' ? accepted : result);
  const pending = outcome ? TEXTS.length - results : 0;
  relay.down(FAILURES[what]);
  if (what === 'offline') relay.setOnline(false);
  outcome ??= all();
  await sleep(seconds * 1000);
  await relay.up();
  if (what === 'offline') relay.setOnline(true);
  over = performance.now();
  const tally = await outcome;
  await session.end();
  relay.close();
  return { ...tally, pending };
}

const describe = ({ signed, broken, refused, lost, twice, pending, ms }: Tally): string =>
  [
    ...(pending ? [`${pending} on their way`] : []),
    `${signed} signed in ${(Math.max(0, ms) / 1000).toFixed(1)} s`,
    ...(broken ? [`${broken} sent without an answer`] : []),
    ...(refused ? [`${refused} refused, no proxy`] : []),
    ...(lost.length ? [`${lost.length} LOST (${[...new Set(lost)].join(', ')})`] : []),
    ...(twice ? [`${twice} TWICE`] : []),
  ].join(', ');

async function startProxy(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['dist/proxy/main.js'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

/** A proxy that is ended under load and started again after `gapMs`; 12 texts by each transport, one each 250 ms. */
async function restart(
  env: Record<string, string>,
  signal: 'SIGTERM' | 'SIGKILL',
  gapMs: number,
): Promise<Record<Transport, string>> {
  const port = Number(env['PORT']);
  let proxy = await startProxy(env);
  let over = Infinity;
  const rows = TRANSPORTS.map(async (transport) => {
    const relay = new Relay(port);
    await relay.up();
    const { session } = connect(transport, relay);
    const tallies: Promise<Tally>[] = [];
    for (let text = 0; text < 12; text += 1) {
      tallies.push(sign(session, transport, [`Text ${text}`], () => over, true));
      await sleep(250);
    }
    const all = await Promise.all(tallies);
    await session.end();
    relay.close();
    return [
      transport,
      describe({
        signed: all.reduce((sum, { signed }) => sum + signed, 0),
        broken: all.reduce((sum, { broken }) => sum + broken, 0),
        refused: all.reduce((sum, { refused }) => sum + refused, 0),
        lost: all.flatMap(({ lost }) => lost),
        twice: Math.max(...all.map(({ twice }) => twice)),
        pending: 0,
        ms: Math.max(...all.map(({ ms }) => ms)),
      }),
    ] as const;
  });
  await sleep(1000);
  proxy.kill(signal);
  await once(proxy, 'exit');
  await sleep(gapMs);
  proxy = await startProxy(env);
  over = performance.now();
  const cells = Object.fromEntries(await Promise.all(rows)) as Record<Transport, string>;
  proxy.kill();
  await once(proxy, 'exit');
  return cells;
}

/** @param longest of these outages, in seconds; all by default */
export async function benchOutage(longest = 40): Promise<void> {
  const backend = await startBackend([]);
  try {
    const target = Number(new URL(backend.addresses.proxy).port);
    const kinds = Object.keys(FAILURES) as (keyof typeof FAILURES)[];
    const outages: Outage[] = [3, 8, 15, 40].flatMap((seconds) =>
      kinds.map((what): Outage => ({ what, seconds })),
    );
    backend.sandbox.setFaults(SLOW);
    const rows: Record<string, string>[] = [];
    let cellCount = 0;
    let pendingCount = 0;
    for (const outage of outages.filter(({ seconds }) => seconds <= longest)) {
      const cells = MOMENTS.map(async (moment) => {
        const row: Record<string, string> = { outage: `${outage.what} ${outage.seconds} s`, moment };
        const tallies = TRANSPORTS.map((transport) => cell(target, outage, moment, transport));
        for (const [i, tally] of (await Promise.all(tallies)).entries()) {
          row[TRANSPORTS[i]!] = describe(tally);
          cellCount += 1;
          if (tally.pending > 0) pendingCount += 1;
        }
        return row;
      });
      rows.push(...(await Promise.all(cells)));
    }
    const { apiUrl, wsUrl, apiKey } = backend.sandbox.addresses;
    const env = {
      PORT: String(await freePort()),
      SIGN_API_URL: apiUrl,
      SIGN_WS_URL: wsUrl,
      SIGN_API_KEY: apiKey,
      SIGN_REQUESTS_PER_MINUTE: '100000',
      SIGN_MESSAGES_PER_MINUTE: '100000',
    };
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const gap of [0, 3, 6].filter((seconds) => seconds <= longest)) {
        const row = await restart(env, signal, gap * 1000);
        rows.push({ outage: `${signal}, again after ${gap} s`, moment: '12 texts under way', ...row });
      }
    }
    console.table(rows);
    console.log(`${pendingCount} of ${cellCount} cells had texts on their way when the outage began`);
  } finally {
    await backend.close();
  }
}
