// `npm run bench:proxy`: the relay beside nginx, a pipe of sockets, a pipe of `ws` and @fastify/http-proxy, in one
// run of under nine minutes. With the word `profile` it only prints where our relay spends its time, in half a minute.
// - Every contender relays the same frames (120 bytes of JSON, deflate off) from the same load to a service of the
//   same program.
// - The contenders take turns in each round, so that other load of the machine affects all alike. The median of the rounds
//   counts. A ratio is the median of the ratios of the turns: on a busy machine each CPU time was up to a third longer, and in
//   all contenders at once.
// - How many messages a relay finds in one read depends on the order in which the machine runs the programs. The pipe of sockets
//   needs 0.7 reads or 0.56 for a message, and takes 7.1 or 6.2 µs, so reads and writes are printed beside the CPU time.
// - CPU is the whole time of the relaying process, by Linux's own count.
import { setTimeout } from 'node:timers/promises';
import { median } from '../median.ts';
import { compileOurs, contenders, DIRECT, OURS } from './contenders.ts';
import { cpuMicroseconds, mostOpenFiles, readsAndWrites, residentBytes } from '../../proxy/footprint.ts';
import { startLoad, type Load } from './load.ts';
import { profile } from './profile.ts';
import { listening, type Program } from './program.ts';
import { printTable, type Figures, type Latency } from './table.ts';

const ROUNDS = 5;
const PAGES = 200;
const IN_FLIGHT = 4;
const PER_SECOND = 4_000;
/** The number of messages that warm up the code, and the most tries to send them on a busy machine. */
const WARM_UP_MESSAGES = 50_000;
const WARM_UP_TRIES = 8;
const ROUND_MS = 2_000;
/**
 * 2,000 pages, each of which sends a text every five seconds. The contenders take turns here too: in three runs of one turn our
 * 99th percentile was 0.7, 6.2 and 17.7 ms.
 */
const STEADY = { pages: 2_000, perSecond: 400, ms: 10_000, turns: 3 };
/** Files that our relay keeps free of sockets, which take two each (proxy/limits/connections.ts), and some for its own. */
const OTHER_FILES = 700;
/** At the end 10,000, or as many as the system lets one process hold. */
const IDLE = [1_000, 5_000, Math.min(10_000, Math.floor((mostOpenFiles() - OTHER_FILES) / 2))];
const SETTLE_MS = 1_000;
const MB = 1024 * 1024;

interface Round extends Latency {
  readonly cpu: number;
  readonly calls: number;
  readonly cpuPaced: number;
  readonly perSecond: number;
}

/** Two percentiles of round trips in ms: 50 % and 99 % of them are shorter. */
function latencyOf(took: readonly number[]): Latency {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Frames through one relay: first as many as it can, then at a steady pace. */
async function round(load: Load, { pid, port }: Program): Promise<Round> {
  await load.open(port, PAGES);
  const callsBefore = readsAndWrites(pid);
  const before = cpuMicroseconds(pid);
  const answered = await load.saturate(IN_FLIGHT, ROUND_MS);
  const between = cpuMicroseconds(pid);
  const calls = readsAndWrites(pid) - callsBefore;
  const took = await load.pace(PER_SECOND, ROUND_MS);
  const after = cpuMicroseconds(pid);
  await load.close();
  return {
    cpu: (between - before) / answered,
    calls: calls / answered,
    cpuPaced: (after - between) / took.length,
    perSecond: (answered * 1000) / ROUND_MS,
    ...latencyOf(took),
  };
}

/** The latency of many pages that send little. */
async function steady(load: Load, { port }: Program): Promise<Latency> {
  await load.open(port, STEADY.pages);
  const took = await load.pace(STEADY.perSecond, STEADY.ms);
  await load.close();
  return latencyOf(took);
}

/** Megabytes of resident memory for each thousand idle sockets, at each of IDLE. */
async function idle(load: Load, { pid, port }: Program): Promise<readonly number[]> {
  const before = residentBytes(pid);
  const figures: number[] = [];
  let open = 0;
  for (const count of IDLE) {
    await load.open(port, count - open);
    open = count;
    await setTimeout(SETTLE_MS);
    figures.push((residentBytes(pid) - before) / MB / (count / 1000));
  }
  await load.close();
  return figures;
}

async function compare(): Promise<void> {
  compileOurs();
  const service = await listening('service');
  const relays: (readonly [string, Program])[] = [[DIRECT, service]];
  const load = startLoad();
  try {
    for (const [name, begin] of Object.entries(contenders)) relays.push([name, await begin(service)]);

    const rounds = new Map<string, Round[]>();
    for (const [name, relay] of relays) {
      await load.open(relay.port, PAGES);
      let answered = 0;
      for (let tries = 0; answered < WARM_UP_MESSAGES && tries < WARM_UP_TRIES; tries += 1) {
        answered += await load.saturate(IN_FLIGHT, ROUND_MS / 2);
      }
      await load.close();
      rounds.set(name, []);
    }
    for (let count = 0; count < ROUNDS; count += 1) {
      for (const [name, relay] of relays) rounds.get(name)?.push(await round(load, relay));
      console.log(`round ${count + 1} of ${ROUNDS}`);
    }

    const steadyTurns = new Map<string, Latency[]>(relays.map(([name]) => [name, []]));
    for (let count = 0; count < STEADY.turns; count += 1) {
      for (const [name, relay] of relays) steadyTurns.get(name)?.push(await steady(load, relay));
    }

    const figures: Figures[] = [];
    for (const [name] of relays) {
      const begin = contenders[name];
      const of = (pick: (one: Round) => number): number => median((rounds.get(name) ?? []).map(pick));
      let memory: readonly number[] = IDLE.map(() => NaN);
      if (begin) {
        // A new process, whose memory no round has enlarged.
        const fresh = await begin(service);
        try {
          memory = await idle(load, fresh);
        } finally {
          await fresh.stop();
        }
      }
      figures.push({
        name,
        cpu: of(({ cpu }) => cpu),
        oursOver: median(
          (rounds.get(OURS) ?? []).map(({ cpu }, n) => cpu / (rounds.get(name)?.[n]?.cpu ?? NaN)),
        ),
        calls: of(({ calls }) => calls),
        cpuPaced: of(({ cpuPaced }) => cpuPaced),
        perSecond: of(({ perSecond }) => perSecond),
        p50: of(({ p50 }) => p50),
        p99: of(({ p99 }) => p99),
        steady: {
          p50: median((steadyTurns.get(name) ?? []).map(({ p50 }) => p50)),
          p99: median((steadyTurns.get(name) ?? []).map(({ p99 }) => p99)),
        },
        memory,
      });
    }
    printTable(figures, {
      ours: OURS,
      direct: DIRECT,
      idle: IDLE,
      perSecond: PER_SECOND,
      pages: STEADY.pages,
    });
  } finally {
    await load.stop();
    for (const [, relay] of relays) await relay.stop();
  }
}

const start = performance.now();
await (process.argv[2] === 'profile' ? profile() : compare());
console.log(`\n${((performance.now() - start) / 1000).toFixed(0)} s`);
