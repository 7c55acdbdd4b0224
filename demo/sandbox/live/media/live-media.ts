// The media of live sessions (document 2, live half): a video source goes in, a signer comes out. One run for each session,
// each in a process of its own. Policy: how many run at one time is bounded by whoever starts them; closed, none starts any
// more, so that none outlives the sandbox.
import type { StreamService } from '../../streams/stream-service.ts';
import { ProcessRun } from './live-run.ts';

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

/**
 * `pending` until the first picture of the source, then `running`; `pending` again while it is away. `stopped` and `failed`
 * come last and once.
 */
export type LiveState = 'pending' | 'running' | 'stopped' | { readonly failed: string };

/** Addresses of a run; null for what it does not have. */
export interface LiveAddresses {
  /** Where to push to: `rtmp:` or `srt:` on loopback. Null for a pulled source. */
  readonly ingestUrl: string | null;
  readonly hlsUrl: string | null;
  readonly dashUrl: string | null;
  /** The composite. 503 until the source's first picture. */
  readonly pipUrl: string | null;
}

export interface LiveRun {
  /** Rejects when the process cannot be started; the run has failed then. */
  readonly ready: Promise<LiveAddresses>;
  /** Hears every state from now on; the present one at once. */
  on(report: (state: LiveState) => void): void;
  /** Ends everything and frees it: process, port, memory; within 5 seconds, also when it ended before. */
  stop(): Promise<void>;
}

export interface LiveMedia {
  /** @throws Error when these media or their streams are closed, or when no process can be had */
  start(order: LiveOrder): LiveRun;
  /** Stops all runs. */
  close(): Promise<void>;
}

export interface LiveMediaParts {
  readonly streams: Pick<StreamService, 'host'>;
  /** Longest that a source may be away before its session ends, milliseconds. Default 15 000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 15_000;

export function openLiveMedia({ streams, patienceMs = PATIENCE_MS }: LiveMediaParts): LiveMedia {
  const runs = new Set<ProcessRun>();
  let isClosed = false;
  return {
    start(order) {
      if (isClosed) throw new Error('the live media are closed');
      const run = new ProcessRun(order, streams, patienceMs);
      runs.add(run);
      void run.exited.then(() => runs.delete(run));
      return run;
    },
    async close() {
      isClosed = true;
      await Promise.all([...runs].map((run) => run.stop()));
    },
  };
}
