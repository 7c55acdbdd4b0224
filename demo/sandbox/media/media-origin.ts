// The CDN of the sandbox: an HTTP origin of its own for finished files and for streams.
// - A route knows its files and their signatures; methods, CORS, ranges and the media faults are the same for every route.
// - Only signed addresses are served: 403 after expiry or with a wrong signature, 404 for a file that no longer exists. Media
//   faults apply only to addresses with a valid signature, so that they reveal nothing about other addresses.
// - Any page may read the answers (CORS `*`, no cookies). One range is served (RFC 9110, 14.2). A header with another unit, with
//   several ranges or without meaning is ignored, as the RFC allows.
// - Unlike the rest of the sandbox it may listen beyond loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { deliver } from './delivery.ts';
import type { SandboxClock } from '../clock.ts';
import type { Fault } from '../fault-table.ts';
import type { FaultsInForce } from '../faults.ts';

type HostFault = Extract<Fault, { fault: 'media_host' }>;

/** A whole file; the origin cuts ranges out of it. */
export interface MediaFile {
  /** MIME type. */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** `Cache-Control` of the answer. */
  readonly cacheControl: string;
  /** Strong entity tag without its quotes, for bytes that never change; null for a file that grows. */
  readonly tag: string | null;
}

/** Why there is no file: status 400 to 599 and a sentence, sent as plain text that is not to be cached. */
export interface Refusal {
  readonly status: number;
  readonly why: string;
}

export interface MediaRoute {
  /** True for a path of this route. The first route that returns true answers. */
  owns(path: string): boolean;
  /** True for an address with a signature that is valid now; else the origin answers 403. */
  permits(url: URL): boolean;
  /**
   * The file at this address, at once or when it exists (blocking reload, preload hints).
   * @param gone aborts when the client has gone away or the server closes; nothing may wait after that
   */
  file(url: URL, gone: AbortSignal): MediaFile | Refusal | Promise<MediaFile | Refusal>;
}

export const notFound: Refusal = { status: 404, why: 'not found' };

export interface MediaOrigin {
  readonly routes: readonly MediaRoute[];
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
}

const everyAnswer = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, Date, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

const preflight = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range',
  'Access-Control-Max-Age': '600',
};

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const nothing = new Uint8Array();

const refusal = ({ status, why }: Refusal, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...headers },
  body: Buffer.from(why),
});

const notVideo: Answer = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: Buffer.from('<!doctype html><title>Not a video</title>'),
};

/** The file, or the part of it that the `Range` header asks for. */
function partOf({ type, bytes, cacheControl, tag }: MediaFile, asked: string | undefined): Answer {
  const headers = {
    'Content-Type': type,
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    ...(tag !== null && { ETag: `"${tag}"` }),
  };
  const range = byteRange(asked, bytes.length);
  if (range === 'unsatisfiable') {
    return refusal({ status: 416, why: 'no such range' }, { 'Content-Range': `bytes */${bytes.length}` });
  }
  if (!range) return { status: 200, headers, body: bytes };
  const { from, to } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${from}-${to}/${bytes.length}` },
    body: bytes.subarray(from, to + 1),
  };
}

/** The answer in place of the file when a fault is in force, else null. */
function faultyAnswer(faults: FaultsInForce, request: IncomingMessage): Answer | null {
  if (faults.take('media_refused', ({ address = '' }) => request.url!.includes(address)))
    return refusal({ status: 403, why: 'refused on purpose' });
  const error = faults.take('media_error');
  if (error) return refusal({ status: error.status, why: 'failed on purpose' });
  return faults.take('media_not_video') ? notVideo : null;
}

/** The answer in place of the file from a host that redirects or demands a referrer; null when the file is sent. */
function hostAnswer(host: HostFault | null, url: URL, request: IncomingMessage): Answer | null {
  if (host?.referrer && !request.headers.referer) return refusal({ status: 403, why: 'no referrer' });
  const hops = Number(url.searchParams.get('hops'));
  if (hops >= (host?.redirects ?? 0)) return null;
  url.searchParams.set('hops', String(hops + 1));
  // The redirect is relative, because an account has its addresses below a path of its own.
  const Location = url.pathname.split('/').at(-1)! + url.search;
  return { status: 302, headers: { Location }, body: nothing };
}

async function answerTo(
  { routes, faults }: MediaOrigin,
  request: IncomingMessage,
  gone: AbortSignal,
  host: HostFault | null,
): Promise<Answer> {
  if (request.method === 'OPTIONS') return { status: 204, headers: preflight, body: nothing };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refusal({ status: 405, why: 'GET, HEAD or OPTIONS' }, { Allow: 'GET, HEAD, OPTIONS' });
  }
  const base = 'http://media.invalid';
  if (!URL.canParse(request.url ?? '', base)) return refusal({ status: 400, why: 'no address' });
  const url = new URL(request.url ?? '', base);
  const route = routes.find((each) => each.owns(url.pathname));
  if (!route) return refusal(notFound);
  if (!route.permits(url)) return refusal({ status: 403, why: 'expired or not signed' });
  const instead = hostAnswer(host, url, request) ?? faultyAnswer(faults, request);
  if (instead) return instead;
  const found = await route.file(url, gone);
  if ('why' in found) return refusal(found);
  const file = { ...found, ...(host?.type && { type: host.type }) };
  const answer = partOf(file, host?.ranges === false ? undefined : request.headers.range);
  const headers = { ...answer.headers };
  if (host?.ranges === false) delete headers['Accept-Ranges'];
  return { ...answer, headers };
}

async function serve(origin: MediaOrigin, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let answer: Answer;
  const host = origin.faults.take('media_host', ({ address = '' }) => request.url!.includes(address));
  try {
    answer = await answerTo(origin, request, gone.signal, host);
  } catch (error) {
    if (!gone.signal.aborted) console.error(error);
    answer = refusal({ status: 500, why: 'the sandbox failed' });
  }
  if (gone.signal.aborted) return;
  const { status, headers, body } = answer;
  const begin = (): void => {
    const all: Record<string, string> = { ...everyAnswer, 'Content-Length': String(body.length), ...headers };
    if (host?.length === false) delete all['Content-Length'];
    if (host?.cors === false) delete all['Access-Control-Allow-Origin'];
    response.writeHead(status, all);
  };
  const isMedia = request.method === 'GET' && status < 300 && body.length > 0;
  if (isMedia) return deliver({ body, begin, response, gone: gone.signal }, origin);
  begin();
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** @param originOf what answers a request; it may change the path */
export const createMediaServer = (originOf: (request: IncomingMessage) => MediaOrigin): Server =>
  createServer({ noDelay: true }, (request, response) => void serve(originOf(request), request, response));

/** First and last byte, both inside. */
interface ByteRange {
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
