// Keeps the sums of spending.ts in a small file (SIGN_SPENDING_FILE), for a proxy that runs alone and without a Redis.
// - It is written at most once a second and when the proxy closes: a process that is killed loses the last second, and of open
//   streams the last ten. No response waits for the disk.
// - A new file is written beside it and renamed, so that neither a reader nor a start after a crash sees half of a file.
// - It holds, for each site, the last four days and the last four months that were begun. Their dates do not decide which are
//   the last, because a clock may have been ahead.
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
/** How many days, and how many months, are kept. */
const KEPT_NAMES = 4;

/** The sums of all sites, by the name of the site. */
const sitesSchema = z.record(z.string(), z.unknown());
/** Sums of one site, by day (`2026-11-23`) or month (`2026-11`), then by unit. */
const sumsSchema = z.record(z.string(), z.record(z.string(), z.number()));

interface FileDeps {
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

export class SpendingFile {
  readonly #path: string;
  readonly #deps: FileDeps;
  readonly #sums = new Map<string, Map<string, Map<string, number>>>();
  #stopTimer: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  /** Whether the file lacks something, apart from what is being written. */
  #isChanged = false;
  #hasFailed = false;
  #isClosing = false;

  constructor(path: string, deps: FileDeps) {
    this.#path = path;
    this.#deps = deps;
    for (const [site, names] of contentOf(path, deps.log)) {
      for (const [name, units] of Object.entries(names)) {
        for (const [unit, total] of Object.entries(units)) this.#unitsOf(site, name).set(unit, total);
      }
    }
  }

  /** 0 for what is not in the file. */
  sum(site: string, name: string, unit: string): number {
    return this.#sums.get(site)?.get(name)?.get(unit) ?? 0;
  }

  set(site: string, name: string, unit: string, total: number): void {
    if (this.sum(site, name, unit) === total) return;
    this.#unitsOf(site, name).set(unit, total);
    this.#isChanged = true;
    this.#writeSoon();
  }

  /** Writes what is not written yet, as far as the disk takes it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stopTimer?.();
    const written = this.#writeRest();
    await new Promise<void>((resolve) => {
      const stopWaiting = this.#deps.clock.after(CLOSE_MS, () => {
        this.#deps.log.warn('the sums of what is spent are not written: the disk does not answer');
        resolve();
      });
      void written.then(stopWaiting).then(resolve);
    });
  }

  #unitsOf(site: string, name: string): Map<string, number> {
    const names = this.#sums.get(site) ?? new Map<string, Map<string, number>>();
    this.#sums.set(site, names);
    const known = names.get(name);
    if (known !== undefined) return known;
    const units = new Map<string, number>();
    names.set(name, units);
    const ofPeriod = [...names.keys()].filter(({ length }) => length === name.length);
    for (const old of ofPeriod.slice(0, -KEPT_NAMES)) names.delete(old);
    return units;
  }

  /** One write after the other, because they share the new file. */
  #writeSoon(): void {
    if (this.#writing !== null || this.#isClosing) return;
    this.#stopTimer ??= this.#deps.clock.after(WRITE_MS, () => {
      this.#stopTimer = null;
      this.#writing = this.#write().then(() => {
        this.#writing = null;
        if (this.#isChanged) this.#writeSoon();
      });
    });
  }

  async #writeRest(): Promise<void> {
    await this.#writing;
    while (this.#isChanged) {
      await this.#write();
      if (this.#hasFailed) break;
    }
  }

  async #write(): Promise<void> {
    this.#isChanged = false;
    const content = Object.fromEntries(
      [...this.#sums].map(([site, names]) => [
        site,
        Object.fromEntries([...names].map(([name, units]) => [name, Object.fromEntries(units)])),
      ]),
    );
    try {
      await writeFile(`${this.#path}.new`, JSON.stringify(content), { mode: 0o600, flush: true });
      await rename(`${this.#path}.new`, this.#path);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        this.#deps.log.warn({ error: String(error) }, 'the sums of what is spent cannot be written');
      this.#hasFailed = true;
      this.#isChanged = true;
    }
  }
}

/** Empty for a file that is not there yet. */
function contentOf(path: string, log: FileDeps['log']): [site: string, z.infer<typeof sumsSchema>][] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    z.parse(sitesSchema, content);
    // Not what the schema returns: a record leaves out a site that is named `__proto__`.
    return Object.entries(content as object).map(([site, sums]) => [site, z.parse(sumsSchema, sums)]);
  } catch (error) {
    // The message of a file that is no JSON holds a part of it.
    const { code, name } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      log.warn({ error: code ?? name }, 'the sums of what is spent cannot be read and begin at 0');
    return [];
  }
}
