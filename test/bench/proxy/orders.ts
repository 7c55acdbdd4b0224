// The messages between the bench and the process that makes the load (programs/pages.ts).

export type Order =
  /** Opens `count` more connections, each with its session started. */
  | { readonly kind: 'open'; readonly port: number; readonly count: number }
  /** Keeps `inFlight` texts unanswered on each connection for `ms`. */
  | { readonly kind: 'saturate'; readonly inFlight: number; readonly ms: number }
  /** Sends `perSecond` texts a second over all connections for `ms`. */
  | { readonly kind: 'pace'; readonly perSecond: number; readonly ms: number }
  | { readonly kind: 'close' };

export type Result =
  | { readonly kind: 'done' }
  | { readonly kind: 'answered'; readonly count: number }
  /** How long each text took there and back, in ms. */
  | { readonly kind: 'took'; readonly ms: readonly number[] }
  | { readonly kind: 'failed'; readonly message: string };
