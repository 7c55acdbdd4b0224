// What `configure()` sets for all elements of a page, read anew at each use; and the console warnings, whose level it sets.
// - The settings are how HTTP requests to the proxy are made, how hls.js plays, and what is written to the console.
// - A page reports each kind of mistake once, however many elements make it: a misspelt attribute in a list of a thousand rows is
//   one line.

export interface PageSettings {
  /** Used in place of the platform's `fetch`. */
  fetch?: ((address: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Headers that are added to those of the request; one with the same name replaces that of the request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Options of hls.js, for streams that start from then on. */
  hls?: object | undefined;
  /** What is written to the console. `warn` (default): each mistake of the page once; `none`; `debug`: also what hls.js does. */
  log?: 'none' | 'warn' | 'debug' | undefined;
}

export const pageSettings: PageSettings = {};

const reported = new Set<string>();

/**
 * Prints our name and `message` with `console.warn`, the first time only, unless the page wants no warnings.
 * @param kind what is reported once: words of ours such as `attribute resolution`, or these and the address of a file that a page
 *   names in an attribute. Never a text of the page, because the list would grow without bound.
 */
export function warnOnce(kind: string, message: string): void {
  if (reported.has(kind)) return;
  reported.add(kind);
  if (pageSettings.log !== 'none') console.warn(`Sign Elements: ${message}`);
}
