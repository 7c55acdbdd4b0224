// What a session's process and the sandbox tell each other. Policy: plain data, and credentials only this way, never as an
// argument or in the environment, which others can read.
import type { RenderOptions } from '../../painter/render-options.ts';
import type { StreamReport, StreamSpec } from '../../streams/stream-spec.ts';
import type { LiveOrder } from './media-order.ts';

/** The streams that a process may encode: the signer alone, and the signer on the source. */
export type StreamName = 'signer' | 'composite';

/** What the process is told. */
export type LiveCommand =
  | {
      readonly kind: 'open';
      readonly order: LiveOrder;
      readonly render: RenderOptions;
      readonly patienceMs: number;
    }
  /** Ends streams and pushes, then says that it is over. */
  | { readonly kind: 'stop' };

/** What the process tells. */
export type LiveNews =
  /** @see LiveAddresses.ingestUrl */
  | { readonly kind: 'ready'; readonly ingestUrl: string | null }
  /** Whether the source is there. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'running' }
  | { readonly kind: 'begun'; readonly stream: StreamName; readonly spec: StreamSpec }
  | { readonly kind: 'stream'; readonly stream: StreamName; readonly report: StreamReport }
  /** Nothing more comes; `problem` in words when it was not meant to end. */
  | { readonly kind: 'over'; readonly problem: string | null };
