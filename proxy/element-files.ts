// The built elements (`dist/cdn`), read once when the proxy starts and served from memory. Policy: what a request can
// name is exactly what was found then, so no path of a request ever touches the disk, and an entry always fits its
// chunks. The ETag is of the content: packed and copied files share sizes and times, and an entry that names its chunks
// by hash keeps its size from one version to the next.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Encoding = 'br' | 'gzip';

export interface ElementFile {
  readonly body: Buffer;
  /** The precompressed variants that lie beside it, smallest first. */
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
  readonly etag: string;
  readonly cacheControl: string;
}

const EXTENSIONS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
/** A chunk whose name ends in a bundler's hash: eight characters that are no word, or eight hex digits. */
const HASHED = /^chunks\/.*[-.](?=[\w-]*[A-Z\d]|[a-f]{8}\.)[\w-]{8}\.m?js$/;

/**
 * Every script of the directory and of its `chunks/`, by its path from there (`sign-elements.js`,
 * `chunks/hls-Ab3dE6gH.js`). Empty when there is no such directory.
 */
export function readElementFiles(directory: string): ReadonlyMap<string, ElementFile> {
  const files = new Map<string, ElementFile>();
  for (const folder of ['', 'chunks/']) {
    const names = new Set(listNames(join(directory, folder)));
    for (const name of names) {
      if (/^[\w.-]+\.m?js$/.test(name))
        files.set(folder + name, readElementFile(directory, folder + name, names));
    }
  }
  return files;
}

function readElementFile(directory: string, path: string, siblings: ReadonlySet<string>): ElementFile {
  const body = readFileSync(join(directory, path));
  const name = path.slice(path.lastIndexOf('/') + 1);
  const variants = EXTENSIONS.filter(([, extension]) => siblings.has(name + extension)).map(
    ([encoding, extension]) => [encoding, readFileSync(join(directory, path + extension))] as const,
  );
  return {
    body,
    encoded: new Map(variants),
    // Weak, because the encodings of one content share it.
    etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    cacheControl: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  };
}

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
