// Finds the interface texts for a language.
// - English is built in; other languages, and what puts a page's own texts in, are loaded when a page first needs them.
// - An unknown language, or a file that does not load within a minute, gives English; the file is tried again on `online`.
import { loadCode } from '../internal/load-code.ts';
import { en, type OwnStrings, type Strings } from './en.ts';

let own: OwnStrings | undefined;

/** Called when the page gives other texts. */
export const listeners = new Set<() => void>();

/** Sets the page's own texts, in place of those set before. */
export function setStrings(strings: OwnStrings): void {
  own = strings;
  for (const listener of listeners) listener();
}

/** The texts for a BCP 47 tag, matched by its primary language. Never rejects. */
export async function stringsFor(tag: string): Promise<Strings> {
  if (!own && /^(en|$)/i.test(tag)) return en;
  try {
    return await loadCode(async () => (await import('./languages.ts')).load(tag, own));
  } catch {
    return en;
  }
}
