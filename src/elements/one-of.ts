// Attributes that take one of a few words. Policy: junk reads as the default and is told once on the console.
import type { PropertyDeclaration } from 'lit';
import { warnOnce } from '../internal/warn-once.ts';

/** A reader for attribute `name`: any of `words`, compared case-insensitively, else `fallback`. */
export function oneOf<Word extends string, Fallback extends Word | undefined>(
  name: string,
  words: readonly Word[],
  fallback: Fallback,
): (value: unknown) => Word | Fallback {
  return (value) => {
    if (value === null || value === undefined || value === '') return fallback;
    const word = words.find((known) => known.toLowerCase() === String(value).trim().toLowerCase());
    if (word === undefined) {
      warnOnce(
        `attribute ${name}`,
        `Sign Elements: ${name}="${String(value)}" is not one of ${words.join(', ')}.`,
      );
    }
    return word ?? fallback;
  };
}

/** The Lit declaration of such an attribute. */
export const oneOfProperty = (
  read: (value: unknown) => unknown,
  options: PropertyDeclaration = {},
): PropertyDeclaration => ({ ...options, converter: { fromAttribute: read } });
