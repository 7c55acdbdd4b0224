// Fetches parts of low-latency HLS before hls.js asks for them, and gives them to its loader.
// - It fetches the next part (RFC 8216bis, EXT-X-PRELOAD-HINT): the server holds the request until the part exists, which saves a
//   round trip. A hinted byte range without a length is not fetched.
// - It also fetches the parts that are listed after a part that hls.js takes, 12 at most: hls.js itself fetches them one by one.
// - http(s) only, 4 MB a part at most. A part that the playlist neither lists nor hints at any more is dropped. Each playlist may
//   sign its addresses anew: a part that alone has its path is still the same part.
// - A request without a byte after 4 s has failed, and hls.js waits no longer for the part. A browser opens six connections to a
//   server: those that a network has lost would keep the playlist waiting for one.
// - hls.js loads a part itself when the prefetch fails or takes longer than its own time to first byte. Only the transfer is
//   reported as load time, because waiting for a part tells nothing of the network.
import type { LevelDetails } from 'hls.js';
import type {
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_AHEAD = 12;
/** The wait for the first byte of a part. */
const SILENT_MS = 4000;

/** The bytes of a part, and when they arrived, in milliseconds of `performance.now()`. */
export interface PartBytes {
  readonly bytes: ArrayBuffer;
  readonly firstByteAt: number;
  readonly lastByteAt: number;
}

interface PrefetchedPart {
  /** Rejects when the download fails. */
  readonly bytes: Promise<PartBytes>;
  abort(): void;
}

interface ByteSource {
  readonly url: string;
  /** Null for the whole resource; the end is exclusive. */
  readonly range: { readonly start: number; readonly end: number } | null;
}

const keyOf = ({ url, range }: ByteSource): string => (range ? `${range.start}-${range.end} ${url}` : url);

/** @returns null when the playlist has no hint that can be fetched */
function hintedSource({ preloadHint, url: base }: LevelDetails): ByteSource | null {
  if (preloadHint?.TYPE !== 'PART' || !preloadHint.URI) return null;
  const url = parsedUrl(preloadHint.URI, base)?.href ?? '';
  if (!/^https?:/.test(url)) return null;
  const [from, length] = ['BYTERANGE-START', 'BYTERANGE-LENGTH'].map((name) => preloadHint[name]);
  if (from === undefined && length === undefined) return { url, range: null };
  const start = Number(from ?? 0);
  const end = start + Number(length);
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) ? { url, range: { start, end } } : null;
}

/** Null when it is none; `URL.canParse` is younger than the browsers that this plays in. */
function parsedUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

const byteSource = (url: string, start = 0, end = 0): ByteSource => ({
  url: parsedUrl(url)?.href ?? url,
  range: end > 0 ? { start, end } : null,
});

const withoutQuery = (key: string): string => key.replace(/\?.*/, '');

/** The key of a request of hls.js. */
export const sourceKey = (url: string, start?: number, end?: number): string =>
  keyOf(byteSource(url, start, end));

async function download({ url, range }: ByteSource, request: AbortController): Promise<PartBytes> {
  const silence = setTimeout(() => request.abort(), SILENT_MS);
  const headers = range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {};
  const response = await fetch(url, { headers, signal: request.signal });
  if (response.status !== (range ? 206 : 200) || !response.body) throw new Error('refused');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let firstByteAt = 0;
  const reader = response.body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    clearTimeout(silence);
    firstByteAt ||= performance.now();
    size += chunk.value.length;
    if (size > MAX_BYTES) throw new Error('refused');
    chunks.push(chunk.value);
  }
  return { bytes: await new Blob(chunks).arrayBuffer(), firstByteAt, lastByteAt: performance.now() };
}

export class PartPrefetch {
  readonly #parts = new Map<string, PrefetchedPart>();
  /** The parts that the playlist lists, oldest first. */
  #listed = new Map<string, ByteSource>();
  /**
   * False while segment 0 is the only one: hls.js (1.7.4) loses that segment when it has all its parts and the next segment is
   * not listed yet, and then loads it again and again.
   */
  #canPrefetchListed = false;
  /** The parts that were requested and are still listed or hinted at; each is requested once, even if it failed. */
  #requested = new Set<string>();

  /** A playlist has arrived: drops what it no longer lists, and fetches its hint when `wanted`. */
  onPlaylist(details: LevelDetails, wanted: boolean): void {
    const hint = wanted ? hintedSource(details) : null;
    const parts = (details.partList ?? []).map(({ url, byteRange }) => byteSource(url, ...byteRange));
    this.#listed = new Map(parts.map((part) => [keyOf(part), part]));
    const keys = [...parts, hint ?? []].flat().map(keyOf);
    for (const key of [...this.#requested]) {
      if (keys.includes(key)) continue;
      const [again, another] = keys.filter((other) => withoutQuery(other) === withoutQuery(key));
      const part = this.#parts.get(key);
      if (again && !another) {
        this.#parts.delete(key);
        this.#requested.add(again);
        if (part) this.#parts.set(again, part);
      }
      this.#drop(key);
    }
    this.#canPrefetchListed = details.endSN > 0;
    if (hint) this.#request(hint);
  }

  /** Takes a part that was prefetched; null when it was not. Also fetches the parts that are listed after it. */
  take(key: string): PrefetchedPart | null {
    const part = this.#parts.get(key) ?? null;
    this.#parts.delete(key);
    const at = [...this.#listed.keys()].indexOf(key);
    if (at < 0) return part;
    this.#requested.add(key);
    const following = this.#canPrefetchListed
      ? [...this.#listed.values()].slice(at + 1, at + 1 + MAX_AHEAD)
      : [];
    for (const next of following) this.#request(next);
    return part;
  }

  /** Aborts all requests. */
  clear(): void {
    for (const key of [...this.#requested]) this.#drop(key);
  }

  #request(source: ByteSource): void {
    const key = keyOf(source);
    if (this.#requested.has(key)) return;
    this.#requested.add(key);
    const ending = new AbortController();
    const bytes = download(source, ending);
    const part = { bytes, abort: () => ending.abort() };
    this.#parts.set(key, part);
    bytes.catch(() => {
      // The rest of an answer that was refused or is too long is not read.
      ending.abort();
      if (this.#parts.get(key) === part) this.#parts.delete(key);
    });
  }

  #drop(key: string): void {
    this.#parts.get(key)?.abort();
    this.#parts.delete(key);
    this.#requested.delete(key);
  }
}

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;
type Callbacks = LoaderCallbacks<FragmentLoaderContext>;

class PrefetchLoader implements Loader<FragmentLoaderContext> {
  context: FragmentLoaderContext | null = null;
  readonly #plain: Loader<LoaderContext>;
  readonly #prefetch: PartPrefetch;
  #part: PrefetchedPart | null = null;
  #callbacks: Callbacks | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(plain: Loader<LoaderContext>, prefetch: PartPrefetch) {
    this.#plain = plain;
    this.#prefetch = prefetch;
  }

  get stats() {
    return this.#plain.stats;
  }

  load(context: FragmentLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.context = context;
    this.#callbacks = callbacks;
    const { url, rangeStart, rangeEnd } = context;
    const part = (this.#part = this.#prefetch.take(sourceKey(url, rangeStart, rangeEnd)));
    if (!part) return this.#loadPlain(context, config, callbacks);
    this.stats.loading.start = performance.now();
    const fallBack = (): void => {
      if (this.#part !== part) return;
      this.#release();
      this.#loadPlain(context, config, callbacks);
    };
    this.#timer = setTimeout(fallBack, config.loadPolicy.maxTimeToFirstByteMs);
    part.bytes.then((arrived) => {
      if (this.#part === part) this.#deliver(arrived, context, callbacks);
    }, fallBack);
  }

  abort(): void {
    if (!this.#part) return this.#plain.abort();
    this.#release();
    this.stats.aborted = true;
    if (this.context) this.#callbacks?.onAbort?.(this.stats, this.context, null);
  }

  destroy(): void {
    this.#release();
    this.#callbacks = this.context = null;
    this.#plain.destroy();
  }

  #loadPlain(context: FragmentLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.stats.loading.start = 0;
    if (context.part) config.loadPolicy.maxTimeToFirstByteMs = SILENT_MS;
    this.#plain.load(context, config, callbacks as LoaderCallbacks<LoaderContext>);
  }

  #deliver(
    { bytes, firstByteAt, lastByteAt }: PartBytes,
    context: FragmentLoaderContext,
    callbacks: Callbacks,
  ): void {
    clearTimeout(this.#timer);
    this.#part = null;
    const { stats } = this;
    const end = performance.now();
    const start = end - (lastByteAt - firstByteAt);
    Object.assign(stats.loading, { start, first: start, end });
    stats.loaded = stats.total = bytes.byteLength;
    callbacks.onSuccess({ url: context.url, data: bytes, code: 200 }, stats, context, null);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#part?.abort();
    this.#part = null;
  }
}

/** A loader class for hls.js; `Plain` loads what was not prefetched. */
export const prefetchLoader = (
  Plain: LoaderClass,
  prefetch: PartPrefetch,
): new (config: HlsConfig) => Loader<FragmentLoaderContext> =>
  class extends PrefetchLoader {
    constructor(config: HlsConfig) {
      super(new Plain(config), prefetch);
    }
  };
