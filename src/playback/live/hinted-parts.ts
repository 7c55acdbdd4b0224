// Parts of low-latency HLS segments, asked for before hls.js asks for them. The one that comes next (RFC 8216bis,
// EXT-X-PRELOAD-HINT): the server holds the request until it has the part, which so arrives together with the playlist that
// lists it, a round trip earlier than one that is asked for then. And those that are listed behind one that hls.js takes: it
// would ask for them one after the other, a round trip each, which is most of a start. Policy: one hint at a time, and at
// most twelve behind a part; what the playlist neither hints at nor lists any more is dropped; http(s) only; at most 4 MB
// each, and no hint whose length nobody tells. A failure is nobody's business: hls.js then asks by itself.
import type { LevelDetails } from 'hls.js';

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_BEHIND = 12;

/** What hls.js is handed, and when it came, in milliseconds of `performance.now()`. */
export interface ArrivedPart {
  readonly bytes: ArrayBuffer;
  readonly firstByteAt: number;
  readonly lastByteAt: number;
}

export interface HintedPart {
  /** Rejects when it does not come. */
  readonly arrived: Promise<ArrivedPart>;
  abort(): void;
}

interface Place {
  readonly url: string;
  /** Null for the whole resource; the end is exclusive. */
  readonly range: { readonly start: number; readonly end: number } | null;
}

const keyOf = ({ url, range }: Place): string => (range ? `${range.start}-${range.end} ${url}` : url);

/** Null when nothing is hinted at that can be asked for. */
function hintedPlace({ preloadHint, url: base }: LevelDetails): Place | null {
  const uri = preloadHint?.URI;
  if (preloadHint?.TYPE !== 'PART' || !uri || !URL.canParse(uri, base)) return null;
  const { href: url, protocol } = new URL(uri, base);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const [from, length] = ['BYTERANGE-START', 'BYTERANGE-LENGTH'].map((name) => preloadHint[name]);
  if (from === undefined && length === undefined) return { url, range: null };
  const start = Number(from ?? 0);
  const end = start + Number(length);
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) ? { url, range: { start, end } } : null;
}

const placed = (url: string, start = 0, end = 0): Place => ({
  url: URL.canParse(url) ? new URL(url).href : url,
  range: end > 0 ? { start, end } : null,
});

/** What hls.js asks for, in the same words. */
export const placeOf = (url: string, start?: number, end?: number): string => keyOf(placed(url, start, end));

async function download({ url, range }: Place, signal: AbortSignal): Promise<ArrivedPart> {
  const headers = range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {};
  const response = await fetch(url, { headers, signal });
  if (response.status !== (range ? 206 : 200) || !response.body) throw new Error(`answer ${response.status}`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let firstByteAt = 0;
  const reader = response.body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    firstByteAt ||= performance.now();
    size += chunk.value.length;
    if (size > MOST_BYTES) throw new Error('too long for a part');
    chunks.push(chunk.value);
  }
  return { bytes: await new Blob(chunks).arrayBuffer(), firstByteAt, lastByteAt: performance.now() };
}

export class HintedParts {
  readonly #waiting = new Map<string, HintedPart>();
  /** What the playlist lists, oldest first. */
  #listed = new Map<string, Place>();
  /**
   * False while the only segment is number 0: hls.js loses sight of that one once it has all its parts and the next is not
   * listed yet, and loads it over and over.
   */
  #canAskBehind = false;
  /** What was asked for, as long as it is listed or hinted at: once is enough, however it went. */
  #asked = new Set<string>();

  /** Reads a playlist that has just come; asks for what it hints at when that is `wanted`. */
  heed(details: LevelDetails, wanted: boolean): void {
    const hint = wanted ? hintedPlace(details) : null;
    const parts = (details.partList ?? []).map(({ url, byteRange }) => placed(url, ...byteRange));
    this.#listed = new Map(parts.map((part) => [keyOf(part), part]));
    const isGone = (key: string): boolean => !this.#listed.has(key) && !(hint && key === keyOf(hint));
    for (const key of [...this.#asked].filter(isGone)) this.#drop(key);
    this.#canAskBehind = details.endSN > 0;
    if (hint) this.#ask(hint);
  }

  /**
   * Gives what was asked for early out of hand, once; null when it was not. What is listed behind it is asked for now.
   */
  take(place: string): HintedPart | null {
    const part = this.#waiting.get(place) ?? null;
    this.#waiting.delete(place);
    const at = [...this.#listed.keys()].indexOf(place);
    if (at < 0) return part;
    this.#asked.add(place);
    const behind = this.#canAskBehind ? [...this.#listed.values()].slice(at + 1, at + 1 + MOST_BEHIND) : [];
    for (const next of behind) this.#ask(next);
    return part;
  }

  /** Aborts what is under way. */
  clear(): void {
    for (const key of [...this.#asked]) this.#drop(key);
  }

  #ask(place: Place): void {
    const key = keyOf(place);
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const ending = new AbortController();
    const arrived = download(place, ending.signal);
    const part = { arrived, abort: () => ending.abort() };
    this.#waiting.set(key, part);
    arrived.catch(() => {
      // What is refused, or too long, is not read to its end.
      ending.abort();
      if (this.#waiting.get(key) === part) this.#waiting.delete(key);
    });
  }

  #drop(key: string): void {
    this.#waiting.get(key)?.abort();
    this.#waiting.delete(key);
    this.#asked.delete(key);
  }
}
