// One live stream of the sandbox in the shapes of several HLS packagers, made by a simulated network.
// - Parts, hints and blocking reloads are left out, except in the shape `low latency`: most packagers have none.
// - Segments of the sandbox have 2 s; their names are `12.m4s`.
import { hostile } from '../bench/hostile-playlists.ts';
import type { Answer, Trick } from '../bench/network-simulator.ts';
import { initWithSound, segmentWithSound } from './silent-sound.ts';

const SEGMENT_SECONDS = 2;

interface Segment {
  readonly number: number;
  /** Lines of the playlist that belong to it, its address last. */
  readonly lines: readonly string[];
}

interface MediaPlaylist {
  readonly map: string;
  readonly segments: readonly Segment[];
}

const ofSegments = /^#EXT(?:INF|-X-PROGRAM-DATE-TIME)/;

function read({ body }: Answer): MediaPlaylist {
  const segments: Segment[] = [];
  let lines: string[] = [];
  for (const line of body.toString().split('\n')) {
    const number = /^(\d+)\.m4s/.exec(line)?.[1];
    // A part may have the date of its segment once more.
    if (ofSegments.test(line))
      lines = [...lines.filter((before) => !before.startsWith(line.slice(0, 8))), line];
    if (number === undefined) continue;
    segments.push({ number: Number(number), lines: [...lines, line] });
    lines = [];
  }
  return { map: /#EXT-X-MAP:.*/.exec(body.toString())?.[0] ?? '', segments };
}

interface Written {
  /** Added to the media sequence. */
  readonly shift?: number;
  /** The number of the first segment that is listed. */
  readonly first?: number;
  readonly line?: (line: string) => string | null;
  /** Lines before a segment, in place of the map before the first one. */
  readonly before?: (number: number, isFirst: boolean) => string[];
}

function write(
  { map, segments }: MediaPlaylist,
  { shift = 0, first = 0, line = (same) => same, before }: Written,
): string {
  const listed = segments.filter(({ number }) => number >= first);
  const lines = listed.flatMap(({ number, lines }, at) => [
    ...(before?.(number, at === 0) ?? []),
    ...lines.map(line).filter((one) => one !== null),
  ]);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:8',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${(listed[0]?.number ?? 0) + shift}`,
    ...(before ? [] : [line(map) ?? map]),
    ...lines,
    '',
  ].join('\n');
}

const isMedia = ({ pathname }: URL): boolean => pathname.endsWith('/stream.m3u8');

/** Without low latency; `written` writes each playlist, and may write each one in another way. */
const plain =
  (written: (playlist: MediaPlaylist) => Written = () => ({})): (() => Trick) =>
  () =>
  async (asked, pass) => {
    if (isMedia(asked)) asked.search = asked.search.replace(/&?_HLS_\w+=\w+/g, '');
    const answer = await pass(asked);
    if (!isMedia(asked) || answer.status !== 200) return answer;
    const playlist = read(answer);
    return { ...answer, body: Buffer.from(write(playlist, written(playlist))) };
  };

/** All segments in one file, each a range of bytes. */
function byteRanges(): Trick {
  const parts: Buffer[] = [];
  const places = new Map<number, string>();
  let size = 0;
  return async (asked, pass, range) => {
    if (asked.pathname.endsWith('/all.m4s')) {
      const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(range ?? '') ?? [];
      const body = Buffer.concat(parts).subarray(Number(from), Number(to) + 1);
      const headers = { 'content-range': `bytes ${from}-${to}/*`, 'content-type': 'video/mp4' };
      return { status: 206, headers, body };
    }
    const answer = await pass(asked);
    if (!isMedia(asked) || answer.status !== 200) return answer;
    const playlist = read(answer);
    for (const { number, lines } of playlist.segments) {
      if (places.has(number)) continue;
      const { body } = await pass(new URL(lines.at(-1)!, asked));
      places.set(number, `#EXT-X-BYTERANGE:${body.length}@${size}`);
      parts.push(body);
      size += body.length;
    }
    const line = (text: string): string => {
      const number = /^(\d+)\.m4s/.exec(text)?.[1];
      return number === undefined ? text : `${places.get(Number(number))}\n${text.replace(/^\d+/, 'all')}`;
    };
    return { ...answer, body: Buffer.from(write(playlist, { line })) };
  };
}

/** The media sequence jumps ahead by 1,000, as after a restart of a packager. */
function sequenceJump(): Trick {
  let from = NaN;
  return plain(({ segments }) => {
    const last = segments.at(-1)?.number ?? 0;
    if (Number.isNaN(from)) from = last + 2;
    return last >= from ? { shift: 1000 } : {};
  })();
}

/** The packager starts again: it counts from 0 and lists only later segments, without dates. Four segments are listed. */
function sequenceReset(): Trick {
  let from = NaN;
  return plain(({ segments }) => {
    const last = segments.at(-1)?.number ?? 0;
    if (Number.isNaN(from)) from = last + 2;
    const isReset = last >= from;
    const first = Math.max(last - 3, isReset ? from : 0);
    return { line: withoutDates, first, shift: isReset ? -from : 0 };
  })();
}

const withoutDates = (line: string): string | null => (line.startsWith('#EXT-X-PROGRAM') ? null : line);

/** Two segments have sound, between two discontinuities. Stock hls.js stops at the first one. */
export function soundForAWhile(): Trick {
  let from = NaN;
  const hasSound = (number: number): boolean => number >= from && number < from + 2;
  const written = plain(({ map, segments }) => {
    const last = segments.at(-1)?.number ?? 0;
    if (Number.isNaN(from)) from = last + 2;
    const isChange = (number: number): boolean => number === from || number === from + 2;
    return {
      first: last - 5,
      before: (number, isFirst) => [
        ...(isChange(number) ? ['#EXT-X-DISCONTINUITY'] : []),
        ...(isChange(number) || isFirst ? [hasSound(number) ? map.replace(/"$/, '&sound"') : map] : []),
      ],
    };
  })();
  return async (asked, pass, range) => {
    const isInit = asked.searchParams.has('sound');
    asked.search = asked.search.replace('&sound', '');
    const answer = await written(asked, pass, range);
    const number = Number(/\/(\d+)\.m4s$/.exec(asked.pathname)?.[1] ?? NaN);
    if (answer.status !== 200 || !(isInit || hasSound(number))) return answer;
    const { body } = answer;
    return { ...answer, body: isInit ? initWithSound(body) : segmentWithSound(body, SEGMENT_SECONDS) };
  };
}

/** The shapes by their names. */
export const shapes: Readonly<Record<string, () => Trick>> = {
  'low latency': hostile['nothing']!,
  'segments of 2 s': plain(),
  'segments of 6 s, without dates': hostile['plain 6 s segments']!,
  'no dates': plain(() => ({ line: withoutDates })),
  'ranges of one file': byteRanges,
  'two variants': hostile['two renditions']!,
  'a discontinuity': hostile['another encoder']!,
  'a media sequence that jumps on by 1,000': sequenceJump,
  'a media sequence that begins at 0 again, without dates': sequenceReset,
};
