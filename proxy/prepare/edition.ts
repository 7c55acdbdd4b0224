// The folder of a prepared edition: `signs.json` and `clips/`.
// - `signs.json` is sorted by hash, so that a diff shows what has changed.
// - Several programs and reviewers work on one folder. So a change is made under a lock, to the newest content of the file.
// - The name of a clip is 16 digits of the hash of its wording and 16 digits of the hash of its bytes: a name never means another
//   clip, a clip of an earlier run is found again, and a damaged clip is noticed.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isClipFile,
  MANIFEST_VERSION,
  readManifest,
  textKey,
  type Manifest,
  type PreparedText,
} from '../../src/protocol/prepared-manifest.ts';
import { remux } from '../../src/playback/mp4/remux.ts';
import { codeOf, EditionError, isPart, lockFile, makeFolder, replaceFile, type Lock } from './files.ts';

const DIGITS = 16;

/** Who signs the texts of an edition. */
export type Signer = Pick<Manifest, 'signer' | 'language' | 'resolution'>;

export const shortHash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

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
   * @param signer which the edition must have; null when any will do
   * @param fresh signer of a new edition, when the folder has none; null when it must have one
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

  /** The texts, by their hashes. */
  get texts(): ReadonlyMap<string, PreparedText> {
    return new Map(this.#manifest.texts.map((text) => [text.hash, text]));
  }

  /** Changes what is in the file now; other programs wait. The change sees the newest texts by their hashes. */
  async update<Value>(change: (texts: Map<string, PreparedText>) => Value): Promise<Value> {
    await makeFolder(join(this.folder, 'clips'));
    for (;;) {
      const lock = await lockFile(join(this.folder, 'signs.json.lock'));
      try {
        const isThere = await this.reload();
        const texts = new Map(this.texts);
        const value = change(texts);
        const sorted = [...texts.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
        const next = { ...this.#manifest, texts: sorted };
        const content = contentOf(next);
        // A file that has not changed keeps its date: servers and build tools go by it.
        if (isThere && content === contentOf(this.#manifest)) return value;
        // A program that stood still for longer than a lock lasts begins again with what others have written.
        if (!(await replaceFile(join(this.folder, 'signs.json'), content, lock.holds))) continue;
        this.#manifest = next;
        return value;
      } finally {
        await lock.release();
      }
    }
  }

  /** Reads the newest content; false when the file is not there. */
  async reload(): Promise<boolean> {
    const known = await read(this.folder);
    this.#manifest = known ?? this.#manifest;
    return known !== null;
  }

  /** Checks a video and keeps it. @throws RemuxError when it does not play, EditionError when it cannot be written */
  async keepClip(hash: string, bytes: Uint8Array): Promise<CheckedClip> {
    const seconds = secondsOf(bytes);
    const file = `clips/${shortOf(hash)}${digitsOf(bytes)}.mp4`;
    await makeFolder(join(this.folder, 'clips'));
    await replaceFile(join(this.folder, file), bytes);
    return { file, seconds, bytes: bytes.length };
  }

  /** All files in `clips/` that are written to their end, as `signs.json` names them. */
  async files(): Promise<readonly string[]> {
    const names = await readdir(join(this.folder, 'clips')).catch(() => []);
    return names
      .filter((name) => !isPart(name))
      .sort()
      .map((name) => `clips/${name}`);
  }

  /** The clips that runs have kept, without other files that somebody has put beside them. */
  async ownFiles(): Promise<readonly string[]> {
    return (await this.files()).filter((file) => NAME.test(file));
  }

  /**
   * Waits until no other program asks the service for texts of this folder, so that none is asked for twice. Null when it was
   * stopped before that.
   * @throws EditionError
   */
  async beginRun(waiting: () => void, stop: AbortSignal): Promise<Lock | null> {
    await makeFolder(this.folder);
    try {
      return await lockFile(join(this.folder, 'prepare.lock'), { isLong: true, waiting, stop });
    } catch (error) {
      if (stop.aborted) return null;
      throw error;
    }
  }

  /** A clip of this wording from an earlier run; null when there is no undamaged one. */
  async findClip(hash: string, files: readonly string[]): Promise<CheckedClip | null> {
    for (const file of files) {
      const clip = file.startsWith(`clips/${shortOf(hash)}`) ? await this.readClip(file) : null;
      if (clip) return clip;
    }
    return null;
  }

  /** True for a file of this length; its content is not read. */
  async isThere({ file, bytes }: Pick<PreparedText, 'file' | 'bytes'>): Promise<boolean> {
    return (await stat(join(this.folder, file)).catch(() => null))?.size === bytes;
  }

  /** What is known of a file; null when it is missing, was changed, or does not play. */
  async readClip(file: string): Promise<CheckedClip | null> {
    try {
      const bytes = await readFile(join(this.folder, file));
      const [, , expected] = NAME.exec(file) ?? [];
      if (expected !== undefined && expected !== digitsOf(bytes)) return null;
      return { file, seconds: secondsOf(bytes), bytes: bytes.length };
    } catch {
      return null;
    }
  }
}

const contentOf = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** The name that `keepClip` gives a file: digits of its wording's hash, then of its bytes' hash. */
const NAME = /^clips\/([0-9a-f]{16})([0-9a-f]{16})\.mp4$/;

/** What the names of the clips of a wording begin with. */
export const shortOf = (hash: string): string => hash.slice(0, DIGITS);

/** What the name of this clip begins with; undefined for a file that no run has named. */
export const wordingOf = (file: string): string | undefined => NAME.exec(file)?.[1];

/** A video by a person is named twice after its bytes: nobody knows its wording. */
export function isOfPerson(file: string): boolean {
  const [, wording, bytes] = NAME.exec(file) ?? [];
  return wording !== undefined && wording === bytes;
}

const digitsOf = (bytes: Uint8Array): string => shortOf(shortHash(bytes));

/** Seconds to the thousandth. @throws RemuxError when it does not play */
const secondsOf = (bytes: Uint8Array): number => Math.round(remux(bytes).durationSeconds * 1000) / 1000;

async function read(folder: string): Promise<Manifest | null> {
  const file = join(folder, 'signs.json');
  let written: string;
  try {
    written = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new EditionError(`${file} cannot be read (${codeOf(error)})`);
  }
  try {
    return readKeptManifest(JSON.parse(written));
  } catch (error) {
    throw new EditionError(`${file} is not an edition: ${(error as Error).message}`);
  }
}

const isAbsentOr = (value: unknown, type: 'string' | 'boolean'): boolean =>
  value === undefined || typeof value === type;

function isWhole({ hash, note, date, pages, wording, stale, before }: PreparedText): boolean {
  const isDated = typeof date === 'string' && !Number.isNaN(Date.parse(date));
  const isPlaced = Array.isArray(pages) && pages.every((page) => typeof page === 'string');
  const isOptional = isAbsentOr(wording, 'string') && isAbsentOr(stale, 'boolean');
  const isBefore = before === undefined || isClipFile(before);
  return (
    /^[0-9a-f]{32}$/.test(hash) && typeof note === 'string' && isDated && isPlaced && isOptional && isBefore
  );
}

/**
 * Reads the `signs.json` of an edition, with every field that a program uses: a page checks fewer.
 * @throws Error that says what is wrong with it
 */
function readKeptManifest(value: unknown): Manifest {
  const manifest = readManifest(value);
  const wrong = manifest.texts.findIndex((text) => !isWhole(text));
  if (wrong >= 0) throw new Error(`texts[${wrong}] is not complete`);
  const hashes = new Set(manifest.texts.map(({ hash }) => hash));
  if (hashes.size < manifest.texts.length) throw new Error('two texts have the same hash');
  return manifest;
}
