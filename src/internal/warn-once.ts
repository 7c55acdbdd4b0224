// Warnings for developers, on the console. Each kind of mistake is reported once a page, however many elements make it, so that a
// misspelt attribute in a list of a thousand rows stays one line.
import { pageSettings } from './page-settings.ts';

const reported = new Set<string>();

/**
 * Prints `message` with `console.warn` behind our name, the first time only, unless the page wants none.
 * @param kind what is reported once, a fixed word of ours such as `sign-translate resolution`; never a value from the page,
 * which would grow the list without bound.
 */
export function warnOnce(kind: string, message: string): void {
  if (reported.has(kind)) return;
  reported.add(kind);
  if (pageSettings.log !== 'none') console.warn(`Sign Elements: ${message}`);
}
