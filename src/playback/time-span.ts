// TimeRanges over a timeline that we compute ourselves; the platform has no constructor for them.

/** One range from 0 to `end` seconds, or none when `end` is not above 0. */
export function spanTo(end: number): TimeRanges {
  const length = end > 0 ? 1 : 0;
  const at = (index: number, value: number): number => {
    if (index < 0 || index >= length) throw new DOMException('no such range', 'IndexSizeError');
    return value;
  };
  return { length, start: (index) => at(index, 0), end: (index) => at(index, end) };
}
