// TimeRanges: made (the platform has no constructor for them) and read.

/** One range from `start` to `end` seconds, or none when `end` is not above `start`. */
export function timeRange(end: number, start = 0): TimeRanges {
  const length = end > start ? 1 : 0;
  const at = (index: number, value: number): number => {
    if (index < 0 || index >= length) throw new DOMException('no such range', 'IndexSizeError');
    return value;
  };
  return { length, start: (index) => at(index, start), end: (index) => at(index, end) };
}

/** Seconds that are buffered beyond this second of the video; 0 when this second is not buffered. */
export function bufferedAhead({ buffered }: Pick<HTMLVideoElement, 'buffered'>, second: number): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= second && second < buffered.end(i)) return buffered.end(i) - second;
  }
  return 0;
}

/** The buffered second nearest to this one, at or before it, with so much buffered ahead; null when there is none. */
export function bufferedSecond(
  { buffered }: Pick<HTMLVideoElement, 'buffered'>,
  second: number,
  ahead: number,
): number | null {
  for (let i = buffered.length - 1; i >= 0; i--) {
    const [start, end] = [buffered.start(i), buffered.end(i)];
    if (start <= second) return Math.max(start, Math.min(second, end - ahead));
  }
  return null;
}
