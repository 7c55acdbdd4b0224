// Finds the interface texts for a language.
// - English is built in; other languages are loaded when a page first needs them.
// - An unknown language, or a file that does not load within a minute, gives English; the file is tried again on `online`.
import { loadCode } from '../internal/load-code.ts';
import { en, type Strings } from './en.ts';

/** The texts for a BCP 47 tag, matched by its primary language. Never rejects. */
export async function stringsFor(tag: string): Promise<Strings> {
  const language = tag.toLowerCase().split('-')[0] ?? '';
  if (!language || language === 'en') return en;
  try {
    return await loadCode(async () => (await import('./languages.ts')).load(language));
  } catch {
    return en;
  }
}
