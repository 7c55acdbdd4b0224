// What the media of a live session are to be made of, and where they are to go (document 2, Live session create request). Plain
// data: it crosses to the process that makes them.

/** Where the video comes from: pulled, or pushed to an address of ours. */
export type LiveInput =
  /**
   * `normalise` when the source is outside the canonical shape (document 2, HLS source contract). A composite is encoded
   * anew either way: there is a signer in it.
   */
  | { readonly kind: 'hls'; readonly url: string; readonly normalise: boolean }
  | { readonly kind: 'rtmp'; readonly streamKey: string }
  | {
      readonly kind: 'srt';
      /** Null for a stream that is not encrypted. */
      readonly passphrase: string | null;
      /** Bytes of the AES key. */
      readonly keyLength: 16 | 32;
      readonly latencyMs: number;
    };

/** Where the signer goes: to playlists, or pushed to someone else's address. */
export type LiveOutput =
  | { readonly kind: 'hls' }
  | { readonly kind: 'rtmp'; readonly url: string; readonly streamKey: string | null }
  | {
      readonly kind: 'srt';
      readonly url: string;
      readonly passphrase: string | null;
      readonly keyLength: 16 | 32;
      readonly latencyMs: number;
    };

export interface LiveOrder {
  /** The session's id, for logs. */
  readonly id: string;
  readonly source: LiveInput;
  readonly output: LiveOutput;
  /** Composites the signer onto the source; only with the output `hls`. */
  readonly pictureInPicture: boolean;
  /** `RAE`, `JAY` or `MAX`. */
  readonly signer: string;
  readonly language: 'BSL' | 'ASL';
}
