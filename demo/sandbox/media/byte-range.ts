// The `Range` header of a media request (RFC 9110, section 14). Policy: one range is served; a header of another unit,
// of several ranges or of no sense is ignored, as the RFC allows, and the whole is sent.

/** First and last byte, both inside. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The range asked for of `size` bytes; null: send the whole; `unsatisfiable`: answer 416. */
export function byteRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [first, last] = [match[1]!, match[2]!];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { from: size - length, to: size - 1 } : 'unsatisfiable';
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= size) return 'unsatisfiable';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
