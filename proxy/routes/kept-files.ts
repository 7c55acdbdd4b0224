// A folder of hashed files that replicas of several builds share (SIGN_KEPT_FILES): a page whose entry came from one
// build gets its chunks from a replica of another build, during a rolling update and after it. The same holds for a page that
// names an entry by its hash.
// - At the start a replica writes its own hashed files there, with their precompressed variants, and removes what no
//   replica has written for 30 days. While it runs it gives its own files a new date each day.
// - A file that is not of this build is read from there, once. The folder is listed at most once a second, and only
//   names from that list are opened: no path of a request reaches the disk.
// - Files are looked for one after the other, because a disk that hangs takes one of Node's four threads for each. After 2 s a
//   request gets 503, and so does each that comes before the disk answers.
// - A folder that cannot be read or written is logged, and the replica serves its own build.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import { ProblemError } from '../problem.ts';
import {
  type ElementFile,
  elementFile,
  type Encoding,
  EXTENSIONS,
  isHashed,
  type KeptFiles,
  variantsOf,
} from './elements.ts';

const DAY_MS = 24 * 3_600_000;
const KEEP_MS = 30 * DAY_MS;
const LIST_EVERY_MS = 1_000;
const LATE_MS = 2_000;
/** The folders of the entries and of the chunks. */
const subfolders = ['.', 'chunks'];

/** `stop` ends its timer. */
export function keptFiles(
  folder: string,
  own: ReadonlyMap<string, ElementFile>,
  clock: Clock,
  log: Pick<FastifyBaseLogger, 'warn'>,
): { readonly find: KeptFiles; readonly stop: () => void } {
  const read = new Map<string, ElementFile>();
  let names: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  let listedAt = -Infinity;
  let isLate = false;
  /** Ends with the look-up, or the new dates, that were asked for last. */
  let last: Promise<unknown> = Promise.resolve();
  const failed = (what: string, error: unknown): void =>
    log.warn({ error: (error as NodeJS.ErrnoException).code, what }, 'kept files');
  const attempt = (what: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      failed(what, error);
    }
  };
  const ownHashed = [...own].filter(([path]) => isHashed(path));
  attempt('write', () => {
    for (const subfolder of subfolders) mkdirSync(join(folder, subfolder), { recursive: true });
    for (const [path, file] of ownHashed) write(folder, path, file);
  });
  attempt('remove', () => subfolders.forEach((subfolder) => removeOld(join(folder, subfolder))));

  const list = async (): Promise<void> => {
    if (clock.now() - listedAt < LIST_EVERY_MS) return;
    listedAt = clock.now();
    const lists = new Map<string, ReadonlySet<string>>();
    for (const subfolder of subfolders) lists.set(subfolder, new Set(await readdir(join(folder, subfolder))));
    names = lists;
  };

  const readKept = async (path: string, siblings: ReadonlySet<string>): Promise<void> => {
    const body = await readFile(join(folder, path));
    const encoded = new Map<Encoding, Buffer>();
    for (const [encoding, variant] of variantsOf(path, siblings))
      encoded.set(encoding, await readFile(join(folder, variant)));
    read.set(path, elementFile(path, body, encoded));
  };

  const lookFor = async (path: string): Promise<ElementFile | undefined> => {
    await list().catch((error: unknown) => failed('list', error));
    const beside = names.get(dirname(path));
    if (!read.has(path) && beside?.has(basename(path)))
      await readKept(path, beside).catch((error: unknown) => failed('read', error));
    isLate = false;
    return read.get(path);
  };

  const renewDates = async (): Promise<void> => {
    const now = new Date();
    let problem: unknown;
    for (const [path, file] of ownHashed) {
      for (const [name] of filesOf(path, file)) {
        await utimes(join(folder, name), now, now).catch((error: unknown) => (problem ??= error));
      }
    }
    if (problem !== undefined) failed('date', problem);
  };
  const stop = clock.every(DAY_MS, () => {
    last = last.then(renewDates);
  });

  const find: KeptFiles = async (path) => {
    const known = read.get(path);
    if (known || !isHashed(path)) return known;
    if (isLate) throw late();
    const found = last.then(() => lookFor(path));
    last = found;
    return new Promise((resolve, reject) => {
      const stopWaiting = clock.after(LATE_MS, () => {
        isLate = true;
        reject(late());
      });
      void found.then(resolve).then(stopWaiting);
    });
  };
  return { find, stop };
}

const late = (): ProblemError =>
  new ProblemError('overloaded', { extra: { detail: 'the folder of kept files does not answer' } });

/** The names and contents of a file and of its variants, which come before it. */
function filesOf(path: string, { body, encoded }: ElementFile): (readonly [name: string, bytes: Buffer])[] {
  const variants = EXTENSIONS.flatMap(([encoding, extension]) => {
    const variant = encoded.get(encoding);
    return variant ? [[path + extension, variant] as const] : [];
  });
  return [...variants, [path, body]];
}

/** Each file appears whole, its variants before it. */
function write(folder: string, path: string, file: ElementFile): void {
  for (const [name, bytes] of filesOf(path, file)) {
    const temporary = join(folder, `${name}.${randomUUID()}.tmp`);
    try {
      writeFileSync(temporary, bytes);
      renameSync(temporary, join(folder, name));
    } catch (error) {
      // Else each start would leave one on a full disk.
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

function removeOld(folder: string): void {
  const oldest = Date.now() - KEEP_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Another replica may have removed or renamed it meanwhile.
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < oldest && /\.(js|br|gz|tmp)$/.test(name)) rmSync(path, { force: true });
  }
}
