// `check` and `prune`: find texts of a site's pages that the edition does not have, and texts of the edition that no page has.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { shortOf, wordingOf, type Edition } from './edition.ts';
import type { FoundTexts } from './sources.ts';

/** A text of the site for which visitors get no clip of the edition. */
interface Unready {
  readonly text: string;
  readonly pages: readonly string[];
  readonly why: 'not prepared' | 'draft' | 'rejected' | 'clip missing';
}

/** Texts that are not prepared or not approved, or whose clip is not in the folder or does not play. */
export async function unreadyTexts(edition: Edition, { texts }: FoundTexts): Promise<Unready[]> {
  const known = edition.texts;
  const unready: Unready[] = [];
  for (const { text, pages } of texts.values()) {
    const prepared = known.get(edition.hashOf(text));
    const state = prepared?.state ?? 'not prepared';
    if (state === 'approved' || state === 'replaced') {
      if (!(await edition.readClip(prepared!.file))) unready.push({ text, pages, why: 'clip missing' });
    } else unready.push({ text, pages, why: state });
  }
  return unready;
}

/**
 * What no page uses: texts by hash, and clips that no other text has. A clip of a text that is not entered yet was paid for: the
 * next run enters it. Other files that somebody has put there stay.
 */
interface Unused {
  readonly hashes: ReadonlySet<string>;
  readonly files: readonly string[];
}

export async function unusedIn(edition: Edition, found: FoundTexts): Promise<Unused> {
  const used = new Set([...found.texts.values()].map(({ text }) => edition.hashOf(text)));
  const { texts } = edition.manifest;
  const hashes = new Set(texts.map(({ hash }) => hash).filter((hash) => !used.has(hash)));
  const kept = texts.filter(({ hash }) => !hashes.has(hash));
  const needed = new Set(kept.flatMap(({ file, before }) => [file, before]));
  const known = edition.texts;
  const waiting = new Set([...used].filter((hash) => !known.has(hash)).map(shortOf));
  const files = (await edition.ownFiles()).filter(
    (file) => !needed.has(file) && !waiting.has(wordingOf(file)!),
  );
  return { hashes, files };
}

/** Removes the texts before their clips, so that no page finds a text without its clip. */
export async function removeUnused(edition: Edition, { hashes, files }: Unused): Promise<void> {
  await edition.update((texts) => {
    for (const hash of hashes) texts.delete(hash);
  });
  const needed = new Set(edition.manifest.texts.flatMap(({ file, before }) => [file, before]));
  for (const file of files) if (!needed.has(file)) await unlink(join(edition.folder, file)).catch(() => {});
}
