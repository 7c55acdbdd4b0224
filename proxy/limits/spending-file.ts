// Keeps the sums of spending.ts in a small file (SIGN_SPENDING_FILE), for a proxy that runs alone and without a Redis.
// - It is written at most once a second and when the proxy closes: a process that is killed loses the last second. What is served
//   does not wait for the disk.
// - A new file is written beside it and renamed, so that neither a reader nor a start after a crash sees half of a file.
// - It holds, for each site, the four days and the four months that were begun last. Their dates do not count, because a clock
//   may have been ahead.
// - A file with other content is not overwritten before something is spent; the log says it. A file that cannot be written
//   is reported once until it can, and tried again each second and when the proxy closes. Closing waits 2 s for the disk at most.
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';

const WRITE_MS = 1_000;
/** The longest that closing waits for the disk. */
const CLOSE_MS = 2_000;
/** So many days and as many months are kept. */
const KEPT_NAMES = 4;

/** Sums by site, then by day (`2026-11-23`) or month (`2026-11`), then by unit. */
const schema = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));

export interface SpendingFile {
  /** 0 for what is not in the file. */
  sum(site: string, name: string, unit: string): number;
  set(site: string, name: string, unit: string, total: number): void;
  /** Writes what is not written yet, as far as the disk takes it. */
  close(): Promise<void>;
}

interface FileDeps {
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

export function spendingFile(path: string, { clock, log }: FileDeps): SpendingFile {
  const sums = new Map<string, Map<string, Map<string, number>>>();
  let stopTimer: (() => void) | null = null;
  let writing: Promise<void> | null = null;
  /** Whether the file lacks something, apart from what is being written. */
  let isChanged = false;
  let hasFailed = false;
  let isClosing = false;

  const unitsOf = (site: string, name: string): Map<string, number> => {
    const names = sums.get(site) ?? new Map<string, Map<string, number>>();
    sums.set(site, names);
    const known = names.get(name);
    if (known !== undefined) return known;
    const units = new Map<string, number>();
    names.set(name, units);
    const ofPeriod = [...names.keys()].filter(({ length }) => length === name.length);
    for (const old of ofPeriod.slice(0, -KEPT_NAMES)) names.delete(old);
    return units;
  };

  const write = async (): Promise<void> => {
    isChanged = false;
    const content = Object.fromEntries(
      [...sums].map(([site, names]) => [
        site,
        Object.fromEntries([...names].map(([name, units]) => [name, Object.fromEntries(units)])),
      ]),
    );
    try {
      await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ error: String(error) }, 'the sums of what is spent cannot be written');
      hasFailed = true;
      isChanged = true;
    }
  };
  /** One write after the other, because they share the new file. */
  const writeSoon = (): void => {
    if (writing !== null || isClosing) return;
    stopTimer ??= clock.after(WRITE_MS, () => {
      stopTimer = null;
      writing = write().then(() => {
        writing = null;
        if (isChanged) writeSoon();
      });
    });
  };

  const writeRest = async (): Promise<void> => {
    await writing;
    while (isChanged) {
      await write();
      if (hasFailed) break;
    }
  };

  for (const [site, names] of Object.entries(contentOf(path, log))) {
    for (const [name, units] of Object.entries(names)) {
      for (const [unit, total] of Object.entries(units)) unitsOf(site, name).set(unit, total);
    }
  }
  return {
    sum: (site, name, unit) => sums.get(site)?.get(name)?.get(unit) ?? 0,
    set(site, name, unit, total) {
      unitsOf(site, name).set(unit, total);
      isChanged = true;
      writeSoon();
    },
    async close() {
      isClosing = true;
      stopTimer?.();
      const written = writeRest();
      await new Promise<void>((resolve) => {
        const stopWaiting = clock.after(CLOSE_MS, () => {
          log.warn('the sums of what is spent are not written: the disk does not answer');
          resolve();
        });
        void written.then(stopWaiting).then(resolve);
      });
    },
  };
}

/** Empty for a file that is not there yet. */
function contentOf(path: string, log: FileDeps['log']): z.infer<typeof schema> {
  try {
    return z.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ error: (error as Error).name }, 'the sums of what is spent cannot be read and begin at 0');
    return {};
  }
}
