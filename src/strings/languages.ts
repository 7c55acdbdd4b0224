// The languages of the interface besides English: one file each, of which a page loads its own.
// - Texts that a page gives by `configure({ strings })` replace ours one by one.
import { en, type OwnStrings, type Strings } from './en.ts';

const files: Readonly<Record<string, () => Promise<Strings>>> = {
  ar: async () => (await import('./ar.ts')).ar,
  cy: async () => (await import('./cy.ts')).cy,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  pt: async () => (await import('./pt.ts')).pt,
};

/** Our texts, in which each text of the page's own replaces ours, also within a group. */
function withOwn(ours: Readonly<Record<string, unknown>>, own: object): Record<string, unknown> {
  const texts = { ...ours };
  for (const [key, text] of Object.entries(own) as [string, unknown][]) {
    if (typeof text === 'string') texts[key] = text;
    else if (text) texts[key] = { ...(ours[key] as object | undefined), ...text };
  }
  return texts;
}

/** The texts for a BCP 47 tag, English for a language that has none. Rejects when its file does not load. */
export async function load(tag: string, own: OwnStrings = {}): Promise<Strings> {
  // Many sites state `de_DE`, the name of a locale in Java and PHP.
  const language = tag.toLowerCase().split(/[-_]/)[0] || 'en';
  const ours = Object.hasOwn(files, language) ? await files[language]!() : en;
  const given = Object.hasOwn(own, language) ? own[language] : null;
  return given ? (withOwn({ ...ours, lang: language }, given) as Strings) : ours;
}
