// Tells the chunks of the cdn build apart by their addresses.

/** The name of a chunk, without the hash in its file name; further tries for it have a query. */
export const nameOf = (url: string): string | undefined =>
  /\/chunks\/(.+)-[0-9a-f]+\.js(\?|$)/.exec(url)?.[1];
