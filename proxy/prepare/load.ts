// Loads what a site serves: pages, sitemaps, lists, robots.txt and style sheets.
// - 20 s for an answer of at most 10 MB.
// - What a page or a sitemap names is not trusted: a redirect stays on its site, so that no page sends this program to
//   another machine, such as the metadata service of a cloud. At most 5 redirects.
// - A style sheet of another site is loaded when all addresses of its host are public.
import { lookup } from 'node:dns/promises';
import { httpUrl } from '../../src/protocol/http-url.ts';
import { isPublicAddress } from '../addresses.ts';

const ANSWER_MS = 20_000;
const MOST_BYTES = 10_000_000;
const MOST_REDIRECTS = 5;

/** Why a source cannot be read, in words that follow its name. */
export class SourceError extends Error {
  /** Of the answer; null without one. */
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

/** Of two addresses on one site the host is the same, with `www.` or without it; so is a port that is no default. */
export function isSameSite(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.hostname.replace(/^www\./, '') === b.hostname.replace(/^www\./, '') && a.port === b.port;
}

/** @throws SourceError */
export async function load(url: string): Promise<Loaded> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const headers = { 'user-agent': 'sign-prepare' };
  try {
    let at = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(at, { signal, headers, redirect: 'manual' });
      const { status } = response;
      const place = status >= 300 && status < 400 ? response.headers.get('location') : null;
      if (place === null) {
        const body = await bodyOf(response);
        if (!response.ok) throw new SourceError(`answers ${status}`, status);
        return { body, type: response.headers.get('content-type') ?? '', url: at };
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

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new SourceError(`is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A style sheet that a page names. @throws SourceError */
export async function loadStyle(url: string, page: string): Promise<string> {
  if (!isSameSite(url, page) && !(await isPublic(url))) throw new SourceError('is on no public host');
  return (await load(url)).body;
}

async function isPublic(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
}
