// WebSocket close codes between page and proxy (SEMANTICS, Proxy). Policy: the number says what kind of end it was, the
// reason is a stable code of own-errors.ts where there is one; nothing of the upstream's own reason is passed on.

export const closeCodes = {
  normal: 1000,
  /** The page asked for something that it may not have. */
  policy: 1008,
  tooBig: 1009,
  /** The service could not be reached or broke off. */
  upstreamFailed: 1011,
  /** The proxy is going down; another may be there already. */
  restarting: 1012,
  overloaded: 1013,
} as const;
