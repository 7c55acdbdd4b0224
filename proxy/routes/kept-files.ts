// A folder of hashed files that replicas of several builds share (SIGN_KEPT_FILES): a page whose entry came from one
// build gets its chunks from a replica of another build, during a rolling update and after it. The same holds for a page that
// names an entry by its hash.
// - At the start a replica writes its own hashed files there, with their precompressed variants, and removes what no
//   replica has written for 30 days.
// - A file that is not of this build is read from there, once. The folder is listed at most once a second, and only
//   names from that list are opened: no path of a request reaches the disk.
// - A folder that cannot be read or written is logged, and the replica serves its own build.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import { type ElementFile, EXTENSIONS, isHashed, type KeptFiles, readElementFile } from './elements.ts';

const KEEP_MS = 30 * 24 * 3_600_000;
const LIST_EVERY_MS = 1_000;
/** The folders of the entries and of the chunks. */
const subfolders = ['.', 'chunks'];

export function keptFiles(
  folder: string,
  own: ReadonlyMap<string, ElementFile>,
  clock: Clock,
  log: Pick<FastifyBaseLogger, 'warn'>,
): KeptFiles {
  const read = new Map<string, ElementFile>();
  let names: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  let listedAt = -Infinity;
  const attempt = (what: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      log.warn({ error: (error as NodeJS.ErrnoException).code, what }, 'kept files');
    }
  };
  attempt('write', () => {
    for (const subfolder of subfolders) mkdirSync(join(folder, subfolder), { recursive: true });
    for (const [path, file] of own) if (isHashed(path)) write(folder, path, file);
  });
  attempt('remove', () => subfolders.forEach((subfolder) => removeOld(join(folder, subfolder))));

  return (path) => {
    const known = read.get(path);
    if (known) return known;
    if (!isHashed(path)) return undefined;
    if (clock.now() - listedAt >= LIST_EVERY_MS) {
      listedAt = clock.now();
      const list = (subfolder: string) => [subfolder, new Set(readdirSync(join(folder, subfolder)))] as const;
      attempt('list', () => (names = new Map(subfolders.map(list))));
    }
    const beside = names.get(dirname(path));
    if (!beside?.has(basename(path))) return undefined;
    attempt('read', () => void read.set(path, readElementFile(folder, path, beside)));
    return read.get(path);
  };
}

/** Each file appears whole, its variants before it. */
function write(folder: string, path: string, { body, encoded }: ElementFile): void {
  const variants = EXTENSIONS.flatMap(([encoding, extension]) => {
    const variant = encoded.get(encoding);
    return variant ? [[path + extension, variant] as const] : [];
  });
  for (const [name, bytes] of [...variants, [path, body] as const]) {
    const temporary = join(folder, `${name}.${randomUUID()}.tmp`);
    writeFileSync(temporary, bytes);
    renameSync(temporary, join(folder, name));
  }
}

function removeOld(folder: string): void {
  const oldest = Date.now() - KEEP_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path);
    if (mtimeMs < oldest && /\.(js|br|gz|tmp)$/.test(name)) rmSync(path, { force: true });
  }
}
