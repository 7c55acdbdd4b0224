// Loads what a site serves: pages, sitemaps, lists, robots.txt and style sheets.
// - 20 s for an answer of at most 10 MB; a sitemap has at most 50 MB (sitemaps.org 0.9), also when it is unpacked from gzip.
// - What a page or a sitemap names is not trusted: a redirect stays on its site, so that no page sends this program to
//   another machine, such as the metadata service of a cloud. At most 5 redirects.
// - Each file has a connection of its own: to read a page may take seconds, and after these a server may close an idle connection
//   just when the next request is sent on it.
// - A style sheet of another site is loaded when all addresses of its host are public (public-fetch.ts).
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { httpUrl } from '../../src/protocol/http-url.ts';
import { decodeText } from './encoding.ts';
import { fetchPublic } from './public-fetch.ts';

const ANSWER_MS = 20_000;
export const MOST_BYTES = 10_000_000;
export const MOST_SITEMAP_BYTES = 52_428_800;
const MOST_REDIRECTS = 5;

/** Why a source cannot be read, in words that follow its name. */
export class SourceError extends Error {
  /** The status of the answer; null without one. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export interface Loaded {
  readonly body: string;
  readonly type: string;
  /** After redirects. */
  readonly url: string;
}

interface LoadOptions {
  readonly mostBytes?: number;
  /** Ends the loading. */
  readonly stop?: AbortSignal;
  /** Whether the host has to be public. */
  readonly isPublic?: boolean;
}

/** True for two addresses of one site: the same host, with `www.` or without it, and the same port. */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.hostname.replace(/^www\./, '') === b.hostname.replace(/^www\./, '') && a.port === b.port;
}

const tooLarge = (mostBytes: number): SourceError => new SourceError(`is larger than ${mostBytes} bytes`);

/** @throws SourceError */
export async function load(
  url: string,
  { mostBytes = MOST_BYTES, stop, isPublic = false }: LoadOptions,
): Promise<Loaded> {
  const inTime = AbortSignal.timeout(ANSWER_MS);
  const signal = stop ? AbortSignal.any([inTime, stop]) : inTime;
  const headers = { 'user-agent': 'sign-prepare', connection: 'close' };
  try {
    let at = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = isPublic
        ? await fetchPublic(at, { signal, headers })
        : await fetch(at, { signal, headers, redirect: 'manual' });
      const { status } = response;
      const place = status >= 300 && status < 400 ? response.headers.get('location') : null;
      if (place === null) {
        const bytes = await bytesOf(response, mostBytes);
        if (!response.ok) throw new SourceError(`answers ${status}`, status);
        const type = response.headers.get('content-type') ?? '';
        return { body: await textOf(bytes, type, mostBytes), type, url: at };
      }
      await response.body?.cancel();
      const next = httpUrl(place, at);
      if (next === null || !isSameSite(at, next))
        throw new SourceError(`redirects to another site (${place})`, status);
      if (redirects === MOST_REDIRECTS)
        throw new SourceError(`redirects more than ${MOST_REDIRECTS} times`, status);
      at = next;
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { cause, name, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = name === 'TimeoutError' ? 'no answer in 20 s' : (cause?.code ?? message);
    throw new SourceError(`is not reached (${why})`);
  }
}

async function bytesOf(response: Response, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unpack = promisify(gunzip);

/** The text of a file, which may be packed by gzip. @throws SourceError */
export async function textOf(bytes: Uint8Array, type: string, mostBytes: number): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodeText(bytes, type);
  try {
    return decodeText(await unpack(bytes, { maxOutputLength: mostBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(mostBytes)
      : new SourceError(`is no whole gzip file (${code})`);
  }
}

/** A style sheet that a page names. @throws SourceError */
export async function loadStyle(url: string, page: string): Promise<string> {
  if (httpUrl(url) === null) throw new SourceError('is no page of a site');
  return (await load(url, { isPublic: !isSameSite(url, page) })).body;
}
