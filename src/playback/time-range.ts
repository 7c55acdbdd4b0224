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
