// Files of a folder that several programs and reviewers work on.
// - A file is replaced as a whole: it is written beside its place, flushed to the disk, and renamed. What a dead program left
//   beside it is removed after an hour.
// - A lock is a file that holds a random word of its holder. A lock that nobody touches is taken over when it is 10 s old, or when
//   it was seen unchanged for 10 s, because a clock may have been set back. `holds()` is false for a program that has lost its
//   lock in this way. A lock that is held for long is touched every 2 s.
import { randomUUID } from 'node:crypto';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const LOCK_MS = 10_000;
const LOCK_AGAIN_MS = 20;
const TOUCH_MS = 2_000;
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

/** Removes the unfinished files of programs that died. */
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

interface LockOptions {
  /** It is held for longer than a lock lasts. */
  readonly isLong?: boolean;
  /** Called once when another program has the lock. */
  readonly waiting?: () => void;
  /** Ends the waiting; the promise then rejects with its reason. */
  readonly stop?: AbortSignal;
}

/** `identity` changes when the lock is touched, or replaced by another one. Null without a lock. */
async function stateOf(file: string): Promise<{ readonly identity: string; readonly ageMs: number } | null> {
  const found = await lstat(file, { bigint: true }).catch(() => null);
  return found && { identity: `${found.ino} ${found.mtimeNs}`, ageMs: Date.now() - Number(found.mtimeMs) };
}

/** Waits until no other program has the lock. @throws EditionError */
export async function lockFile(
  file: string,
  { isLong = false, waiting, stop }: LockOptions = {},
): Promise<Lock> {
  const word = randomUUID();
  let seen = { identity: '', since: 0 };
  for (;;) {
    stop?.throwIfAborted();
    if (await makeLock(file, word)) return heldLock(file, word, isLong);
    const other = await stateOf(file);
    if (!other) continue;
    if (seen.identity === '') waiting?.();
    if (seen.identity !== other.identity) seen = { identity: other.identity, since: performance.now() };
    const isDead = other.ageMs > LOCK_MS || performance.now() - seen.since > LOCK_MS;
    if (isDead) await takeAway(file, other.identity);
    else await wait(LOCK_AGAIN_MS, undefined, stop && { signal: stop });
  }
}

/** False when there is one. @throws EditionError */
async function makeLock(file: string, word: string): Promise<boolean> {
  let made: FileHandle;
  try {
    made = await open(file, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new EditionError(`${dirname(file)} cannot be written (${codeOf(error)})`);
  }
  try {
    await made.writeFile(word);
  } catch (error) {
    await unlink(file).catch(ignore);
    throw new EditionError(`${file} cannot be written (${codeOf(error)})`);
  } finally {
    await made.close();
  }
  return true;
}

function heldLock(file: string, word: string, isLong: boolean): Lock {
  const holds = async (): Promise<boolean> => (await readFile(file, 'utf8').catch(() => '')) === word;
  const touch = async (): Promise<void> => {
    if (await holds()) await utimes(file, new Date(), new Date()).catch(ignore);
  };
  const timer = isLong ? setInterval(() => void touch(), TOUCH_MS).unref() : undefined;
  return {
    holds,
    async release() {
      clearInterval(timer);
      if (await holds()) await unlink(file).catch(ignore);
    },
  };
}

/**
 * Removes a lock that is too old. A lock that another program has made in its place meanwhile stays.
 * @throws EditionError where it cannot be removed, as in a folder that is read-only
 */
async function takeAway(file: string, old: string): Promise<void> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new EditionError(
      `${file} is of a program that has ended, and cannot be removed (${codeOf(error)})`,
    );
  }
  if ((await stateOf(aside))?.identity !== old) await link(aside, file).catch(ignore);
  await unlink(aside).catch(ignore);
}
