// Loads the glossary of a page: an object, or the address of one as JSON.
import { warnOnce } from '../internal/warn-once.ts';
import { glossaryOf, type Glossary } from './sentences.ts';

export type { Glossary };

/** Null when there is none. When it does not load, that is reported and the page is read as it is written. */
export async function loadGlossary(
  glossary: string | Readonly<Record<string, string>> | null | undefined,
): Promise<Glossary | null> {
  if (typeof glossary !== 'string') return glossaryOf(glossary);
  if (!glossary) return null;
  try {
    const response = await fetch(new URL(glossary, document.baseURI));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return glossaryOf(await response.json());
  } catch (error) {
    warnOnce(`glossary ${glossary}`, `the glossary ${glossary} did not load: ${String(error)}`);
    return null;
  }
}
