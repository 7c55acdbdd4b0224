// The CDN of the sandbox: an HTTP origin of its own that serves finished clips. Policy: only presigned addresses are
// served (403 after expiry or with a wrong signature, 404 for what is gone); any page may read (CORS `*`, no cookies),
// ranges included; nothing else is here. Unlike all else of the sandbox it may listen beyond loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { byteRange } from './byte-range.ts';
import type { ClipStore } from './clip-store.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import { isPresigned } from './presigned-url.ts';

const clipPath = /^\/clips\/([0-9a-f]{32})\.mp4$/;

/** Path of a clip on this origin, before it is signed. */
export const pathOfClip = (name: string): string => `/clips/${name}.mp4`;

export interface MediaOrigin {
  readonly clips: ClipStore;
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** Secret of the presigned URLs. */
  readonly secret: string;
}

const everyAnswer = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

const preflight = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range',
  'Access-Control-Max-Age': '600',
};

function answer(origin: MediaOrigin, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, headers: Record<string, string>, body: Uint8Array | string = ''): void => {
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, { ...everyAnswer, 'Content-Length': length, ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const refuse = (status: number, why: string, headers: Record<string, string> = {}): void =>
    send(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...headers }, why);

  if (request.method === 'OPTIONS') return send(204, preflight);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(405, 'GET, HEAD or OPTIONS', { Allow: 'GET, HEAD, OPTIONS' });
  }
  const base = 'http://media.invalid';
  if (!URL.canParse(request.url ?? '', base)) return refuse(400, 'no address');
  const url = new URL(request.url ?? '', base);
  const name = clipPath.exec(url.pathname)?.[1];
  if (name === undefined) return refuse(404, 'not found');
  if (!isPresigned(origin.secret, url, origin.clock.now())) return refuse(403, 'expired or not signed');
  if (origin.faults.take('media_refused')) return refuse(403, 'refused on purpose');
  if (origin.faults.take('media_not_video')) {
    return send(
      200,
      { 'Content-Type': 'text/html; charset=utf-8' },
      '<!doctype html><title>Not a video</title>',
    );
  }
  const clip = origin.clips.named(name);
  if (!clip) return refuse(404, 'not found');

  const { bytes } = clip;
  const headers = {
    'Content-Type': 'video/mp4',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=300',
    ETag: `"${name}"`,
  };
  const range = byteRange(request.headers.range, bytes.length);
  if (range === 'unsatisfiable') {
    return refuse(416, 'no such range', { 'Content-Range': `bytes */${bytes.length}` });
  }
  if (!range) return send(200, headers, bytes);
  const { from, to } = range;
  send(
    206,
    { ...headers, 'Content-Range': `bytes ${from}-${to}/${bytes.length}` },
    bytes.subarray(from, to + 1),
  );
}

export const createMediaServer = (origin: MediaOrigin): Server =>
  createServer((request, response) => answer(origin, request, response));
