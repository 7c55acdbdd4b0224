// Reads the `signs.json` that a program changes and writes again. It checks every field that the program uses: a page checks fewer.
import { isClipFile, readManifest, type Manifest, type PreparedText } from '../../src/prepared/manifest.ts';

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

/** @throws Error that says what is wrong with it */
export function readKeptManifest(value: unknown): Manifest {
  const manifest = readManifest(value);
  const wrong = manifest.texts.findIndex((text) => !isWhole(text));
  if (wrong >= 0) throw new Error(`texts[${wrong}] is not complete`);
  const hashes = new Set(manifest.texts.map(({ hash }) => hash));
  if (hashes.size < manifest.texts.length) throw new Error('two texts have the same hash');
  return manifest;
}
