// Tells which different names of JSON fields another parser may take for the same name.
// - Some parsers ignore the letter case of names, and white space around them. Go's encoding/json also takes `ſ` (U+017F) for `s`
//   and the Kelvin sign (U+212A) for `k`. Where strings end at a NUL, what follows it is no part of a name.

/** Equal for names that a parser may take for one another. */
export const foldedName = (name: string): string =>
  name.replace(/\0.*$/s, '').trim().toUpperCase().toLowerCase();
