// The languages of the interface besides English: one file each, of which a page loads its own.
import { en, type Strings } from './en.ts';

const files: Readonly<Record<string, () => Promise<Strings>>> = {
  ar: async () => (await import('./ar.ts')).ar,
  cy: async () => (await import('./cy.ts')).cy,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  pt: async () => (await import('./pt.ts')).pt,
};

/** The texts of a language, English for one that has none. Rejects when its file does not load. */
export const load = async (language: string): Promise<Strings> =>
  (Object.hasOwn(files, language) && (await files[language]?.())) || en;
