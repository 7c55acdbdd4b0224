// The media of live sessions (document 2, live half): a video source goes in, a signer comes out. One run for each session,
// each in a process of its own. Policy: how many run at one time is bounded by whoever starts them; closed, none starts any
// more, so that none outlives the sandbox.
import type { RenderOptions } from '../../painter/render-options.ts';
import type { StreamService } from '../../streams/stream-service.ts';
import { ProcessRun, type LiveRun } from './live-run.ts';
import type { LiveOrder } from './media-order.ts';

export interface LiveMedia {
  /** @throws Error when these media or their streams are closed, or when no process can be had */
  start(order: LiveOrder): LiveRun;
  /** Stops all runs. */
  close(): Promise<void>;
}

export interface LiveMediaParts {
  readonly streams: Pick<StreamService, 'host'>;
  readonly render: RenderOptions;
  /** Longest that a source may be away before its session ends, milliseconds. Default 15 000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 15_000;

export function openLiveMedia({ streams, render, patienceMs = PATIENCE_MS }: LiveMediaParts): LiveMedia {
  const runs = new Set<ProcessRun>();
  let isClosed = false;
  return {
    start(order) {
      if (isClosed) throw new Error('the live media are closed');
      const run = new ProcessRun(order, streams, render, patienceMs);
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
