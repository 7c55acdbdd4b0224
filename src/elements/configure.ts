// What a page sets for all its elements, before or after they are defined.
import { requestSettings, type RequestSettings } from '../internal/request-settings.ts';
import type { OwnStrings } from '../strings/en.ts';
import { setStrings } from '../strings/strings.ts';

export interface Configuration extends Readonly<RequestSettings> {
  /** Interface texts in place of ours, by language: `{ en: { play: 'Start', reading: { stop: 'End' } } }`. */
  readonly strings?: OwnStrings | undefined;
}

/** Sets what is given and leaves the rest as it is; `fetch` and `headers` given as undefined are as before the first call. */
export function configure({ strings, ...requests }: Configuration): void {
  Object.assign(requestSettings, requests);
  if (strings) setStrings(strings);
}
