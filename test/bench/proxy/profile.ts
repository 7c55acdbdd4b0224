// `npm run bench:proxy -- profile`: where the time of our relay goes, under the load of the bench.
// - The engine's own sampling profiler, which costs some time itself, so shares count and not their sum.
// - A function counts for itself and not for what it calls.
// - The profile includes the warm-up, because the profiler runs as long as the process.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileOurs, startOurs } from './contenders.ts';
import { startLoad } from './load.ts';
import { listening } from './program.ts';

const PAGES = 200;
const IN_FLIGHT = 4;
const LOAD_MS = 10_000;
const ROWS = 24;

/** The fields of a .cpuprofile that are read (DevTools protocol, Profiler.Profile). */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** `ws receiver.js`, `proxy relay.js`, `node net`; native functions and the engine's own have their own names. */
function placeOf(url: string): string {
  const [, name, path] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:.*\/)?([^/]+)$/.exec(url) ?? [];
  if (name !== undefined) return `${name} ${path}`;
  const [, own] = /\/\.build\/(.+)$/.exec(url) ?? [];
  return own ?? (url.startsWith('node:') ? url : 'native');
}

/** Milliseconds by function, the idle time left out. */
function selfTimes({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [
      id,
      `${functionName || '(anonymous)'} (${placeOf(url)})`,
    ]),
  );
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (name.startsWith('(idle)')) continue;
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  return times;
}

/** The profile of a relay that only served load, for `LOAD_MS`. */
async function profileOurs(folder: string): Promise<Profile> {
  const service = await listening('service');
  const load = startLoad();
  const ours = await startOurs(service, '--cpu-prof', `--cpu-prof-dir=${folder}`);
  try {
    await load.open(ours.port, PAGES);
    await load.saturate(IN_FLIGHT, LOAD_MS);
    await load.close();
  } finally {
    await ours.stop();
    await load.stop();
    await service.stop();
  }
  const [file = ''] = readdirSync(folder);
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
}

export async function profile(): Promise<void> {
  compileOurs();
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  try {
    const times = selfTimes(await profileOurs(folder));
    const total = [...times.values()].reduce((sum, one) => sum + one, 0);
    const rows = [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, ROWS)
      .map(([what, ms]) => ({ what, 'share %': ((ms / total) * 100).toFixed(1) }));
    console.table(rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
