// What keying costs where there is no graphics card (the browser of the tests has none): frames on screen a second
// and processor time of all processes of the browser, keyed beside the plain video of the same clip, taking turns
// in one run.
// - Keying is not switched off for slowness here; an element switches it off below 15 frames a second.
import { readFileSync, readdirSync } from 'node:fs';
import type * as keyingPage from './keying-page.ts';
import type { Way } from './keying-page.ts';
import { openSourcePage } from './source-page.ts';

const ROUNDS = 3;
const SECONDS = 3;
/** Size of the clip, and CSS pixels at which it is seen: those of an element by default, and its own. */
const SIGHTS = [
  ['480p', 512],
  ['480p', 854],
  ['720p', 512],
  ['720p', 1280],
] as const;
/** Milliseconds of a tick of /proc/<pid>/stat. */
const TICK_MS = 10;
const MODULE = '/test/bench/keying-page.ts';

interface Measured {
  frames: number;
  cpuMs: number;
}

export async function benchKeying(): Promise<void> {
  const { page, close } = await openSourcePage();
  try {
    await page.setViewport({ width: 1300, height: 760 });
    const browser = page.browser().process()!.pid!;
    const measured = new Map<string, Record<Way, Measured>>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [resolution, width] of SIGHTS) {
        const name = `${resolution} at ${width} px`;
        const sums = measured.get(name) ?? { plain: none(), keyed: none() };
        measured.set(name, sums);
        for (const way of ['plain', 'keyed'] as const) {
          await page.evaluate(
            async (module, ...sight) => ((await import(module)) as typeof keyingPage).show(...sight),
            MODULE,
            ...([way, resolution, width] as const),
          );
          const before = cpuMsOf(browser);
          sums[way].frames += await page.evaluate(
            async (module, howLong) => ((await import(module)) as typeof keyingPage).countFrames(howLong),
            MODULE,
            SECONDS,
          );
          sums[way].cpuMs += cpuMsOf(browser) - before;
        }
      }
    }
    await page.evaluate(async (module) => ((await import(module)) as typeof keyingPage).close(), MODULE);
    print(measured);
  } finally {
    await close();
  }
}

const none = (): Measured => ({ frames: 0, cpuMs: 0 });

function print(measured: ReadonlyMap<string, Record<Way, Measured>>): void {
  const table: Record<string, Record<string, string>> = {};
  for (const [name, { plain, keyed }] of measured) {
    for (const [way, { frames, cpuMs }] of Object.entries({ plain, keyed })) {
      table[`${name}, ${way}`] = {
        'frames a second': (frames / ROUNDS / SECONDS).toFixed(1),
        ratio: (frames / plain.frames).toFixed(2),
        'cores busy': (cpuMs / ROUNDS / SECONDS / 1000).toFixed(2),
        'ms of processor a frame': (cpuMs / frames).toFixed(1),
        'of that for keying': way === 'keyed' ? (cpuMs / frames - plain.cpuMs / plain.frames).toFixed(1) : '',
      };
    }
  }
  console.table(table);
}

/** Processor time that a process and all its descendants have used. */
function cpuMsOf(root: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name of the process is in brackets and may contain any character.
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      processes.set(Number(entry), {
        parent: Number(fields[1]),
        ticks: Number(fields[11]) + Number(fields[12]),
      });
    } catch {
      // The process has ended meanwhile.
    }
  }
  const descends = (pid: number): boolean => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, { ticks: own }] of processes) if (descends(pid)) ticks += own;
  return ticks * TICK_MS;
}
