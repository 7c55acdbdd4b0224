// Playlists for hls.js (1.7.4), corrected where a server or hls.js itself would stop a low-latency stream.
// - An answer to a blocking reload (RFC 8216bis 6.2.5.2) that lacks the requested part, or ends before an earlier answer, is
//   stale: it is requested again after half a part, for 3 s at most. hls.js would wait half a target duration.
// - A playlist that still ends before an earlier one after these 3 s is from a packager that has restarted. Its segments get
//   numbers that continue the earlier ones (restarted-playlist.ts), and blocking reloads name the packager's own numbers. A
//   packager answers a number that is too high with 400 (6.2.5.2): then the playlist is requested without a number.
// - After a discontinuity no delta update is requested (6.2.5.1): hls.js does not count the discontinuities that it skips.
// - A playlist with variables (EXT-X-DEFINE, RFC 8216bis 4.4.2.3) is not passed to a build of hls.js that does not know them:
//   `onVariables` is called, and the engine loads the other build.
// - The stream of one text has an end, and so has that of a session that has ended. When its playlist has not grown for a minute,
//   it is passed on as ended: otherwise the texts after it would wait for ever, or every page left open would read it for ever.
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  PlaylistLoaderContext,
} from 'hls.js';
import {
  AS_WRITTEN,
  firstNumberIn,
  inOwnNumbers,
  numberIn,
  renumbered,
  restarted,
  type Renumbering,
} from './restarted-playlist.ts';

const MAX_WAIT_MS = 3000;
/** How long the playlist of a stream with an end may stay as it is. */
const MAX_UNGROWN_MS = 60_000;
/** Duration of a part, when the playlist does not give it. */
const DEFAULT_PART_SECONDS = 1;

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;
type Callbacks = LoaderCallbacks<PlaylistLoaderContext>;

/** The end of a playlist: the number of the segment that still grows, and how many of its parts are listed. */
interface PlaylistEnd {
  readonly segment: number;
  readonly parts: number;
}

interface PlaylistLoaderOptions {
  /** Called for a playlist with variables, which hls.js then does not get; null where hls.js knows them. */
  readonly onVariables: (() => void) | null;
  /** True once the stream has an end, which its server may never write. */
  hasEnd(): boolean;
}

/** Shared by the playlist loaders of one player. */
interface SharedState extends PlaylistLoaderOptions {
  /** The latest end of each playlist, its text, and `performance.now()` when it was first seen. */
  readonly ends: Map<string, PlaylistEnd & { readonly since: number; readonly text: string }>;
  /** What is added to the numbers of each playlist whose packager has restarted. */
  readonly renumberings: Map<string, Renumbering>;
  hasDiscontinuity: boolean;
}

const isBefore = (a: PlaylistEnd, b: PlaylistEnd): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.parts < b.parts);

/** @returns null for what does not grow: a multivariant playlist, a playlist with an end, or something else */
export function playlistEnd(text: string): PlaylistEnd | null {
  if (!text.includes('#EXTINF') && !text.includes('#EXT-X-PART:')) return null;
  if (text.includes('#EXT-X-ENDLIST')) return null;
  const pieces = text.split('#EXTINF');
  const parts = pieces.at(-1)!.split('#EXT-X-PART:').length - 1;
  return { segment: firstNumberIn(text) + pieces.length - 1, parts };
}

/** The end that the answer to a blocking reload must reach; null when the request names none. */
function requestedEnd({ deliveryDirectives }: PlaylistLoaderContext): PlaylistEnd | null {
  const { msn, part } = deliveryDirectives ?? {};
  if (msn === undefined) return null;
  return part === undefined ? { segment: msn + 1, parts: 0 } : { segment: msn, parts: part + 1 };
}

/** Identifies a playlist of a stream. hls.js has no `id` for one that it loads as the manifest, and 0 when it reads that again. */
const nameOf = ({ level, id, groupId }: PlaylistLoaderContext): string => `${level} ${id ?? 0} ${groupId}`;

/** Milliseconds until the next request: half a part. */
const retryDelayMs = (text: string): number =>
  (numberIn(text, /^#EXT-X-PART-INF:.*PART-TARGET=([\d.]+)/m) || DEFAULT_PART_SECONDS) * 500;

/** Adds an empty comment after a segment that ends the playlist: without it hls.js takes the segment for one that still grows. */
const withLastSegmentClosed = (text: string): string =>
  /\n(?!#)[^\n]+\s*$/.test(text) ? `${text}\n#` : text;

const ENDED = '\n#EXT-X-ENDLIST';

const BAD_REQUEST = 400;

/** Delivery directives in an address (RFC 8216bis 6.2.5). */
const directives = { any: /_HLS_\w+=\w+&?/g, delta: /_HLS_skip=\w+&?/g, msn: /_HLS_msn=/ };

/** The address without these directives. */
const without = (url: string, unwanted: RegExp): string => url.replace(unwanted, '').replace(/[?&]$/, '');

class PlaylistLoader implements Loader<PlaylistLoaderContext> {
  context: PlaylistLoaderContext | null = null;
  readonly #newPlain: () => Loader<LoaderContext>;
  readonly #shared: SharedState;
  #plain: Loader<LoaderContext>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(newPlain: () => Loader<LoaderContext>, shared: SharedState) {
    this.#newPlain = newPlain;
    this.#shared = shared;
    this.#plain = newPlain();
  }

  get stats() {
    return this.#plain.stats;
  }

  load(context: PlaylistLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.context = context;
    const until = performance.now() + MAX_WAIT_MS;
    let { url } = context;
    const request = (): void => {
      const onSuccess: Callbacks['onSuccess'] = (response, stats, itsContext, details) => {
        const written = typeof response.data === 'string' ? response.data : '';
        if (this.#shared.onVariables && /^#EXT-X-DEFINE:/m.test(written)) return this.#shared.onVariables();
        const pause = retryDelayMs(written);
        this.#shared.hasDiscontinuity ||= /^#EXT-X-DISCONTINUITY\s*$/m.test(written);
        const isLate = performance.now() + pause > until;
        const text = this.#stillOpen(context, renumbered(written, this.#renumbering(context)));
        const end = playlistEnd(text);
        if (!end || isLate || this.#isFresh(context, end)) {
          const data = end ? this.#passedOn(context, text, end) : text;
          return callbacks.onSuccess(written ? { ...response, data } : response, stats, itsContext, details);
        }
        this.#timer = setTimeout(again, pause);
      };
      const onError: Callbacks['onError'] = (error, ...more) => {
        if (error.code !== BAD_REQUEST || !directives.msn.test(url)) return callbacks.onError(error, ...more);
        url = without(url, directives.any);
        again();
      };
      const own = inOwnNumbers(url, this.#renumbering(context));
      this.#plain.load(
        { ...context, url: this.#shared.hasDiscontinuity ? without(own, directives.delta) : own },
        config,
        { ...callbacks, onSuccess, onError } as LoaderCallbacks<LoaderContext>,
      );
    };
    const again = (): void => {
      // A loader serves one request.
      this.#plain.destroy();
      this.#plain = this.#newPlain();
      request();
    };
    request();
  }

  #isFresh(context: PlaylistLoaderContext, end: PlaylistEnd): boolean {
    const [requested, latest] = [requestedEnd(context), this.#shared.ends.get(nameOf(context))];
    return !(requested && isBefore(end, requested)) && !(latest && isBefore(end, latest));
  }

  /**
   * Without its end, if this playlist has parts and is the first one with its last part: the end comes with the next one. Once a
   * playlist has ended, hls.js does not load the rest of a segment that it has in part, or loads all of it again. Where more than
   * that segment is new, the page was hidden or the network away: then the stream must not look live, as it is played to its end.
   */
  #stillOpen(context: PlaylistLoaderContext, text: string): string {
    if (!text.includes('#EXT-X-PART:')) return text;
    const open = text.replace(/^#EXT-X-ENDLIST.*$/m, '');
    const [end, latest] = [playlistEnd(open), this.#shared.ends.get(nameOf(context))];
    const isNext = end && latest && isBefore(latest, end) && end.segment <= latest.segment + 1;
    return isNext ? open : text;
  }

  #renumbering(context: PlaylistLoaderContext): Renumbering {
    return this.#shared.renumberings.get(nameOf(context)) ?? AS_WRITTEN;
  }

  /** Keeps this playlist as the latest. Returns the text that hls.js gets. */
  #passedOn(context: PlaylistLoaderContext, text: string, end: PlaylistEnd): string {
    const latest = this.#shared.ends.get(nameOf(context));
    if (latest && isBefore(end, latest)) {
      const next = latest.segment + (latest.parts > 0 ? 1 : 0);
      const added = restarted(text, latest.text, next);
      if (added.segments > 0) {
        const { segments, discontinuities } = this.#renumbering(context);
        this.#shared.renumberings.set(nameOf(context), {
          segments: segments + added.segments,
          discontinuities: discontinuities + added.discontinuities,
        });
        this.#shared.hasDiscontinuity = true;
        const again = renumbered(text, added);
        return this.#passedOn(context, again, playlistEnd(again)!);
      }
    }
    return `${withLastSegmentClosed(text)}${this.#isOver(context, text, end) ? ENDED : ''}`;
  }

  /** Keeps this end; true when it has stayed the same for too long. */
  #isOver(context: PlaylistLoaderContext, text: string, end: PlaylistEnd): boolean {
    const { ends } = this.#shared;
    const latest = ends.get(nameOf(context));
    const now = performance.now();
    const hasGrown = !latest || isBefore(latest, end) || isBefore(end, latest);
    if (hasGrown) ends.set(nameOf(context), { ...end, text, since: now });
    return this.#shared.hasEnd() && !hasGrown && now - latest.since >= MAX_UNGROWN_MS;
  }

  abort(): void {
    clearTimeout(this.#timer);
    this.#plain.abort();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.context = null;
    this.#plain.destroy();
  }

  getCacheAge(): number | null {
    return this.#plain.getCacheAge?.() ?? null;
  }
}

/** A loader class for hls.js, on top of the loader `Plain`. */
export function playlistLoader(
  Plain: LoaderClass,
  options: PlaylistLoaderOptions,
): new (config: HlsConfig) => Loader<PlaylistLoaderContext> {
  const shared: SharedState = {
    ends: new Map(),
    renumberings: new Map(),
    hasDiscontinuity: false,
    ...options,
  };
  return class extends PlaylistLoader {
    constructor(config: HlsConfig) {
      super(() => new Plain(config), shared);
    }
  };
}
