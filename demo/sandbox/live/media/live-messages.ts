// The messages between the sandbox and the process of a live session, and what both sides share.
// - Messages are plain data.
// - Credentials go by message only, never as an argument or in the environment, which others can read.
// - The message of a `LiveProblem` becomes the session's `error` (document 2, Live session object), so it has no
//   addresses and no keys in it.
import type { SignerName } from '../../painter/figure.ts';
import type { RenderOptions } from '../../painter/render-options.ts';
import type { StreamReport, StreamSpec } from '../../streams/stream-spec.ts';

/** Where the video comes from: it is pulled, or pushed to an address of the sandbox. */
export type LiveInput =
  /**
   * `normalise` when the source is outside the canonical shape (document 2, HLS source contract). It only matters for the limit of
   * such sources. A composite is always encoded anew, because the signer is painted into it.
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

/** Where the signer goes: into playlists, or to another server, to which it is pushed. */
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

export interface LiveSpec {
  /** The session's id. */
  readonly id: string;
  readonly source: LiveInput;
  readonly output: LiveOutput;
  /** Composites the signer onto the source; only with the output `hls`. */
  readonly pictureInPicture: boolean;
  readonly signer: SignerName;
}

/** The streams that a process may encode: the signer alone, and the signer on the source. */
export type StreamName = 'signer' | 'composite';

/** What the sandbox sends to the process. */
export type LiveCommand =
  | {
      readonly kind: 'open';
      readonly spec: LiveSpec;
      readonly render: RenderOptions;
      readonly maxAwayMs: number;
    }
  /** End streams and pushes, then send `over`. */
  | { readonly kind: 'stop' };

/** What the process sends to the sandbox. */
export type LiveNews =
  /** The first message: its code has been loaded. */
  | { readonly kind: 'loaded' }
  /** @see LiveAddresses.ingestUrl */
  | { readonly kind: 'ready'; readonly ingestUrl: string | null }
  /** The source has gone and may return. */
  | { readonly kind: 'pending' }
  /** The source sends video. */
  | { readonly kind: 'running' }
  | { readonly kind: 'begun'; readonly stream: StreamName; readonly spec: StreamSpec }
  | { readonly kind: 'stream'; readonly stream: StreamName; readonly report: StreamReport }
  /** The last message; `problem` says in words why a session failed. */
  | { readonly kind: 'over'; readonly problem: string | null };

export class LiveProblem extends Error {
  override readonly name = 'LiveProblem';
}
