// A small web server with an HLS source, VOD or live: segments of 2 s out of a file, cut by FFmpeg, and other files of
// a test. A live playlist grows with the clock, three segments at a time, from its first request.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { listening } from '../../../listening.ts';
import { ffmpegNow } from './stamped-source.ts';

const SEGMENT_SECONDS = 2;
const LISTED = 3;
/** The first timestamp of FFmpeg's MPEG-TS, in seconds. */
export const FIRST_SECOND = 1.4;

interface HlsOrigin {
  readonly url: string;
  /** From now on every request is answered with 503, until a call with false. */
  fail(fails: boolean): void;
}

/** @param more files by name */
export async function hlsOrigin(
  t: TestContext,
  folder: string,
  source: string,
  { live = false, more = {} }: { live?: boolean; more?: Readonly<Record<string, string>> } = {},
): Promise<HlsOrigin> {
  const cut = ['-hls_time', String(SEGMENT_SECONDS), '-hls_playlist_type', 'vod'];
  ffmpegNow(['-i', source, '-c', 'copy', '-f', 'hls', ...cut, join(folder, 'vod.m3u8')]);
  const vod = readFileSync(join(folder, 'vod.m3u8'), 'utf8');
  const names = vod.split('\n').filter((line) => line.endsWith('.ts'));
  const files = new Map<string, string | Buffer>(Object.entries(more));
  for (const file of readdirSync(folder)) files.set(file, readFileSync(join(folder, file)));
  let began: number | null = null;
  let fails = false;

  const growing = (): string => {
    began ??= performance.now();
    const there = 1 + Math.floor((performance.now() - began) / 1000 / SEGMENT_SECONDS);
    const first = Math.max(0, Math.min(there, names.length) - LISTED);
    const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${SEGMENT_SECONDS}`];
    const listed = names.slice(first, there).flatMap((name) => [`#EXTINF:${SEGMENT_SECONDS},`, name]);
    return [...head, `#EXT-X-MEDIA-SEQUENCE:${first}`, ...listed, ''].join('\n');
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const file = live && name === 'live.m3u8' ? growing() : files.get(name);
    response.statusCode = fails ? 503 : file === undefined ? 404 : 200;
    response.end(response.statusCode === 200 ? file : undefined);
  });
  const origin = await listening(t, server);
  return {
    url: `${origin}/${live ? 'live' : 'vod'}.m3u8`,
    fail: (now) => (fails = now),
  };
}
