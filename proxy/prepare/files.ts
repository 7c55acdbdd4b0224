// Files of a folder that several programs and reviewers work on.
// - A file is replaced as a whole: it is written beside its place, flushed to the disk, and renamed. What a dead program left
//   beside it is removed after an hour.
// - A lock is an empty file. One of a dead program is taken over after 10 s; a program that was too slow for that is told that
//   it holds the lock no more.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const LOCK_MS = 10_000;
const LOCK_AGAIN_MS = 20;
const PART_MS = 3_600_000;

/** What went wrong with a file or folder, in words for the person at the terminal. */
export class EditionError extends Error {
  override readonly name = 'EditionError';
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const ignore = (): void => {};

/** @throws EditionError */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new EditionError(`${folder} cannot be made (${codeOf(error)})`);
  }
}

/**
 * The file has the old content or the new, never a part.
 * @param mayReplace asked when the new content is on the disk; false leaves the old
 * @throws EditionError
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  mayReplace: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(part, content, { flush: true });
    const may = await mayReplace();
    await (may ? rename(part, file) : unlink(part));
    return may;
  } catch (error) {
    await unlink(part).catch(ignore);
    throw new EditionError(`${file} cannot be written (${codeOf(error)})`);
  }
}

export const isPart = (name: string): boolean => name.endsWith('.part');

/** Removes what programs that died while they wrote have left. */
export async function removeParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const left = isPart(name) ? await stat(file).catch(() => null) : null;
    if (left && Date.now() - left.mtimeMs > PART_MS) await unlink(file).catch(ignore);
  }
}

export interface Lock {
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

/** Tells a lock from another one that has taken its place. */
const identity = async (file: string): Promise<string | null> => {
  const is = await stat(file, { bigint: true }).catch(() => null);
  return is && `${is.ino} ${is.mtimeNs}`;
};

/** Waits until no other program has it. @throws EditionError */
export async function lockFile(file: string): Promise<Lock> {
  for (;;) {
    try {
      await (await open(file, 'wx')).close();
      const mine = await identity(file);
      const holds = async (): Promise<boolean> => mine !== null && (await identity(file)) === mine;
      return {
        holds,
        release: async () => {
          if (await holds()) await unlink(file).catch(ignore);
        },
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST')
        throw new EditionError(`${dirname(file)} cannot be written (${codeOf(error)})`);
    }
    const held = await stat(file).catch(() => null);
    if (held && Date.now() - held.mtimeMs > LOCK_MS) await takeAway(file);
    else await wait(LOCK_AGAIN_MS);
  }
}

/** Removes a lock that is too old, and none that another program has made in its place meanwhile. */
async function takeAway(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const taken = await stat(aside).catch(() => null);
  if (taken && Date.now() - taken.mtimeMs <= LOCK_MS) await link(aside, file).catch(ignore);
  await unlink(aside).catch(ignore);
}
