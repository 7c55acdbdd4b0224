// The folder of a prepared edition: `signs.json` and `clips/`.
// - `signs.json` is replaced as a whole, by a file that is renamed, and sorted by hash, so that a diff shows what has changed.
// - A change is made to the newest content, under a lock that a dead program holds for 10 s at most: several programs and
//   reviewers work on one folder.
// - The clip of a wording has the hash of it as its name; a video by a person has the hash of its bytes.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  MANIFEST_VERSION,
  readManifest,
  textKey,
  type Manifest,
  type PreparedText,
} from '../../src/prepared/manifest.ts';
import { remux } from '../../src/playback/mp4/remux.ts';

const LOCK_MS = 10_000;
const LOCK_AGAIN_MS = 20;

/** Who signs the texts of an edition. */
export type Signer = Pick<Manifest, 'signer' | 'language' | 'resolution'>;

/** What went wrong with a file or folder, in words for the person at the terminal. */
export class EditionError extends Error {
  override readonly name = 'EditionError';
}

export const shortHash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

const code = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** What is known of a clip that plays. */
export interface CheckedClip {
  readonly file: string;
  readonly seconds: number;
  readonly bytes: number;
}

export class Edition {
  readonly folder: string;
  #manifest: Manifest;

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder;
    this.#manifest = manifest;
  }

  /**
   * @param signer of the edition; null for that of the one which is there
   * @param fresh signer of an edition that is begun; without it there must be one
   * @throws EditionError for a file that cannot be read, and for an edition of another signer
   */
  static async open(folder: string, signer: Signer | null, fresh: Signer | null = null): Promise<Edition> {
    const known = await read(folder);
    if (!known && !fresh) throw new EditionError(`${join(folder, 'signs.json')} is not there`);
    const manifest = known ?? { version: MANIFEST_VERSION, ...fresh!, texts: [] };
    for (const name of ['signer', 'language', 'resolution'] as const) {
      if (signer && signer[name].toUpperCase() !== manifest[name].toUpperCase())
        throw new EditionError(
          `${join(folder, 'signs.json')} is an edition with ${name} ${manifest[name]}, not ${signer[name]}: each has a folder of its own`,
        );
    }
    return new Edition(folder, manifest);
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  hashOf(wording: string): string {
    const { signer, language, resolution } = this.#manifest;
    return shortHash(JSON.stringify([signer.toUpperCase(), language, resolution, textKey(wording)]));
  }

  /** By hash. */
  get texts(): ReadonlyMap<string, PreparedText> {
    return new Map(this.#manifest.texts.map((text) => [text.hash, text]));
  }

  /** Changes what is in the file now; other programs wait. The change sees the newest texts by their hashes. */
  async update<Value>(change: (texts: Map<string, PreparedText>) => Value): Promise<Value> {
    await makeFolder(join(this.folder, 'clips'));
    const unlock = await lock(join(this.folder, 'signs.json.lock'));
    try {
      this.#manifest = (await read(this.folder)) ?? this.#manifest;
      const texts = new Map(this.texts);
      const value = change(texts);
      const sorted = [...texts.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
      const next = { ...this.#manifest, texts: sorted };
      await replaceFile(join(this.folder, 'signs.json'), `${JSON.stringify(next, null, 2)}\n`);
      this.#manifest = next;
      return value;
    } finally {
      await unlock();
    }
  }

  /** The newest content. */
  async reload(): Promise<void> {
    this.#manifest = (await read(this.folder)) ?? this.#manifest;
  }

  /** Checks a video and keeps it. @throws RemuxError when it does not play, EditionError when it cannot be written */
  async keepClip(hash: string, bytes: Uint8Array): Promise<CheckedClip> {
    const seconds = secondsOf(bytes);
    const file = `clips/${hash}.mp4`;
    await makeFolder(join(this.folder, 'clips'));
    await replaceFile(join(this.folder, file), bytes);
    return { file, seconds, bytes: bytes.length };
  }

  /** A clip that an earlier run has kept; null when there is none that plays. */
  findClip(hash: string): Promise<CheckedClip | null> {
    return this.#check(`clips/${hash}.mp4`);
  }

  /** True when this file is there and plays. */
  async plays(file: string): Promise<boolean> {
    return (await this.#check(file)) !== null;
  }

  async #check(file: string): Promise<CheckedClip | null> {
    try {
      const bytes = await readFile(join(this.folder, file));
      return { file, seconds: secondsOf(bytes), bytes: bytes.length };
    } catch {
      return null;
    }
  }
}

/** Seconds to the thousandth. @throws RemuxError when it does not play */
const secondsOf = (bytes: Uint8Array): number => Math.round(remux(bytes).durationSeconds * 1000) / 1000;

async function read(folder: string): Promise<Manifest | null> {
  const file = join(folder, 'signs.json');
  let written: string;
  try {
    written = await readFile(file, 'utf8');
  } catch (error) {
    if (code(error) === 'ENOENT') return null;
    throw new EditionError(`${file} cannot be read (${code(error)})`);
  }
  try {
    return readManifest(JSON.parse(written));
  } catch (error) {
    throw new EditionError(`${file} is not an edition: ${(error as Error).message}`);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new EditionError(`${folder} cannot be made (${code(error)})`);
  }
}

/** The file has the old content or the new, never a part. */
async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, content);
    await rename(part, file);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw new EditionError(`${file} cannot be written (${code(error)})`);
  }
}

/** Waits until no other program changes the folder. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(file, 'wx')).close();
      return () => unlink(file).catch(() => {});
    } catch (error) {
      if (code(error) !== 'EEXIST')
        throw new EditionError(`${dirname(file)} cannot be written (${code(error)})`);
    }
    const held = await stat(file).catch(() => null);
    if (held && Date.now() - held.mtimeMs > LOCK_MS) await unlink(file).catch(() => {});
    else await wait(LOCK_AGAIN_MS);
  }
}
