// Finds the interface texts for a language.
// - English is built in and there at once; the others are loaded when a page first needs them.
// - A language that is not here, or a file that does not load, reads as English; the file is tried again on `online`.
import { en, type Strings } from './en.ts';

const catalogues: Readonly<Record<string, () => Promise<Strings>>> = {
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
};

/** The texts for a BCP 47 tag, matched by its primary language. Never rejects. */
export async function stringsFor(tag: string): Promise<Strings> {
  const language = tag.toLowerCase().split('-')[0] ?? '';
  const load = Object.hasOwn(catalogues, language) ? catalogues[language] : undefined;
  try {
    return load ? await load() : en;
  } catch {
    return en;
  }
}
