// What a page sets for all its elements, before or after they are defined.
import type { OwnStrings } from '../strings/en.ts';
import { setStrings } from '../strings/strings.ts';

export interface Configuration {
  /** Interface texts in place of ours, by language: `{ en: { play: 'Start', reading: { stop: 'End' } } }`. */
  readonly strings?: OwnStrings | undefined;
}

/** Sets what is given and leaves the rest as it is. */
export function configure({ strings }: Configuration): void {
  if (strings) setStrings(strings);
}
