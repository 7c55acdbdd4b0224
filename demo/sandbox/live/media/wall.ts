// The wall's time, by which pictures are shown.

/** Milliseconds since 1970, with fractions, never backward. */
export const now = (): number => performance.timeOrigin + performance.now();
