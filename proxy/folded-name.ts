// The names of JSON fields that another parser may take for one name.
// - Some parsers ignore the letter case of names, and white space around them. Go's encoding/json also takes `ſ` (U+017F) for `s`
//   and the Kelvin sign (U+212A) for `k`.

/** Equal for names that a parser may take for one another. */
export const foldedName = (name: string): string => name.trim().toUpperCase().toLowerCase();
