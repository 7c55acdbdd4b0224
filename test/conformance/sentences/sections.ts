// How the sentences of a document are written down: by section, then by id (`<document>.<topic>.<point>`).
// - A row is one thing that the document says must be, is required, is the default, is rejected or is given, in our
//   own words.
// - There are no rows for what a client should do. Sentences that cannot be checked from outside are in `left-out.ts`.

/** Section title to sentence id to the sentence. */
export type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;
