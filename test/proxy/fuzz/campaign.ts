// One run of the fuzzer: the program `sign-proxy` between hostile clients and a hostile service.
// - After any input the program still runs and answers, no secret is in its answers, frames and log lines, its log has no
//   failure of its own, no connection stays open, and its memory does not grow.
// - Each case is drawn from the seed and its own number, so one of them can be replayed alone.
// - One program serves all cases, with a heap of 160 MB.
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { residentBytes } from '../footprint.ts';
import { addressOf, run, type Ending } from '../program.ts';
import { exchange, pulseOf } from './exchange.ts';
import { randomOf } from './random.ts';
import { hostileRequests } from './requests.ts';
import { secretIn, secrets } from './secrets.ts';
import { hostileService } from './service.ts';
import { hostileSocket } from './sockets.ts';

/** Cases under way at a time. */
const AT_ONCE = 24;
const HEAP_MB = 160;
/** How much the program may have grown from the end of the first fifth on. */
const GROWTH_BYTES = 64 * 1024 * 1024;
/** The longest time for connections to close: the proxy allows 5 s, and a busy machine needs more. */
const CLOSING_MS = 30_000;
const ERROR = 50;

interface Campaign {
  readonly seed: number;
  readonly cases: number;
  /** Runs only this case. */
  readonly only?: number;
}

interface Finding {
  /** The case after which it was seen; null when it belongs to no single case. */
  readonly number: number | null;
  readonly what: string;
}

interface Outcome {
  readonly findings: readonly Finding[];
  /** Number of cases with an answer, and of those from which the proxy removed a secret. */
  readonly answered: number;
  readonly redacted: number;
  /** Resident memory after the first fifth and at the end. */
  readonly memory: readonly [before: number, after: number];
}

export async function runCampaign(t: Ending, { seed, cases, only }: Campaign): Promise<Outcome> {
  const findings: Finding[] = [];
  const find = (number: number | null, what: string): void => void findings.push({ number, what });
  const service = await hostileService();
  const upstream = `http://127.0.0.1:${service.port}`;
  const program = run(t, {
    ...process.env,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    ...secrets,
    PORT: '0',
    SIGN_API_URL: upstream,
    SIGN_TRANSPORT_URL: upstream,
    SIGN_AUTH_URL: upstream,
    SIGN_CLIENT_ID: 'fuzz-client',
    SIGN_ALLOWED_ORIGINS: 'https://site.example',
    SIGN_REQUESTS_PER_MINUTE: '1000000',
    SIGN_GENERATES_PER_MINUTE: '1000000',
    SIGN_MESSAGES_PER_MINUTE: '1000000',
    SIGN_MAX_SOCKETS_PER_CLIENT: '100000',
  });
  const url = await addressOf(program);
  const connectionsBefore = connections(program.pid);
  const pulse = pulseOf(url);
  let answered = 0;
  let redacted = 0;

  const runCase = async (number: number): Promise<void> => {
    const random = randomOf(seed, number);
    const mark = `fuzz-${seed}-${number}`;
    const pieces = random.chance(0.5) ? hostileSocket(random, mark) : hostileRequests(random, mark);
    const answer = (await exchange(url, pieces, pulse)).toString('latin1');
    if (answer !== '') answered += 1;
    if (answer.includes('[redacted]')) redacted += 1;
    const secret = secretIn(answer);
    if (secret !== null) find(number, `${secret} is in an answer: ${answer.slice(0, 3_000)}`);
  };

  let memory = 0;
  try {
    if (only === undefined) {
      await inParallel(0, Math.ceil(cases / 5), runCase);
      memory = residentBytes(program.pid);
      await inParallel(Math.ceil(cases / 5), cases, runCase);
    } else {
      await runCase(only);
      memory = residentBytes(program.pid);
    }
    await pulse.stop();
    const left = await connectionsLeft(program.pid, connectionsBefore);
    if (left > 0) find(null, `${left} connections stay behind`);
    const grown = residentBytes(program.pid);
    if (grown - memory > GROWTH_BYTES) find(null, `memory grew from ${memory} to ${grown} bytes`);
    program.kill('SIGTERM');
    const code = await program.exited;
    if (code !== 0) find(null, `the program ended with ${code}`);
    return {
      findings: [...findings, ...inLog(program.stderr())],
      answered,
      redacted,
      memory: [memory, grown],
    };
  } catch (error) {
    await pulse.stop().catch(() => undefined);
    find(null, `the program is gone: ${(error as Error).message}\n${program.stderr().slice(-3_000)}`);
    return { findings, answered, redacted, memory: [memory, memory] };
  } finally {
    await service.close();
  }
}

/** Numbers from `from` to below `to`, AT_ONCE of them at a time. */
async function inParallel(
  from: number,
  to: number,
  runCase: (number: number) => Promise<void>,
): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to) await runCase(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function inLog(log: string): Finding[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const secret = secretIn(line);
      const found = secret === null ? [] : [{ number: null, what: `${secret} is in the log: ${line}` }];
      return levelOf(line) < ERROR
        ? found
        : [...found, { number: null, what: `the log has a failure: ${line}` }];
    });
}

function levelOf(line: string): number {
  try {
    return (JSON.parse(line) as { level: number }).level;
  } catch {
    return ERROR;
  }
}

/** Open files of a process: its connections and a few that stay. */
const connections = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** How many connections stay open for CLOSING_MS, without the few that are kept alive to the service and this check's own. */
async function connectionsLeft(pid: number, before: number): Promise<number> {
  const FEW = 16;
  const until = performance.now() + CLOSING_MS;
  let left = Infinity;
  while (left > 0 && performance.now() < until) {
    left = Math.max(0, connections(pid) - before - FEW);
    if (left > 0) await setTimeout(100);
  }
  return left;
}
