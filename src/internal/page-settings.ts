// What `configure()` sets for all elements of a page; each use reads it anew.
// - How requests at the proxy over HTTP are made, how hls.js plays, and what is written to the console.

export interface PageSettings {
  /** Used in place of the platform's `fetch`. */
  fetch?: ((address: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Added to those of the request, in place of one of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Options of hls.js, for streams that start from then on. */
  hls?: object | undefined;
  /** Written to the console: `warn` (default), each mistake of the page once; `none`; `debug`, what hls.js does as well. */
  log?: 'none' | 'warn' | 'debug' | undefined;
}

export const pageSettings: PageSettings = {};
