// Which HTTP refusals are final (SEMANTICS: 4xx, but what is a matter of time or of too many requests).

const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

/** True for a 4xx that the same request will get again. */
export const isFinalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && !MAY_PASS.has(status);
