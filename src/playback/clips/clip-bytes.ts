// The bytes of one clip. They are fetched as soon as its result is there, because a URL is valid for 5 minutes and a paused reader
// must lose nothing. They are kept in the page's own memory: a Blob would delay the first frame, because it is in another process.
// - After a 400, 401, 403, 404 or 410 `renew` gives a fresh URL, three tries in all; then `media_refused`. Clocks are never
//   compared. But a host that has given another clip of this element may have an outage: then the last address is tried again for
//   a minute, or until the host, after the first refusal, gives another clip and then refuses this one once more.
// - An address that a `<video>` does not play is renewed too, because many hosts answer a 403 without CORS. That can also be a
//   gateway's 502, so after two renewals the address is tried again for a minute.
// - After a network error, 429 or 5xx it is tried again 0.5, 1, 2, 4 and then every 8 s later, and at once on `online`, for a
//   minute in which the browser was online and once more after it: the last tries may have waited on a dead connection. Other
//   statuses are final.
// - Less than 16 kB in 20 s, or a body of unknown length that takes longer than 5 minutes, counts as a network error. A 202, a
//   204, an empty body, or a page in place of the clip (of a gateway, a network's login) counts as a 408, because the clip may be
//   there later. But a page counts as a refusal when the host has given another clip since the first such page. After the first
//   answer no try reads the browser's cache.
// - A fetch sends no referrer, and cookies only to the page's own origin, as a `<video>` does: a site may show its own videos to
//   its members alone. Where it fails but a `<video>` can load, the clip is played by its URL: a host without CORS, a host that
//   wants a referrer, a page whose policy has no `connect-src` for it. So is a clip of more than 256 MB.
import { untilOnlineOr } from '../../internal/until-online.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { isCutShort } from '../mp4/boxes.ts';
import { joinBytes } from '../mp4/join-bytes.ts';
import { signerVideo } from '../signer-video.ts';

export interface ClipSource {
  /** As the service gave it: http(s), presigned. */
  readonly url: string;
  /** Asks for a fresh URL of the same clip; rejects with a SignError when there is none. */
  renew(signal: AbortSignal): Promise<string>;
  /** True for anything but the clip, such as a host's page for an unknown address: then a fresh URL is asked for. */
  isWrong?(playable: Playable): boolean;
  /** Shared by the clips of one element: `performance.now()` of the latest request that was answered with a clip; -1 before. */
  readonly host?: { servedAt: number };
  /** A video by a person, whose sound is for the visitor. */
  readonly isHeard?: boolean;
}

/** A clip that is loaded. */
export interface ClipFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The media type that the media server named. */
  readonly type: string;
}

/** The clip, or its URL when the media host lets no script read it, or it is too large to be kept in memory. */
export type Playable = ClipFile | string;

/** Some stores answer 400 or 401 for a signature that has expired. */
const REFUSED = new Set([400, 401, 403, 404, 410]);
const RENEWALS = 2;
const STALL_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const FAILING_MS = 60_000;
/** The wait before a cut file, or a 404, is fetched for the last time. */
const LONGEST_CUT_PAUSE_MS = 2000;
/** One try counts as no longer than this, because the page may be frozen or the machine may sleep meanwhile. */
const LONGEST_TRY_MS = STALL_MS + LONGEST_PAUSE_MS;
/** When no answer comes, a `<video>` is tried during each wait of at least this length; the first begins after 3.5 s. */
const ASK_VIDEO_PAUSE_MS = 4000;
const VIDEO_ANSWERS_MS = 10_000;
const LEAST_BYTES = 16_000;
const LONGEST_MS = 300_000;
const TRY_AGAIN = 408;
const MAX_BYTES = 256_000_000;
const ANONYMOUS = { referrerPolicy: 'no-referrer' } as const;

export class ClipBytes {
  #url: string;
  #loading: Promise<Playable> | null = null;
  /** How often an address did not play, without a minute in which it did. */
  #expiries = 0;
  #firstExpiry = 0;
  #lastExpiry = -Infinity;
  #isExpired = false;
  readonly #source: ClipSource;
  readonly #ending = new AbortController();

  constructor(source: ClipSource) {
    this.#source = source;
    this.#url = source.url;
  }

  /** The service's latest URL. */
  get url(): string {
    return this.#url;
  }

  /**
   * Fetches once and keeps the result, even if a page's own `fetch` calls this again meanwhile; after `forget()` it fetches again.
   * @throws SignError `media_refused`, `media_error`, or what `renew` rejected with; AbortError after `release()`.
   */
  load(): Promise<Playable> {
    if (!this.#loading) {
      this.#loading = Promise.resolve().then(() => this.#fetch());
      this.#loading.catch(() => {});
    }
    return this.#loading;
  }

  /** Releases the bytes; a later `load()` fetches them again. */
  forget(): void {
    this.#loading = null;
  }

  /** The address that `load()` gave does not play. True when `load()` tries again; the first two times it uses a fresh address. */
  expire(): boolean {
    const now = performance.now();
    if (now - this.#lastExpiry > FAILING_MS) this.#expiries = 0;
    this.#lastExpiry = now;
    if (!this.#expiries || !navigator.onLine) this.#firstExpiry = now;
    if (now - this.#firstExpiry > FAILING_MS) return false;
    this.#expiries += 1;
    this.#isExpired = true;
    this.forget();
    return true;
  }

  /** Ends all loading; nothing can be loaded after that. */
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
 * Fetches until the clip is loaded or the tries are used up; `moved` gets each fresh URL.
 * @throws SignError `media_refused`, `media_error`, or what `renew` rejected with; the reason of `signal`.
 */
async function fetchClip(
  { url, renew, isWrong, host }: ClipSource,
  moved: (url: string) => void,
  signal: AbortSignal,
): Promise<Playable> {
  let at = url;
  let renewals = 0;
  let pause = FIRST_PAUSE_MS;
  let cutPause = FIRST_PAUSE_MS;
  let failingMs = 0;
  let refusedSince = NaN;
  let cache: RequestCache = 'default';
  for (;;) {
    signal.throwIfAborted();
    const begun = performance.now();
    const got = await fetchOnce(at, cache, signal);
    // A body that broke off is in the browser's cache: without `reload` the browser asks only for the rest of it.
    if (got) cache = 'reload';
    const file = typeof got === 'object' && !isWrong ? got.bytes : null;
    // Hosts copy a new file from place to place: it is fetched again 0.5, 1.5 and 3.5 s later. Then a file that is cut short is
    // played as it is, and the address of a 404 is renewed. A source with `isWrong` is judged at once.
    const mayComeSoon = file ? isCutShort(file) : got === 404 && !isWrong;
    if (mayComeSoon && cutPause <= LONGEST_CUT_PAUSE_MS) {
      await untilOnlineOr(cutPause, signal);
      cutPause *= 2;
      continue;
    }
    const isPageInstead = file !== null && isPage(file);
    const outcome = isPageInstead || file?.length === 0 ? TRY_AGAIN : got;
    if (typeof outcome !== 'number') {
      if (host && file) host.servedAt = Math.max(host.servedAt, begun);
      return outcome;
    }
    const isCut = outcome === 0 || outcome === TRY_AGAIN;
    const what = isCut ? 'sent no whole video' : `answered ${outcome}`;
    const servedAt = host?.servedAt ?? -1;
    // The host has given another clip since this one failed, and fails it again.
    const onlyThisFails = refusedSince < servedAt && servedAt < begun;
    const isRefused = REFUSED.has(outcome);
    const error = ownError(isRefused ? 'media_refused' : 'media_error', `the media server ${what}`);
    if (isRefused || isPageInstead) refusedSince ||= begun;
    const isGone = isRefused || (isPageInstead && onlyThisFails);
    if (isGone && renewals < RENEWALS) {
      renewals += 1;
      moved((at = await renew(signal)));
    } else if (isGone && (servedAt < 0 || onlyThisFails)) {
      if (outcome === 403 && (await videoLoads(at, signal))) return at;
      throw error;
    } else if (isRefused || isCut || outcome === 429 || outcome >= 500) {
      if (failingMs > FAILING_MS && navigator.onLine) throw error;
      const due = untilOnlineOr(pause, signal);
      // It rejects too when the clip is released while a video is tried; `videoLoads` throws that.
      due.catch(() => {});
      const isAsked = outcome === 0 && pause >= ASK_VIDEO_PAUSE_MS && navigator.onLine;
      if (isAsked && (await videoLoads(at, signal))) return at;
      await due;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      if (navigator.onLine) failingMs += Math.min(performance.now() - begun, LONGEST_TRY_MS);
    } else {
      throw error;
    }
  }
}

/** The clip, else the status of the answer; TRY_AGAIN when there is no clip in it, 0 when it broke off or did not come. */
async function fetchOnce(url: string, cache: RequestCache, signal: AbortSignal): Promise<Playable | number> {
  // `AbortSignal.any` is missing in older browsers that are supported.
  const request = new AbortController();
  let hasStalled = false;
  const end = (): void => request.abort();
  signal.addEventListener('abort', end);
  const giveUp = (): void => {
    hasStalled = true;
    end();
  };
  let watch = setTimeout(giveUp, STALL_MS);
  const longest = setTimeout(giveUp, LONGEST_MS);
  let isReadable = false;
  try {
    const response = await fetch(url, { signal: request.signal, cache, ...ANONYMOUS });
    isReadable = true;
    const { headers } = response;
    // A body of known length comes to an end.
    if (headers.has('content-length')) clearTimeout(longest);
    if (!response.ok || !response.body || response.status === 202) {
      await response.body?.cancel();
      return response.ok ? TRY_AGAIN : response.status;
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let [size, counted] = [0, 0];
    const reader = response.body.getReader();
    const isTooLarge = Number(headers.get('content-length')) > MAX_BYTES;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size - counted >= LEAST_BYTES) {
        counted = size;
        clearTimeout(watch);
        watch = setTimeout(giveUp, STALL_MS);
      }
      if (isTooLarge || size > MAX_BYTES) {
        await reader.cancel();
        return url;
      }
      chunks.push(read.value);
    }
    return { bytes: joinBytes(chunks), type: headers.get('content-type') ?? 'video/mp4' };
  } catch (error) {
    signal.throwIfAborted();
    if (hasStalled) return 0;
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

/** Text that a page, an XML or a JSON error begins with. */
const isPage = (file: Uint8Array): boolean => /^\s*[<{]/.test(new TextDecoder().decode(file.subarray(0, 64)));

/** True when the host answers and only CORS hides its answer. */
async function answersWithoutCors(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const probe = await fetch(url, { method: 'HEAD', mode: 'no-cors', signal, ...ANONYMOUS });
    return probe.type === 'opaque';
  } catch {
    return false;
  }
}

/** True when a `<video>` loads metadata from there in 10 s. Chromium keeps waiting on a dead connection, so `online` ends it. */
async function videoLoads(url: string, signal: AbortSignal): Promise<boolean> {
  const video = signerVideo();
  video.preload = 'metadata';
  const listening = new AbortController();
  const loads = await new Promise<boolean>((resolve) => {
    setTimeout(resolve, VIDEO_ANSWERS_MS, false);
    video.addEventListener('loadedmetadata', () => resolve(true), { signal: listening.signal });
    for (const [target, type] of [
      [video, 'error'],
      [signal, 'abort'],
      [window, 'online'],
    ] as const)
      target.addEventListener(type, () => resolve(false), { signal: listening.signal });
    video.src = url;
  });
  listening.abort();
  video.removeAttribute('src');
  video.load();
  signal.throwIfAborted();
  return loads;
}
