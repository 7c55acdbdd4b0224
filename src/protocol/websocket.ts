// Constants of the WebSocket between page, proxy and service: the protocol version and the close codes.
// - The close code says what kind of end it was (SEMANTICS.md, Proxy). The close reason is an error code (own-errors.ts,
//   service-errors.ts), or empty.
// - The upstream's own close reason is never passed on.
// - No schema is imported here: a page that needs the version alone does not load the schemas of the frames.

export const closeCodes = {
  normal: 1000,
  /** The page asked for something that it may not have. */
  policy: 1008,
  tooBig: 1009,
  /** The service could not be reached, or the connection to it was lost. */
  upstreamFailed: 1011,
  /** The proxy is shutting down; another may already run. */
  restarting: 1012,
  overloaded: 1013,
} as const;

/** The one protocol version this product speaks. */
export const PROTOCOL_VERSION = '3.0';
