// Where the texts come from: addresses of pages, sitemaps, HTML files, and lists of texts (a line each).
// - `.xml` is a sitemap (sitemaps.org 0.9), with the sitemaps that it names; `.txt` is a list; all else is a page.
// - robots.txt is obeyed (RFC 9309), for `sign-prepare`, else for all.
// - 20 s for an answer of at most 10 MB. What cannot be read is a problem that names it, and does not stop the rest.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { textKey } from '../../src/prepared/manifest.ts';
import { httpUrl } from '../../src/protocol/http-url.ts';
import { readTexts, type ReadOptions } from './page-texts.ts';
import { isAllowed } from './robots.ts';

const ANSWER_MS = 20_000;
const MOST_BYTES = 10_000_000;
/** Files are read as if they were served from here: only http(s) videos count (src/page/blocks.ts). */
const FILE_ORIGIN = 'http://files.invalid';

/** The texts of a site. */
export interface FoundTexts {
  /** By key: the text as it was found first, and the pages that have it. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly pages: readonly string[] }>;
  /** The pages that were read. */
  readonly pages: ReadonlySet<string>;
  /** What could not be read, each with its address and why. */
  readonly problems: readonly string[];
}

class SourceError extends Error {}

async function load(url: string): Promise<{ body: string; type: string; url: string }> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { 'user-agent': 'sign-prepare' },
    });
    body = await bodyOf(response);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { cause, name, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = name === 'TimeoutError' ? 'no answer in 20 s' : (cause?.code ?? message);
    throw new SourceError(`is not reached (${why})`);
  }
  if (!response.ok) throw new SourceError(`answers ${response.status}`);
  return { body, type: response.headers.get('content-type') ?? '', url: response.url };
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

/** Texts of a run, read one source after the other. */
export async function findTexts(
  sources: readonly string[],
  options: Omit<ReadOptions, 'loadStyle'>,
): Promise<FoundTexts> {
  const texts = new Map<string, { text: string; pages: string[] }>();
  const pages = new Set<string>();
  const problems: string[] = [];
  const styles = new Map<string, Promise<string | null>>();
  const robots = new Map<string, Promise<string>>();

  const loadStyle = (url: string): Promise<string | null> => {
    const known = styles.get(url);
    if (known) return known;
    const text = url.startsWith(FILE_ORIGIN)
      ? readFile(new URL(`file://${new URL(url).pathname}`), 'utf8')
      : load(url).then(({ body }) => body);
    const loading = text.catch(() => null);
    styles.set(url, loading);
    return loading;
  };
  const robotsOf = (origin: string): Promise<string> => {
    const known = robots.get(origin);
    if (known) return known;
    // Without a file all is allowed.
    const loading = load(`${origin}/robots.txt`).then(
      ({ body }) => body,
      () => '',
    );
    robots.set(origin, loading);
    return loading;
  };
  const add = (name: string, found: readonly string[]): void => {
    pages.add(name);
    for (const text of found) {
      const key = textKey(text);
      const known = texts.get(key);
      if (!known) texts.set(key, { text, pages: [name] });
      else if (!known.pages.includes(name)) known.pages.push(name);
    }
  };
  const readPage = async (name: string, url: string, html: string): Promise<void> =>
    add(name, await readTexts({ name, url, html }, { ...options, loadStyle }));

  const readAddress = async (address: string): Promise<void> => {
    const { origin, pathname, search } = new URL(address);
    if (!isAllowed(await robotsOf(origin), pathname + search))
      throw new SourceError('is not allowed by robots.txt');
    const { body, type, url } = await load(address);
    if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type))
      throw new SourceError(`is not HTML (${type || 'no type'})`);
    await readPage(address, url, body);
  };

  const visited = new Set<string>();
  const readSource = async (source: string): Promise<void> => {
    if (visited.has(source)) return;
    visited.add(source);
    const address = httpUrl(source);
    const path = address ? new URL(address).pathname : source;
    try {
      if (/\.xml$/i.test(path)) {
        const sitemap = address ? (await load(address)).body : await file(source);
        const places = [
          ...sitemap.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*<\/loc>/gi),
        ];
        if (places.length === 0) throw new SourceError('is a sitemap without a page');
        for (const [, place] of places) await readSource(place!.replaceAll('&amp;', '&'));
      } else if (/\.txt$/i.test(path)) {
        const list = address ? (await load(address)).body : await file(source);
        add(
          source,
          list
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        );
      } else if (address) await readAddress(address);
      else await readPage(source, FILE_ORIGIN + pathToFileURL(source).pathname, await file(source));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.push(`${source} ${error.message}`);
    }
  };
  for (const source of sources) await readSource(source);
  return { texts, pages, problems };
}

async function file(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SourceError(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
