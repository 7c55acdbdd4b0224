// What a live picture is asked to show, and who hears how it fares. Policy: the owner knows sessions and addresses, the
// picture knows media; an address that has expired is looked up again by the owner, because only it can.
import type { SignError } from '../../protocol/sign-error.ts';

/** Addresses of one stream, http(s); null where it has none. */
export interface StreamAddresses {
  readonly hls: string | null;
  readonly dash: string | null;
}

/** `auto` takes HLS where there is one. */
export type LiveProtocol = 'auto' | 'hls' | 'dash';

export interface LiveSource {
  readonly addresses: StreamAddresses;
  readonly protocol: LiveProtocol;
  /**
   * Looks the stream's addresses up again, after the media server has refused one; absent where there is nothing to look
   * up. Null, or the very address that was refused, means that it is final. May reject with why.
   */
  readonly renew?: (signal: AbortSignal) => Promise<StreamAddresses | null>;
  /** Its first picture is on screen. */
  painted(): void;
  /** The picture waits for media and the engine is being helped (true), or it is painted again (false). */
  recovering(on: boolean): void;
  /** The last picture of a stream that has an end has been shown. */
  ended(): void;
  /** It will not be shown any further: `media_refused` or `media_error`, or what `renew` has rejected with. */
  failed(error: SignError): void;
}
