// Playlists that are not what was asked for. A blocking reload (RFC 8216bis, 6.2.5.2) names the segment and part that the
// answer is to list; a stale cache answers with an older copy, and a server that knows no such reload with what there is.
// hls.js takes either, and asks again half a target duration later, which is more than a low-latency picture has loaded.
// Policy: such an answer, or one that ends before one that came earlier, is asked for again after half a part, for 3 s at
// most: then it is what there is, for a source that stands or has begun anew says so to hls.js, not to this. And once a
// stream has a discontinuity no delta update is asked for (6.2.5.1): hls.js counts none of those that such a playlist skips,
// and gives up over a sequence that does not fit. One that ends with the address of a segment, and names no part as the next,
// gets an empty comment behind that: hls.js (1.7.4) begins the segment that is being made at the next line only, and takes
// the last one for it where there is none, which puts all that follows seconds beside its place.
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  PlaylistLoaderContext,
} from 'hls.js';

const PATIENCE_MS = 3000;
/** How long a part is, where that is not told. */
const PART_SECONDS = 1;

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;
type Callbacks = LoaderCallbacks<PlaylistLoaderContext>;

/** What a playlist ends with: the number of the segment that is being made, and how many parts of it are listed. */
interface End {
  readonly segment: number;
  readonly parts: number;
}

/** What is known of the playlists of one player. */
interface Known {
  /** The latest end that came, by playlist. */
  readonly ends: Map<string, End>;
  hasDiscontinuity: boolean;
}

const isBefore = (a: End, b: End): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.parts < b.parts);

const numberIn = (text: string, tag: RegExp): number => Number(tag.exec(text)?.[1] ?? 0);

/** Null for what does not grow: a multivariant playlist, one with an end, or something else. */
export function endOf(text: string): End | null {
  if (!text.includes('#EXTINF') && !text.includes('#EXT-X-PART:')) return null;
  if (text.includes('#EXT-X-ENDLIST')) return null;
  const first = numberIn(text, /^#EXT-X-MEDIA-SEQUENCE:(\d+)/m);
  const skipped = numberIn(text, /^#EXT-X-SKIP:.*SKIPPED-SEGMENTS=(\d+)/m);
  const pieces = text.split('#EXTINF');
  const parts = pieces.at(-1)!.split('#EXT-X-PART:').length - 1;
  return { segment: first + skipped + pieces.length - 1, parts };
}

/** What must be listed for the answer to be the one that was asked for; null when nothing was named. */
function askedFor({ deliveryDirectives }: PlaylistLoaderContext): End | null {
  const { msn, part } = deliveryDirectives ?? {};
  if (msn === undefined) return null;
  return part === undefined ? { segment: msn + 1, parts: 0 } : { segment: msn, parts: part + 1 };
}

/** Which of the playlists of a stream it is. */
const nameOf = ({ level, id, groupId }: PlaylistLoaderContext): string => `${level} ${id} ${groupId}`;

/** Milliseconds until it is worth while to ask again. */
const pauseIn = (text: string): number =>
  (numberIn(text, /^#EXT-X-PART-INF:.*PART-TARGET=([\d.]+)/m) || PART_SECONDS) * 500;

/** As hls.js reads it rightly. */
const readable = (text: string): string => (/\n(?!#)[^\n]+\s*$/.test(text) ? `${text}\n#` : text);

/** The same address, without asking for a delta update. */
const whole = (url: string): string => url.replace(/([?&])_HLS_skip=\w+&?/, '$1').replace(/[?&]$/, '');

class FreshLoader implements Loader<PlaylistLoaderContext> {
  context: PlaylistLoaderContext | null = null;
  readonly #newPlain: () => Loader<LoaderContext>;
  readonly #known: Known;
  #plain: Loader<LoaderContext>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(newPlain: () => Loader<LoaderContext>, known: Known) {
    this.#newPlain = newPlain;
    this.#known = known;
    this.#plain = newPlain();
  }

  get stats() {
    return this.#plain.stats;
  }

  load(context: PlaylistLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.context = context;
    const until = performance.now() + PATIENCE_MS;
    const ask = (): void => {
      const onSuccess: Callbacks['onSuccess'] = (response, stats, told, details) => {
        const text = typeof response.data === 'string' ? response.data : '';
        const end = endOf(text);
        const pause = pauseIn(text);
        this.#known.hasDiscontinuity ||= /^#EXT-X-DISCONTINUITY\s*$/m.test(text);
        const isLate = performance.now() + pause > until;
        if (!end || isLate || this.#isFresh(context, end)) {
          if (end) this.#known.ends.set(nameOf(context), end);
          const answer = end ? { ...response, data: readable(text) } : response;
          return callbacks.onSuccess(answer, stats, told, details);
        }
        this.#timer = setTimeout(() => {
          // One serves one request.
          this.#plain.destroy();
          this.#plain = this.#newPlain();
          ask();
        }, pause);
      };
      const url = this.#known.hasDiscontinuity ? whole(context.url) : context.url;
      this.#plain.load({ ...context, url }, config, {
        ...callbacks,
        onSuccess,
      } as LoaderCallbacks<LoaderContext>);
    };
    ask();
  }

  #isFresh(context: PlaylistLoaderContext, end: End): boolean {
    const [asked, latest] = [askedFor(context), this.#known.ends.get(nameOf(context))];
    return !(asked && isBefore(end, asked)) && !(latest && isBefore(end, latest));
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

  getResponseHeader(name: string): string | null {
    return this.#plain.getResponseHeader?.(name) ?? null;
  }
}

/** A loader class as hls.js wants one, which makes its own loaders of `Plain`. */
export function freshLoader(Plain: LoaderClass): new (config: HlsConfig) => Loader<PlaylistLoaderContext> {
  const known: Known = { ends: new Map(), hasDiscontinuity: false };
  return class extends FreshLoader {
    constructor(config: HlsConfig) {
      super(() => new Plain(config), known);
    }
  };
}
