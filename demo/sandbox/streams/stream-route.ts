// Streams on the media origin, under `/streams/<id>/`.
// - One signature, in the query of an address, is valid for everything under a stream's prefix. Every address inside the stream's
//   manifests carries it (document 2, live session object).
// - The answer to a request for a part does not contain the end of the stream; the next reload does. hls.js (1.7.4) leaves out
//   parts of the last segment when one answer contains that segment and the end.
// - Playlists and the MPD are not cached. All other files never change.
// - A request for a manifest waits until there is a segment. A blocking reload and a request for the announced part wait until the
//   part is there. Each waits for at most three target durations; then the answer is 503.
import type { SandboxClock } from '../clock.ts';
import { notFound, type MediaFile, type MediaRoute, type Refusal } from '../media/media-origin.ts';
import { isPresigned } from '../media/signed-url.ts';
import {
  INIT_SEGMENT,
  isListed,
  isTooFar,
  MEDIA_PLAYLIST,
  mediaPlaylist,
  multivariantPlaylist,
  nextPart,
  reloadRequest,
} from './hls-playlist.ts';
import { join } from './fmp4.ts';
import { dashManifest } from './dash-manifest.ts';
import type { GrowingStream } from './growing-stream.ts';
import { targetDuration } from './segment-window.ts';
import { hasParts, type Part } from './stream-spec.ts';

const MULTIVARIANT_PLAYLIST = 'main.m3u8';
export const DASH_MANIFEST = 'manifest.mpd';

const HLS = 'application/vnd.apple.mpegurl';
const DASH = 'application/dash+xml';

const address = /^\/streams\/([0-9a-f]{32})\/([a-z0-9.]{1,40})$/;
const segmentFile = /^(\d{1,9})\.(?:(\d{1,3})\.)?(m4s|ts)$/;

export const prefixOf = (id: string): string => `/streams/${id}/`;

const tooLong: Refusal = { status: 503, why: 'not there in time' };
const notBegun: Refusal = { status: 503, why: 'not begun yet' };

const media = (type: string, bytes: Uint8Array): MediaFile => ({
  type,
  bytes,
  cacheControl: 'private, max-age=3600, immutable',
  tag: null,
});
const manifest = (type: string, text: string): MediaFile => ({
  type,
  bytes: Buffer.from(text),
  cacheControl: 'no-store',
  tag: null,
});

interface StreamAddresses {
  readonly clock: SandboxClock;
  /** Secret of the signatures. */
  readonly secret: string;
  /** A stream that is still served. */
  named(id: string): GrowingStream | undefined;
  /** True for a stream that is expected and has not begun. */
  isAwaited(id: string): boolean;
}

async function manifestOf(
  stream: GrowingStream,
  name: string,
  url: URL,
  gone: AbortSignal,
): Promise<MediaFile | Refusal> {
  const { spec, segments } = stream;
  const longestWait = 3 * targetDuration(spec);
  const parted = hasParts(spec);
  const isBegun = (): boolean =>
    segments.newest !== undefined && (segments.newest.isComplete || segments.newest.number > 0);
  /** True when the requested segment or part is there; then only the next reload contains the end. */
  let hidesEnd = false;
  if (name === MEDIA_PLAYLIST && parted) {
    const reload = reloadRequest(url.searchParams);
    if (reload === 'wrong') return { status: 400, why: '_HLS_msn and _HLS_part: whole numbers' };
    if (reload) {
      if (!stream.hasEnded && isTooFar(segments.newest, reload)) return { status: 400, why: 'too far ahead' };
      if (!(await stream.until(() => isListed(segments.newest, reload), longestWait, gone))) return tooLong;
      hidesEnd = isListed(segments.newest, reload);
    }
  }
  if (!(await stream.until(isBegun, longestWait, gone))) return tooLong;
  const all = stream.view(signatureOf(url));
  if (!all) return notFound;
  const view = hidesEnd && all.hasEnded ? { ...all, hasAll: true, hasEnded: false } : all;
  // Frames are due by the machine's clock, so a stream that has begun keeps its time when the sandbox's clock is moved.
  if (name === DASH_MANIFEST) return manifest(DASH, dashManifest(view, Date.now() + stream.ahead));
  if (name === MULTIVARIANT_PLAYLIST) return manifest(HLS, multivariantPlaylist(view));
  return manifest(HLS, mediaPlaylist(view, url.searchParams.get('_HLS_skip') === 'YES'));
}

/** Only the signature, without parameters that a player has added to the address. */
function signatureOf({ searchParams }: URL): string {
  const signature = new URLSearchParams();
  for (const name of ['expires', 'signature']) signature.set(name, searchParams.get(name) ?? '');
  return `?${signature.toString()}`;
}

async function fileOf(stream: GrowingStream, name: string, gone: AbortSignal): Promise<MediaFile | Refusal> {
  const { spec, segments } = stream;
  if (name === INIT_SEGMENT) return stream.init ? media('video/mp4', stream.init) : notFound;
  const [, digits, partDigits, type] = segmentFile.exec(name) ?? [];
  if (digits === undefined || (type === 'ts' && spec.segmentType !== 'ts')) return notFound;
  const number = Number(digits);
  if (partDigits === undefined) {
    const segment = segments.named(number);
    if (!segment?.isComplete) return notFound;
    const bytesOf = (part: Part): Uint8Array => (type === 'ts' ? part.ts! : part.bytes);
    return media(type === 'ts' ? 'video/mp2t' : 'video/mp4', join(...segment.parts.map(bytesOf)));
  }
  if (!hasParts(spec) || type === 'ts') return notFound;
  const index = Number(partDigits);
  const find = (): Part | undefined => segments.named(number)?.parts[index];
  const next = nextPart(segments.listed);
  if (next.segment === number && next.part === index) {
    const longestWait = 3 * targetDuration(spec);
    if (!(await stream.until(() => find() !== undefined, longestWait, gone))) return tooLong;
  }
  const part = find();
  return part ? media('video/mp4', part.bytes) : notFound;
}

export function streamRoute({ clock, secret, named, isAwaited }: StreamAddresses): MediaRoute {
  return {
    owns: (path) => address.test(path),
    permits(url) {
      const prefix = new URL(url);
      prefix.pathname = prefixOf(address.exec(url.pathname)?.[1] ?? '');
      return isPresigned(secret, prefix, clock.now());
    },
    file({ href }, gone) {
      const url = new URL(href);
      const [, id = '', name = ''] = address.exec(url.pathname) ?? [];
      const stream = named(id);
      if (!stream) return isAwaited(id) ? notBegun : notFound;
      const isManifest = [MEDIA_PLAYLIST, MULTIVARIANT_PLAYLIST, DASH_MANIFEST].includes(name);
      return isManifest ? manifestOf(stream, name, url, gone) : fileOf(stream, name, gone);
    },
  };
}
