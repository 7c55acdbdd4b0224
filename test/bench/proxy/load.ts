// Calls for the process that makes the load (programs/pages.ts).
import { once } from 'node:events';
import type { Order, Result } from './orders.ts';
import { died, end, forkOf } from './program.ts';

export interface Load {
  open(port: number, count: number): Promise<void>;
  /** Resolves with how many texts were answered. */
  saturate(inFlight: number, ms: number): Promise<number>;
  /** Resolves with how long each text took there and back, in ms. */
  pace(perSecond: number, ms: number): Promise<readonly number[]>;
  close(): Promise<void>;
  stop(): Promise<void>;
}

export function startLoad(): Load {
  const child = forkOf('pages');
  child.setMaxListeners(0);
  const order = async (what: Order): Promise<Result> => {
    const answered = once(child, 'message');
    child.send(what);
    const [result] = (await Promise.race([answered, died(child, 'the load')])) as [Result];
    if (result.kind === 'failed') throw new Error(result.message);
    return result;
  };
  return {
    open: async (port, count) => void (await order({ kind: 'open', port, count })),
    async saturate(inFlight, ms) {
      const result = await order({ kind: 'saturate', inFlight, ms });
      return result.kind === 'answered' ? result.count : NaN;
    },
    async pace(perSecond, ms) {
      const result = await order({ kind: 'pace', perSecond, ms });
      return result.kind === 'took' ? result.ms : [];
    },
    close: async () => void (await order({ kind: 'close' })),
    stop: () => end(child),
  };
}
