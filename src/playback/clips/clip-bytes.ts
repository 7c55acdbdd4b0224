// The bytes of one clip. Policy: they are fetched as soon as the result is there (a URL lives 5 minutes, a paused reader
// must lose nothing; how: clip-fetch.ts) and kept until released, in the page's own memory: to write a Blob and to read it
// back takes two trips to another process, milliseconds that the first frame would be late by.
import { inTime } from '../../internal/in-time.ts';

export interface ClipSource {
  /** As the service gave it: http(s), presigned. */
  readonly url: string;
  /** Asks for a fresh URL of the same clip; rejects with a SignError when there is none to be had. */
  renew(signal: AbortSignal): Promise<string>;
}

/** A clip that is here. */
export interface ClipFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As the media server calls it. */
  readonly type: string;
}

/** The clip, or the URL itself where the media host lets no script read it. */
export type Playable = ClipFile | string;

export class ClipBytes {
  #url: string;
  #loading: Promise<Playable> | null = null;
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

  /** Ends whatever is under way, for good. */
  release(): void {
    this.#ending.abort();
    this.#loading = null;
  }

  async #fetch(): Promise<Playable> {
    const { signal } = this.#ending;
    const { fetchClip } = await inTime(import('./screens.ts'));
    return fetchClip({ ...this.#source, url: this.#url }, (url) => (this.#url = url), signal);
  }
}
