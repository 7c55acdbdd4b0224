// hls.js's loader of fragments and parts, with a look first at what was asked for early. Policy: what is on its way is
// waited for, as long as hls.js gives a first byte to come; what fails or takes longer is loaded as hls.js would have. Of
// the time that a part took only its transfer is told, because waiting until there is a part says nothing of the network.
import type {
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';
import { placeOf, type ArrivedPart, type HintedPart, type HintedParts } from './hinted-parts.ts';

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;
type Callbacks = LoaderCallbacks<FragmentLoaderContext>;

class HintedLoader implements Loader<FragmentLoaderContext> {
  context: FragmentLoaderContext | null = null;
  readonly #plain: Loader<LoaderContext>;
  readonly #hints: HintedParts;
  #part: HintedPart | null = null;
  #callbacks: Callbacks | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(plain: Loader<LoaderContext>, hints: HintedParts) {
    this.#plain = plain;
    this.#hints = hints;
  }

  get stats() {
    return this.#plain.stats;
  }

  load(context: FragmentLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.context = context;
    this.#callbacks = callbacks;
    const { url, rangeStart, rangeEnd } = context;
    const part = (this.#part = this.#hints.take(placeOf(url, rangeStart, rangeEnd)));
    if (!part) return this.#loadPlainly(context, config, callbacks);
    this.stats.loading.start = performance.now();
    const giveUp = (): void => {
      if (this.#part !== part) return;
      this.#letGo();
      this.#loadPlainly(context, config, callbacks);
    };
    this.#timer = setTimeout(giveUp, config.loadPolicy.maxTimeToFirstByteMs);
    part.arrived.then((arrived) => {
      if (this.#part === part) this.#hand(arrived, context, callbacks);
    }, giveUp);
  }

  abort(): void {
    if (!this.#part) return this.#plain.abort();
    this.#letGo();
    this.stats.aborted = true;
    if (this.context) this.#callbacks?.onAbort?.(this.stats, this.context, null);
  }

  destroy(): void {
    this.#letGo();
    this.#callbacks = this.context = null;
    this.#plain.destroy();
  }

  getCacheAge(): number | null {
    return this.#plain.getCacheAge?.() ?? null;
  }

  getResponseHeader(name: string): string | null {
    return this.#plain.getResponseHeader?.(name) ?? null;
  }

  #loadPlainly(context: FragmentLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.stats.loading.start = 0;
    this.#plain.load(context, config, callbacks as LoaderCallbacks<LoaderContext>);
  }

  #hand(
    { bytes, firstByteAt, lastByteAt }: ArrivedPart,
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

  #letGo(): void {
    clearTimeout(this.#timer);
    this.#part?.abort();
    this.#part = null;
  }
}

/** A loader class as hls.js wants one, which makes its own loaders of `Plain`. */
export const hintedLoader = (
  Plain: LoaderClass,
  hints: HintedParts,
): new (config: HlsConfig) => Loader<FragmentLoaderContext> =>
  class extends HintedLoader {
    constructor(config: HlsConfig) {
      super(new Plain(config), hints);
    }
  };
