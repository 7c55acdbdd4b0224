// The bytes of one clip, fetched as soon as its result is there, because a URL lives 5 minutes and a paused reader must lose
// nothing. They are kept in the page's own memory: a Blob is two trips to another process, and the first frame later by that.
// - 403, 404 and 410 ask `renew` for a fresh URL, three tries in all, then `media_refused`: the status decides, no clock. So
//   does an address that a `<video>` does not play: many hosts answer a 403 without CORS. It may be a gateway's 502 as well:
//   after two renewals it is tried again for a minute.
// - Network errors, 429 and 5xx are tried again 0.5, 1, 2, 4 and then 8 s later, and at once on `online`, until they have gone
//   on for a minute in which the browser was not offline; other statuses are final.
// - A body of which less than 16 kB come in 20 s, or which is not whole in 5 minutes, counts as a 408. So do a 202 and a 204:
//   the clip may not be there yet. 256 MB at most.
// - No cookie and no referrer goes with a fetch. What a fetch does not get, but a `<video>` does, is played by its URL: a host
//   without CORS, one that wants a referrer, a page whose policy has no `connect-src` for it.
import { ownError } from '../../protocol/own-errors.ts';
import { signerVideo } from '../signer-video.ts';

export interface ClipSource {
  /** As the service gave it: http(s), presigned. */
  readonly url: string;
  /** Asks for a fresh URL of the same clip; rejects with a SignError when there is none to be had. */
  renew(signal: AbortSignal): Promise<string>;
  /** True for what is not the clip, such as the page of a host for an address that it does not have: a fresh URL is asked for. */
  isWrong?(playable: Playable): boolean;
}

/** A clip that is here. */
export interface ClipFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As the media server calls it. */
  readonly type: string;
}

/** The clip, or the URL itself where the media host lets no script read it. */
export type Playable = ClipFile | string;

const REFUSED = new Set([403, 404, 410]);
const RENEWALS = 2;
const STANDSTILL_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const FAILING_MS = 60_000;
/** The most that one try counts: a page may be frozen during it, or a laptop asleep. */
const LONGEST_TRY_MS = STANDSTILL_MS + LONGEST_PAUSE_MS;
/** Where nothing is answered, the browser's own loader is asked before the wait of this length, 3.5 s on. */
const ASK_VIDEO_PAUSE_MS = 4000;
const VIDEO_ANSWERS_MS = 10_000;
const LEAST_BYTES = 16_000;
const LONGEST_MS = 300_000;
const TRY_AGAIN = 408;
const MAX_BYTES = 256_000_000;

export class ClipBytes {
  #url: string;
  #loading: Promise<Playable> | null = null;
  /** Of an address that did not play. */
  #expiries = 0;
  #firstExpiry = Infinity;
  #isExpired = false;
  readonly #source: ClipSource;
  readonly #ending = new AbortController();

  constructor(source: ClipSource) {
    this.#source = source;
    this.#url = source.url;
  }

  /** The service's URL now in force. */
  get url(): string {
    return this.#url;
  }

  /**
   * Fetches once and remembers; after `forget()` it fetches again.
   * @throws SignError `media_refused`, `media_error`, or what `renew` rejected with; AbortError after `release()`.
   */
  load(): Promise<Playable> {
    if (!this.#loading) {
      this.#loading = this.#fetch();
      this.#loading.catch(() => {});
    }
    return this.#loading;
  }

  /** Lets the bytes go; a later `load()` fetches them again. */
  forget(): void {
    this.#loading = null;
  }

  /** The address that `load()` gave does not play. True when the next `load()` tries again: with a fresh one, twice at most. */
  expire(): boolean {
    const now = performance.now();
    if (now - this.#firstExpiry > FAILING_MS) return false;
    this.#firstExpiry = navigator.onLine ? Math.min(this.#firstExpiry, now) : now;
    this.#expiries += 1;
    this.#isExpired = true;
    this.forget();
    return true;
  }

  /** Ends whatever is under way, for good. */
  release(): void {
    this.#ending.abort();
    this.#loading = null;
  }

  async #fetch(): Promise<Playable> {
    const { signal } = this.#ending;
    const more = this.#expiries - RENEWALS;
    if (this.#isExpired && more <= 0) this.#url = await this.#source.renew(signal);
    else if (this.#isExpired)
      await untilOnlineOr(Math.min(FIRST_PAUSE_MS * 2 ** more, LONGEST_PAUSE_MS), signal);
    this.#isExpired = false;
    const load = (): Promise<Playable> =>
      fetchClip({ ...this.#source, url: this.#url }, (url) => (this.#url = url), signal);
    const playable = await load();
    if (!this.#source.isWrong?.(playable)) return playable;
    this.#url = await this.#source.renew(signal);
    return load();
  }
}

/**
 * Fetches until it is here or there is no more to try; `moved` hears of each fresh URL.
 * @throws SignError `media_refused`, `media_error`, or what `renew` rejected with; the reason of `signal`.
 */
async function fetchClip(
  { url, renew }: ClipSource,
  moved: (url: string) => void,
  signal: AbortSignal,
): Promise<Playable> {
  let at = url;
  let renewals = 0;
  let pause = FIRST_PAUSE_MS;
  let failingMs = 0;
  for (;;) {
    signal.throwIfAborted();
    const begun = performance.now();
    const outcome = await fetchOnce(at, signal);
    if (typeof outcome !== 'number') return outcome;
    if (REFUSED.has(outcome)) {
      if (renewals++ === RENEWALS) {
        if (outcome === 403 && (await videoLoads(at, signal))) return at;
        throw ownError('media_refused', `the media server answered ${outcome}`);
      }
      moved((at = await renew(signal)));
    } else if (outcome === 0 || outcome === TRY_AGAIN || outcome === 429 || outcome >= 500) {
      if (outcome === 0 && pause === ASK_VIDEO_PAUSE_MS && (await videoLoads(at, signal))) return at;
      await untilOnlineOr(pause, signal);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      if (navigator.onLine) failingMs += Math.min(performance.now() - begun, LONGEST_TRY_MS);
      if (failingMs > FAILING_MS) throw ownError('media_error', `the media server answered ${outcome}`);
    } else {
      throw ownError('media_error', `the media server answered ${outcome}`);
    }
  }
}

/** The clip, or the status that was answered instead; TRY_AGAIN when it is not whole, 0 when nothing was answered. */
async function fetchOnce(url: string, signal: AbortSignal): Promise<Playable | number> {
  // `AbortSignal.any` is younger than the browsers that this plays in.
  const request = new AbortController();
  let stoodStill = false;
  const end = (): void => request.abort();
  signal.addEventListener('abort', end);
  const giveUp = (): void => {
    stoodStill = true;
    end();
  };
  let watch = setTimeout(giveUp, STANDSTILL_MS);
  const longest = setTimeout(giveUp, LONGEST_MS);
  let isReadable = false;
  try {
    const response = await fetch(url, {
      signal: request.signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    isReadable = true;
    if (!response.ok || !response.body || response.status === 202) {
      await response.body?.cancel();
      return response.ok ? TRY_AGAIN : response.status;
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let [size, counted] = [0, 0];
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size - counted >= LEAST_BYTES) {
        counted = size;
        clearTimeout(watch);
        watch = setTimeout(giveUp, STANDSTILL_MS);
      }
      if (size > MAX_BYTES) {
        await reader.cancel();
        throw ownError('media_error', 'the video is too large');
      }
      chunks.push(read.value);
    }
    return { bytes: joined(chunks, size), type: response.headers.get('content-type') ?? 'video/mp4' };
  } catch (error) {
    signal.throwIfAborted();
    if (stoodStill) return TRY_AGAIN;
    if (!(error instanceof TypeError)) throw error;
    const playable = !isReadable && (await answersWithoutCors(url, request.signal));
    signal.throwIfAborted();
    return playable ? url : 0;
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(watch);
    clearTimeout(longest);
  }
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** True when the host is there and it is only CORS that keeps its answer from us. */
async function answersWithoutCors(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const probe = await fetch(url, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
    return probe.type === 'opaque';
  } catch {
    return false;
  }
}

/** True when a `<video>` loads metadata from there within 10 s. */
async function videoLoads(url: string, signal: AbortSignal): Promise<boolean> {
  const video = signerVideo();
  video.preload = 'metadata';
  const heard = new AbortController();
  const loads = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, VIDEO_ANSWERS_MS, false);
    const answer = (loaded: boolean): void => {
      clearTimeout(timer);
      resolve(loaded);
    };
    video.addEventListener('loadedmetadata', () => answer(true), { signal: heard.signal });
    video.addEventListener('error', () => answer(false), { signal: heard.signal });
    signal.addEventListener('abort', () => answer(false), { signal: heard.signal });
    video.src = url;
  });
  heard.abort();
  video.removeAttribute('src');
  video.load();
  signal.throwIfAborted();
  return loads;
}

/** Resolves after so many milliseconds, or when the browser is online again. */
function untilOnlineOr(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end, { signal: over.signal });
    signal.addEventListener('abort', end, { signal: over.signal });
  });
}
