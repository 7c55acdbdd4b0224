// The part of a low-latency HLS segment that comes next, asked for before it is there (RFC 8216bis, EXT-X-PRELOAD-HINT):
// the server holds the request until it has the part, which so arrives together with the playlist that lists it, a round
// trip earlier than one that is asked for then. Policy: one hint at a time, and what has been listed since, three parts at
// most, until hls.js asks for it; what the playlist neither hints at nor lists any more is dropped; http(s) only; at most
// 8 MB each, and no hint whose length nobody tells. A failure is nobody's business: hls.js then asks by itself.
import type { LevelDetails } from 'hls.js';

const MOST_BYTES = 8 * 1024 * 1024;

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

/** What hls.js asks for, in the same words. */
export const placeOf = (url: string, start = 0, end = 0): string =>
  keyOf({ url: URL.canParse(url) ? new URL(url).href : url, range: end > 0 ? { start, end } : null });

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

  /** Reads a playlist that has just come; asks for what it hints at when that is `wanted`. */
  heed(details: LevelDetails, wanted: boolean): void {
    const place = wanted ? hintedPlace(details) : null;
    const listed = new Set<string>();
    for (const { url, byteRange } of details.partList?.slice(-3) ?? [])
      listed.add(placeOf(url, ...byteRange));
    for (const key of [...this.#waiting.keys()]) {
      if (!listed.has(key) && !(place && key === keyOf(place))) this.#drop(key);
    }
    if (place && !this.#waiting.has(keyOf(place))) this.#ask(place);
  }

  /** Gives what was asked for early out of hand, once; null when it was not. */
  take(place: string): HintedPart | null {
    const part = this.#waiting.get(place) ?? null;
    this.#waiting.delete(place);
    return part;
  }

  /** Aborts what is under way. */
  clear(): void {
    for (const key of [...this.#waiting.keys()]) this.#drop(key);
  }

  #ask(place: Place): void {
    const ending = new AbortController();
    const arrived = download(place, ending.signal);
    const key = keyOf(place);
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
  }
}
