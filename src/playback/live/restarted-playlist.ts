// Continues the numbers of the segments of a live HLS playlist after its packager has restarted and counts from another number.
// - A media sequence never decreases (RFC 8216bis 6.2.2). When it does, hls.js (1.7.4) places the playlist where the one before it
//   began, before all that was played: playback waits until the playlist has grown beyond its position.
// - A segment that was listed before keeps its number. Else the first segment gets the number after the last one, and its
//   discontinuity sequence is higher by 1,000, because the times of its media may begin anew too.
// - Segments are compared by address without the query, which may be signed anew. Where two segments of one playlist then have the
//   same address, they are compared with the query. Where they are equal even so, no segment counts as listed before.

/** What is added to the numbers of a playlist. */
export interface Renumbering {
  readonly segments: number;
  readonly discontinuities: number;
}

export const AS_WRITTEN: Renumbering = { segments: 0, discontinuities: 0 };

const DISCONTINUITIES = 1000;

export const numberIn = (text: string, tag: RegExp): number => Number(tag.exec(text)?.[1] ?? 0);

/** The number of the first segment that is listed. */
export const firstNumberIn = (text: string): number =>
  numberIn(text, /^#EXT-X-MEDIA-SEQUENCE:(\d+)/m) + numberIn(text, /^#EXT-X-SKIP:.*SKIPPED-SEGMENTS=(\d+)/m);

function withAdded(text: string, tag: string, count: number): string {
  if (count === 0) return text;
  const line = new RegExp(`^#EXT-X-${tag}:(\\d+)`, 'm');
  const added = `#EXT-X-${tag}:${numberIn(text, line) + count}`;
  return line.test(text) ? text.replace(line, added) : text.replace('#EXTM3U', `#EXTM3U\n${added}`);
}

export const renumbered = (text: string, { segments, discontinuities }: Renumbering): string =>
  withAdded(withAdded(text, 'MEDIA-SEQUENCE', segments), 'DISCONTINUITY-SEQUENCE', discontinuities);

/** The address of a blocking reload, which names the segment by the packager's number. */
export const inOwnNumbers = (url: string, { segments }: Renumbering): string =>
  url.replace(
    /([?&]_HLS_msn=)(\d+)/,
    (_, name: string, number: string) => `${name}${Math.max(0, Number(number) - segments)}`,
  );

const [QUERY, NOTHING] = [/\?.*/, /$^/];

/** Addresses of the segments without what is left out, each with its range of bytes. */
function segmentsOf(text: string, leftOut: RegExp): string[] {
  const segments: string[] = [];
  let range = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('#EXT-X-BYTERANGE')) range = line;
    if (line === '' || line.startsWith('#')) continue;
    segments.push(line.replace(leftOut, '') + range);
    range = '';
  }
  return segments;
}

const isDistinct = (segments: readonly string[]): boolean => new Set(segments).size === segments.length;

/**
 * What has to be added to a playlist that ends before an earlier one of the same stream.
 * @param next the number after the last segment of the earlier one
 */
export function restarted(text: string, earlier: string, next: number): Renumbering {
  const [listed = [], before = []] =
    [QUERY, NOTHING]
      .map((leftOut) => [segmentsOf(text, leftOut), segmentsOf(earlier, leftOut)])
      .find((both) => both.every(isDistinct)) ?? [];
  const first = firstNumberIn(text);
  const known = listed.findIndex((segment) => before.includes(segment));
  if (known === -1) return { segments: next - first, discontinuities: DISCONTINUITIES };
  const same = firstNumberIn(earlier) + before.indexOf(listed[known]!);
  return { segments: same - (first + known), discontinuities: 0 };
}
