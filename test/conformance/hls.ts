// Reads HLS playlists (RFC 8216 and its low-latency update) as far as the documents describe them.
// - A multivariant playlist is followed to its first variant.
// - A playlist that is still empty is requested again, every 200 ms, for four minutes at most, because segments land
//   while the job runs.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { open } from './http.ts';
import { LONGEST_WAIT_MS } from './until.ts';

const PAUSE_MS = 200;

interface Segment {
  readonly url: string;
  /** Seconds. */
  readonly duration: number;
  /** The segment does not continue the one before: a late service has skipped some time. */
  readonly discontinuity: boolean;
}

export interface Playlist {
  readonly url: string;
  readonly segments: readonly Segment[];
  /** Number of the first segment. */
  readonly mediaSequence: number;
  /** Address of the init segment, null when there is none. */
  readonly map: string | null;
  /** Seconds of the longest part, null when the playlist has no parts. */
  readonly partTarget: number | null;
  readonly parts: number;
  /** Every address inside it: init segment, segments, parts, and the hinted part. */
  readonly inside: readonly string[];
  readonly blocksReload: boolean;
  readonly ended: boolean;
}

const quoted = (line: string, attribute: string): string | undefined =>
  new RegExp(`[:,]${attribute}="([^"]*)"`).exec(line)?.[1];

async function textOf(url: string): Promise<string | null> {
  const response = await open(url);
  const text = await response.text();
  // 503 is accepted too, because a service waits only for a limited time until a playlist begins.
  if (response.status === 404 || response.status === 503) return null;
  assert.equal(response.status, 200, 'the playlist is served');
  assert.match(text, /^#EXTM3U\r?\n/, 'a playlist begins with #EXTM3U');
  return text;
}

function parse(url: string, text: string): Playlist {
  const lines = text.split(/\r?\n/);
  const value = (tag: string): string | undefined =>
    lines.find((line) => line.startsWith(`#${tag}:`))?.slice(tag.length + 2);
  const segments: Segment[] = [];
  let duration: number | null = null;
  let discontinuity = false;
  for (const line of lines) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuity = true;
    else if (line.startsWith('#EXTINF:')) duration = parseFloat(line.slice('#EXTINF:'.length));
    else if (duration !== null && line !== '' && !line.startsWith('#')) {
      segments.push({ url: new URL(line, url).href, duration, discontinuity });
      duration = null;
      discontinuity = false;
    }
  }
  const inside = lines.flatMap((line) => (line.startsWith('#') ? quoted(line, 'URI') : line) || []);
  const map = lines.find((line) => line.startsWith('#EXT-X-MAP:'));
  const partTarget = /PART-TARGET=([\d.]+)/.exec(value('EXT-X-PART-INF') ?? '')?.[1];
  return {
    url,
    segments,
    mediaSequence: Number(value('EXT-X-MEDIA-SEQUENCE') ?? 0),
    map: map === undefined ? null : new URL(quoted(map, 'URI')!, url).href,
    partTarget: partTarget === undefined ? null : Number(partTarget),
    parts: lines.filter((line) => line.startsWith('#EXT-X-PART:')).length,
    inside: inside.map((address) => new URL(address, url).href),
    blocksReload: /CAN-BLOCK-RELOAD=YES/.test(value('EXT-X-SERVER-CONTROL') ?? ''),
    ended: lines.includes('#EXT-X-ENDLIST'),
  };
}

/** The present media playlist; null when there is none yet. */
async function mediaPlaylist(url: string): Promise<Playlist | null> {
  const text = await textOf(url);
  if (text === null || !text.includes('#EXT-X-STREAM-INF:')) return text === null ? null : parse(url, text);
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  return mediaPlaylist(new URL(lines[at + 1]!, url).href);
}

/** Polls the playlist until it meets the condition. @throws Error after four minutes */
export async function playlistOnce(
  url: string,
  isExpected: (playlist: Playlist) => boolean,
): Promise<Playlist> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < deadline) {
    const playlist = await mediaPlaylist(url);
    if (playlist && isExpected(playlist)) return playlist;
    await wait(PAUSE_MS);
  }
  throw new Error('the playlist did not become what it should within four minutes');
}
