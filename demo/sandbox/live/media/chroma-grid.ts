// Sizes and places on the chroma grid: I420 has one sample of colour for two by two of brightness.

/** The even number nearest to this one; 2 at least. */
export const even = (value: number): number => Math.max(2, 2 * Math.round(value / 2));
