// Where the texts come from: addresses of pages, sitemaps, HTML files, and lists of texts (a line each).
// - `.xml` is a sitemap (sitemaps.org 0.9), with the sitemaps that it names, and so is an answer that has the root of one;
//   `.txt` is a list; all else is a page. Each may be packed (`.gz`).
// - A sitemap of a site names pages of that site only, and no file of this machine; 50,000 of them are read.
// - robots.txt is obeyed (RFC 9309): its rules for `sign-prepare`, else those for all. Where it is not reached, nothing is read.
//   Sitemaps and lists on the command line are read in any case.
// - What cannot be read is a problem that names it, and does not stop the rest.
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { textKey } from '../../src/protocol/prepared-manifest.ts';
import { httpUrl } from '../../src/protocol/http-url.ts';
import {
  isSameSite,
  load,
  loadStyle,
  MOST_BYTES,
  MOST_SITEMAP_BYTES,
  SourceError,
  textOf,
  type Loaded,
} from './load.ts';
import { readTexts, type ReadOptions } from './page-texts.ts';
import { isAllowed } from './robots.ts';
import { isSitemap, placesIn } from './sitemap.ts';

/** Files are read as if they were served from here: only http(s) videos count (src/page/blocks.ts). */
const FILE_ORIGIN = 'http://files.invalid';

const MOST_SOURCES = 50_000;
/** Levels: an index of sitemaps, and its sitemaps. */
const DEEPEST = 2;

/** The texts of a site. */
export interface FoundTexts {
  /** By key: the text as it was found first, and the pages that have it. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly pages: readonly string[] }>;
  /** The pages that were read. */
  readonly pages: ReadonlySet<string>;
  /** What could not be read, each with its address and why. */
  readonly problems: readonly string[];
}

interface FindOptions {
  /** Begins no further source, and ends the loading of one. */
  readonly stop: AbortSignal;
  /** Called for each page that was read. */
  readonly reading?: (pages: number, texts: number) => void;
}

type Options = Omit<ReadOptions, 'loadStyle'> & FindOptions;

/** Texts of a run, read one source after the other. */
export async function findTexts(sources: readonly string[], options: Options): Promise<FoundTexts> {
  const finder = new TextFinder(options);
  for (const source of sources) await finder.read(source);
  if (options.stop.aborted) finder.problems.push('it was stopped: not all sources were read');
  return finder;
}

class TextFinder implements FoundTexts {
  readonly texts = new Map<string, { text: string; pages: string[] }>();
  readonly pages = new Set<string>();
  readonly problems: string[] = [];
  readonly #options: Options;
  readonly #styles = new Map<string, Promise<string | null>>();
  /** The text of robots.txt, by origin. */
  readonly #robots = new Map<string, Promise<string>>();
  readonly #visited = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  async read(named: string, depth = 0): Promise<void> {
    const { stop } = this.#options;
    const address = withoutPart(httpUrl(named));
    const source = address ?? nameOf(named);
    if (this.#visited.has(source) || stop.aborted) return;
    this.#visited.add(source);
    try {
      await this.#readAs(source, address, depth);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!stop.aborted) this.problems.push(`${source} ${error.message}`);
    }
  }

  /** @param address null for a file of this machine */
  async #readAs(source: string, address: string | null, depth: number): Promise<void> {
    const { stop } = this.#options;
    // The sources on the command line are read in any case; what a sitemap names is read under the rules for crawlers.
    if (address && depth > 0) await this.#checkRobots(address);
    const path = (address ? new URL(address).pathname : source).replace(/\.gz$/i, '');
    if (/\.xml$/i.test(path)) {
      const loading = address && load(address, { mostBytes: MOST_SITEMAP_BYTES, stop });
      await this.#readSitemap(source, (await loading) || null, depth);
    } else if (/\.txt$/i.test(path))
      this.#add(source, linesOf(address ? await loadList(address, stop) : await textOfFile(source)));
    else if (address) await this.#readAddress(address, depth);
    else await this.#readPage(source, FILE_ORIGIN + pathToFileURL(source).pathname, await pageFile(source));
  }

  async #readAddress(address: string, depth: number): Promise<void> {
    await this.#checkRobots(address);
    const loaded = await load(address, { stop: this.#options.stop });
    const { body, type, url } = loaded;
    if (!/html/i.test(type) && isSitemap(body)) return this.#readSitemap(address, loaded, depth);
    if (url !== address) await this.#checkRobots(url);
    if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type))
      throw new SourceError(`is not HTML (${type || 'no type'})`);
    await this.#readPage(address, url, body);
  }

  /** @param loaded null for a file of this machine */
  async #readSitemap(source: string, loaded: Loaded | null, depth: number): Promise<void> {
    if (depth >= DEEPEST) throw new SourceError('is a sitemap in a sitemap in a sitemap');
    const places = placesIn(loaded?.body ?? (await textOfFile(source, MOST_SITEMAP_BYTES)));
    if (places.length === 0) throw new SourceError('is a sitemap without a page');
    const isOurs = (place: string): boolean =>
      httpUrl(place) !== null && (loaded === null || isSameSite(place, source));
    const others = places.filter((place) => !isOurs(place));
    if (others.length > 0)
      this.problems.push(
        `${source} names ${others.length} that are no pages of its site, such as ${JSON.stringify(others[0])}`,
      );
    for (const place of places.filter(isOurs)) {
      if (this.#visited.size > MOST_SOURCES) throw new SourceError(`names more than ${MOST_SOURCES} pages`);
      await this.read(place, depth + 1);
    }
  }

  async #readPage(name: string, url: string, html: string): Promise<void> {
    let found: string[];
    try {
      found = await readTexts(
        { url, html },
        { ...this.#options, loadStyle: (style) => this.#styleOf(url, style) },
      );
    } catch (error) {
      // The parser fails on some pages, such as one with thousands of nested elements.
      throw new SourceError(`cannot be read (${(error as Error).message})`);
    }
    this.#add(name, found);
  }

  #add(name: string, found: readonly string[]): void {
    this.pages.add(name);
    for (const text of found) {
      const key = textKey(text);
      const known = this.texts.get(key);
      if (!known) this.texts.set(key, { text, pages: [name] });
      else if (known.pages.at(-1) !== name) known.pages.push(name);
    }
    this.#options.reading?.(this.pages.size, this.texts.size);
  }

  #styleOf(page: string, url: string): Promise<string | null> {
    const known = this.#styles.get(url);
    if (known) return known;
    const isFile = page.startsWith(`${FILE_ORIGIN}/`) && url.startsWith(`${FILE_ORIGIN}/`);
    const text = isFile ? textOfFile(fileURLToPath(`file://${new URL(url).pathname}`)) : loadStyle(url, page);
    const loading = text.catch(() => null);
    this.#styles.set(url, loading);
    return loading;
  }

  async #checkRobots(address: string): Promise<void> {
    const { origin, pathname, search } = new URL(address);
    if (!isAllowed(await this.#robotsOf(origin), pathname + search))
      throw new SourceError('is not allowed by robots.txt');
  }

  #robotsOf(origin: string): Promise<string> {
    const known = this.#robots.get(origin);
    if (known) return known;
    const loading = load(`${origin}/robots.txt`, { stop: this.#options.stop }).then(
      ({ body }) => body,
      (error: SourceError) => {
        // RFC 9309, 2.3.1.3 and 2.3.1.4: a site without the file allows everything; a site whose file cannot be had, nothing.
        if (error.status !== null && error.status >= 400 && error.status < 500) return '';
        throw error.status === null ? error : new SourceError(`has a robots.txt that ${error.message}`);
      },
    );
    this.#robots.set(origin, loading);
    return loading;
  }
}

/** An address without its fragment, which names a place in the same page. */
const withoutPart = (address: string | null): string | null => address && address.replace(/#.*/s, '');

/** A path inside the working directory is made relative to it, because an edition is public; another path stays as it is. */
function nameOf(path: string): string {
  const inside = relative(process.cwd(), resolve(path));
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/');
}

const linesOf = (list: string): string[] =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

async function loadList(address: string, stop: AbortSignal): Promise<string> {
  const { body, type } = await load(address, { stop });
  if (/html/i.test(type)) throw new SourceError(`is not a list of texts (${type})`);
  return body;
}

async function textOfFile(path: string, mostBytes = MOST_BYTES): Promise<string> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path).then((found) => {
      // A pipe or a device may have no end.
      if (found.isFile()) return found;
      throw new SourceError(found.isDirectory() ? 'is a folder' : 'is no file');
    });
    if (size > mostBytes) throw new SourceError(`is larger than ${mostBytes} bytes`);
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return textOf(bytes, '', mostBytes);
}

/** The content of a file that is named like a page or begins like one, because `folder/*` in a shell also names pictures. */
async function pageFile(path: string): Promise<string> {
  const html = await textOfFile(path);
  if (html.includes('\0') || !(/\.x?html?$/i.test(path) || html.trimStart().startsWith('<')))
    throw new SourceError('is not HTML');
  return html;
}
