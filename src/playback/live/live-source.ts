// What a live player is given: where a stream is, and what its owner hears of it.
import type { SignError } from '../../protocol/sign-error.ts';
import type { LiveProtocol, StreamAddresses } from './engine.ts';

/** A live stream, and the callbacks of its owner. The owner knows sessions and addresses; the player knows media. */
export interface LiveSource {
  readonly addresses: StreamAddresses;
  readonly protocol: LiveProtocol;
  /**
   * Looks the addresses up again after the media server has refused one; absent when there is nothing to look up. Null, or
   * the address that was refused, is final. May reject with the reason.
   */
  readonly renew?: (signal: AbortSignal) => Promise<StreamAddresses | null>;
  /** True once its session has ended. Absent: never. */
  isOver?(): boolean;
  /** Its first frame is on screen. */
  painted(): void;
  /** Playback has stalled and is being recovered (true), or it goes on (false). */
  recovering(recovering: boolean): void;
  /** The last frame of a stream that has an end was shown. */
  ended(): void;
  /** It ends here: `media_refused`, `media_error`, or the error of `renew`. */
  failed(error: SignError): void;
}
