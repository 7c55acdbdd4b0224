// A glossary of a page: words that are signed in another form than they are written in.
// - It replaces whole words as written, the longest first. An accent or a vowel sign after a letter is a part of the word.
// - It is loaded only where a page has one.
import { warnOnce } from '../internal/page-settings.ts';
import { untilOnlineOr } from '../internal/until-online.ts';
import type { Glossary } from './sentences.ts';

/** A function that replaces the written forms of these pairs; null when there is none. */
export function glossaryOf(pairs: unknown): Glossary | null {
  if (typeof pairs !== 'object' || pairs === null) return null;
  const forms = new Map(
    Object.entries(pairs).filter(
      (pair): pair is [string, string] => pair[0] !== '' && typeof pair[1] === 'string',
    ),
  );
  if (forms.size === 0) return null;
  const written = [...forms.keys()]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}]\\p{M}*)(?:${written.join('|')})(?![\\p{L}\\p{M}\\p{N}])`,
    'gu',
  );
  return (text) => text.replace(pattern, (form) => forms.get(form) ?? form);
}

/**
 * A request for a glossary may take this long. While the browser is offline, the request is repeated at this interval, because a
 * service worker may answer it.
 */
const GLOSSARY_MS = 8_000;

/**
 * The glossary with these words, or with those in the JSON at this address; null when it has none. When it does not load, this is
 * reported once, and the page is read as it is written.
 */
export async function loadGlossary(
  glossary: string | Readonly<Record<string, string>>,
): Promise<Glossary | null> {
  if (typeof glossary !== 'string') return glossaryOf(glossary);
  const name = `glossary ${glossary}`;
  for (;;) {
    try {
      const signal = AbortSignal.timeout(GLOSSARY_MS);
      const response = await fetch(new URL(glossary, document.baseURI), { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return glossaryOf(await response.json());
    } catch (error) {
      warnOnce(name, `the ${name} did not load: ${String(error)}`);
      if (navigator.onLine !== false || !(error instanceof TypeError)) return null;
      await untilOnlineOr(GLOSSARY_MS);
    }
  }
}
