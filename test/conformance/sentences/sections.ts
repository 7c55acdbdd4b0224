// How the sentences of a document are written down: by section, then by id (`<document>.<topic>.<point>`).
// - A row is one thing that the document says must be, is required, is the default, is rejected or is given, in our
//   own words.
// - What a client should do is no row, and what cannot be seen from outside is in `left-out.ts`.

/** Section title to sentence id to the sentence. */
export type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;
