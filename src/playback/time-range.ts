// Makes a TimeRanges, for which the platform has no constructor.

/** One range from `start` to `end` seconds, or none when `end` is not above `start`. */
export function timeRange(end: number, start = 0): TimeRanges {
  const length = end > start ? 1 : 0;
  const at = (index: number, value: number): number => {
    if (index < 0 || index >= length) throw new DOMException('no such range', 'IndexSizeError');
    return value;
  };
  return { length, start: (index) => at(index, start), end: (index) => at(index, end) };
}
