// What the media origin serves: routes, each with paths of its own. Policy: a route knows its files and their signatures;
// methods, CORS, ranges and the media faults are the origin's, the same for every route.

/** A whole file that can be had; the origin cuts ranges out of it. */
export interface MediaFile {
  /** MIME type. */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** `Cache-Control` of the answer. */
  readonly cacheControl: string;
  /** Strong entity tag without its quotes, for bytes that never change; null for what grows. */
  readonly tag: string | null;
}

/** Why there is no file: status 400 to 599 and a sentence, sent as plain text that is not to be cached. */
export interface Refusal {
  readonly status: number;
  readonly why: string;
}

export interface MediaRoute {
  /** Whether this path is one of this route's; the first route that says so answers. */
  owns(path: string): boolean;
  /** Whether the address carries a signature that holds now; the origin answers 403 when not. */
  permits(url: URL): boolean;
  /**
   * The file at this address, at once or when it is there (blocking reload, preload hints).
   * @param gone aborts when the client has gone away or the server closes: nothing may wait after it
   */
  file(url: URL, gone: AbortSignal): MediaFile | Refusal | Promise<MediaFile | Refusal>;
}

export const notFound: Refusal = { status: 404, why: 'not found' };
