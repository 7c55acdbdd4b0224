// Faults of live HLS servers, as tricks of a simulated network in front of the sandbox (network-simulator.ts).
// - Each trick is one fault, from the first request on or from a segment soon after it.
// - It is the same for every player, because each has its own network and trick.
// - Numbers of segments and parts are read from the sandbox's names: `12.m4s`, `12.3.m4s`.
import { setTimeout } from 'node:timers/promises';
import type { Answer, Trick } from './network-simulator.ts';

const HOUR_MS = 3_600_000;
const PARTS_A_SEGMENT = 10;
/** Number of segments between the first playlist and the change. */
const SOON = 2;
const STANDS_AFTER_MS = 4000;
const STANDS_FOR_MS = 10_000;
const JOINED_SEGMENTS = 3;

const isPlaylist = ({ pathname }: URL): boolean => pathname.endsWith('/stream.m3u8');
const nothing = (status: number): Answer => ({ status, headers: {}, body: Buffer.alloc(0) });
const textOf = ({ body }: Answer): string => body.toString();
const withText = (answer: Answer, text: string): Answer => ({ ...answer, body: Buffer.from(text) });

/** Number of a segment, and of a part in it; null for another file. */
function placeOf(name: string): { readonly segment: number; readonly part: number | null } | null {
  const [, segment, part] = /(?:^|[/"])(\d+)(?:\.(\d+))?\.m4s/.exec(name) ?? [];
  return segment === undefined
    ? null
    : { segment: Number(segment), part: part === undefined ? null : Number(part) };
}

/** The number of the first segment that a playlist does not name yet, plus `SOON`. */
const soonAfter = (text: string): number =>
  SOON + Math.max(...text.split('\n').map((line) => placeOf(line)?.segment ?? -1));

/** A trick that rewrites each media playlist. */
const rewriting =
  (rewrite: (text: string) => string): Trick =>
  async (asked, pass) => {
    const answer = await pass(asked);
    return isPlaylist(asked) && answer.status === 200 ? withText(answer, rewrite(textOf(answer))) : answer;
  };

const onLines = (text: string, change: (line: string) => string | null): string =>
  text
    .split('\n')
    .map(change)
    .filter((line) => line !== null)
    .join('\n');

/** Every seventh answer repeats the answer from four before it. */
function olderCopies(): Trick {
  const copies: Answer[] = [];
  let asked = 0;
  return async (url, pass) => {
    if (!isPlaylist(url)) return pass(url);
    asked += 1;
    const old = copies.at(-4);
    if (asked % 7 === 0 && old) return old;
    const answer = await pass(url);
    if (answer.status === 200) copies.push(answer);
    return answer;
  };
}

const isGap = (name: string): boolean => {
  const place = placeOf(name);
  return place !== null && place.part !== null && (place.segment * PARTS_A_SEGMENT + place.part) % 17 === 5;
};

function gaps(): Trick {
  const rewritten = rewriting((text) =>
    onLines(text, (line) => (line.startsWith('#EXT-X-PART:') && isGap(line) ? `${line},GAP=YES` : line)),
  );
  return async (asked, pass, range) => (isGap(asked.pathname) ? nothing(404) : rewritten(asked, pass, range));
}

/** Every eleventh part answers 404 to its first request. */
function lostParts(): Trick {
  const asked = new Set<string>();
  return async (url, pass) => {
    const { segment, part } = placeOf(url.pathname) ?? { segment: 0, part: null };
    const isFirst = !asked.has(url.pathname);
    asked.add(url.pathname);
    const isLost = part !== null && (segment * PARTS_A_SEGMENT + part) % 11 === 3;
    return isLost && isFirst ? nothing(404) : pass(url);
  };
}

const notBlocking: Trick = (asked, pass) => {
  for (const name of ['_HLS_msn', '_HLS_part']) asked.searchParams.delete(name);
  return pass(asked);
};

const withoutHints = (): Trick =>
  rewriting((text) => onLines(text, (line) => (line.startsWith('#EXT-X-PRELOAD-HINT') ? null : line)));

/** For ten seconds no new segment is listed. With `held`, requests for a new one get no answer during that time. */
function standing(held: boolean): Trick {
  let began = 0;
  let last: Answer | null = null;
  return async (asked, pass) => {
    if (!isPlaylist(asked)) return pass(asked);
    began ||= performance.now();
    const stood = performance.now() - began - STANDS_AFTER_MS;
    if (stood < 0 || stood > STANDS_FOR_MS || !last) return (last = await pass(asked));
    if (!held) return last;
    await setTimeout(STANDS_FOR_MS - stood);
    return pass(asked);
  };
}

/** The dates of all segments from this one on are moved by this time. */
const dated = (text: string, from: number, by: number): string => {
  // A date precedes the names that it applies to.
  let date: string | null = null;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, programDate] = /^#EXT-X-PROGRAM-DATE-TIME:(.*)/.exec(line) ?? [];
    if (programDate !== undefined) {
      date = programDate;
      continue;
    }
    const place = placeOf(line);
    if (place && date !== null) {
      const moved = new Date(Date.parse(date) + (place.segment >= from ? by : 0)).toISOString();
      lines.splice(line.startsWith('#') ? lines.length : -1, 0, `#EXT-X-PROGRAM-DATE-TIME:${moved}`);
      date = null;
    }
    lines.push(line);
  }
  return lines.join('\n');
};

function datesThatJump(by: number): Trick {
  let from = NaN;
  return rewriting((text) => {
    if (Number.isNaN(from)) from = soonAfter(text);
    return dated(text, from, by);
  });
}

/** Changes a fragment's time (`tfdt`), as a restarted encoder does. */
function moved(body: Buffer, ticks: bigint): Buffer {
  const copy = Buffer.from(body);
  for (let at = copy.indexOf('tfdt'); at >= 0; at = copy.indexOf('tfdt', at + 4)) {
    if (copy[at + 4] === 1) copy.writeBigUInt64BE(copy.readBigUInt64BE(at + 8) + ticks, at + 8);
    else copy.writeUInt32BE(copy.readUInt32BE(at + 8) + Number(ticks), at + 8);
  }
  return copy;
}

/** From one segment on the stream comes from another encoder: a discontinuity, a new initialisation segment and other times. */
function anotherEncoder(): Trick {
  let from = NaN;
  const rewritten = rewriting((text) => {
    if (Number.isNaN(from)) from = soonAfter(text);
    const lines = text.split('\n');
    const map = lines.findIndex((line) => line.startsWith('#EXT-X-MAP'));
    const other = lines[map]!.replace(/"$/, '&again"');
    const listed = lines.findIndex((line) => (placeOf(line)?.segment ?? -1) >= from);
    if (listed < 0) return text;
    if (placeOf(lines[listed]!)!.segment > from) {
      // The playlist begins after the change.
      lines[map] = other;
      return lines.join('\n').replace('DISCONTINUITY-SEQUENCE:0', 'DISCONTINUITY-SEQUENCE:1');
    }
    // The discontinuity comes before the date of the segment's first part.
    const first = lines.slice(0, listed).findLastIndex((line) => line.startsWith('#EXT-X-PROGRAM-DATE-TIME'));
    lines.splice(first, 0, '#EXT-X-DISCONTINUITY', other);
    return lines.join('\n');
  });
  return async (asked, pass, range) => {
    const answer = await rewritten(asked, pass, range);
    const place = placeOf(asked.pathname);
    return place && place.segment >= from ? { ...answer, body: moved(answer.body, 1_000_000n) } : answer;
  };
}

/** Segments of 6 s, without low latency. */
const plain: Trick = async (asked, pass) => {
  const joined = /^(.*\/)joined(\d+)\.m4s$/.exec(asked.pathname);
  if (joined) {
    const [, folder = '', number = ''] = joined;
    const first = Number(number) * JOINED_SEGMENTS;
    const parts = await Promise.all(
      Array.from({ length: JOINED_SEGMENTS }, (_, i) =>
        pass(new URL(`${folder}${first + i}.m4s${asked.search}`, asked)),
      ),
    );
    const failed = parts.find(({ status }) => status !== 200);
    return failed ?? { ...parts[0]!, body: Buffer.concat(parts.map(({ body }) => body)) };
  }
  const answer = await pass(asked);
  if (!isPlaylist(asked) || answer.status !== 200) return answer;
  const text = textOf(answer);
  const query = asked.search;
  const map = /#EXT-X-MAP:.*/.exec(text)?.[0] ?? '';
  const numbers = Array.from(text.matchAll(/^(\d+)\.m4s/gm), ([, number]) => Number(number));
  const whole = (row: number): boolean =>
    Array.from({ length: JOINED_SEGMENTS }, (_, i) => row * JOINED_SEGMENTS + i).every((n) =>
      numbers.includes(n),
    );
  const rows = [...new Set(numbers.map((number) => Math.floor(number / JOINED_SEGMENTS)))].filter(whole);
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:6'];
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${rows[0] ?? 0}`, map);
  for (const row of rows) lines.push('#EXTINF:6.00000,', `joined${row}.m4s${query}`);
  return withText(answer, `${lines.join('\n')}\n`);
};

/** The same rendition twice. */
const twoRenditions: Trick = async (asked, pass) => {
  const answer = await pass(asked);
  if (!asked.pathname.endsWith('/main.m3u8')) return answer;
  const text = textOf(answer);
  const [, inf = '', uri = ''] = /(#EXT-X-STREAM-INF:.*)\n(.*)/.exec(text) ?? [];
  const other = inf.replace(/BANDWIDTH=\d+/, 'BANDWIDTH=200000');
  return withText(answer, `${text}${other}\n${uri}&low\n`);
};

/** The tricks by their names in the tables. */
export const hostile: Readonly<Record<string, () => Trick>> = {
  nothing: () => (asked, pass) => pass(asked),
  'older copies': olderCopies,
  'parts that are gaps': gaps,
  'no blocking reload': () => notBlocking,
  'no hints': withoutHints,
  'a part that is 404 once': lostParts,
  'stands for 10 s': () => standing(false),
  'holds for 10 s': () => standing(true),
  'another encoder': anotherEncoder,
  'dates jump by an hour': () => datesThatJump(HOUR_MS),
  'dates jump back by an hour': () => datesThatJump(-HOUR_MS),
  'a clock an hour off': () => rewriting((text) => dated(text, 0, -HOUR_MS)),
  'two renditions': () => twoRenditions,
  'plain 6 s segments': () => plain,
};
