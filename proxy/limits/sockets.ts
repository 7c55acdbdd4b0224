// Open sockets: of one client address (SIGN_MAX_SOCKETS_PER_CLIENT) and of this process (10,000 take about 240 MB).
// - Where replicas share the count: shared-sockets.ts.
// - An IPv6 client counts in the networks around it too (sharesOf): a host that has 65,536 keys would take all 10,000 sockets.
// - While more than half of the sockets of the process are open, an address may have fewer (fair-share.ts): otherwise 313
//   addresses with 32 sockets each would take all.
import { sharesOf } from './client-address.ts';
import { countUnder, type Release, shareLeft } from './fair-share.ts';

export const MAX_SOCKETS = 10_000;

/** The limit that is reached: of the address, or of this process. */
export type SocketRefusal = 'too_many_sockets' | 'overloaded';

/** Returns promises where replicas share the count. */
export interface OpenSockets {
  /** Why the address could not open one more socket now; null when it could. */
  refusal(address: string): SocketRefusal | null | Promise<SocketRefusal | null>;
  /** Counts one more socket. The Release is called when it has closed. */
  open(address: string): Release | SocketRefusal | Promise<Release | SocketRefusal>;
  /** Another limit for the same count: the sockets that are open count towards it. */
  withLimit(limit: number): OpenSockets;
}

export interface LocalSockets extends OpenSockets {
  refusal(address: string): SocketRefusal | null;
  open(address: string): Release | SocketRefusal;
  withLimit(limit: number): LocalSockets;
}

/** Sockets of all sites of a process. */
export interface SocketCount {
  open: number;
}

/** The networks in which an address counts. */
export const networksOf = (address: string): string[] => sharesOf(address).map(([network]) => network);

export function openSockets(
  limit: number,
  total = MAX_SOCKETS,
  ofAll: SocketCount = { open: 0 },
  counts = new Map<string, number>(),
): LocalSockets {
  const refusal = (address: string): SocketRefusal | null => {
    const shares = sharesOf(address);
    const isOver = (free: number): boolean =>
      shares.some(([network, times]) => (counts.get(network) ?? 0) >= shareLeft(limit * times, free, total));
    if (isOver(total)) return 'too_many_sockets';
    if (ofAll.open >= total) return 'overloaded';
    return isOver(total - ofAll.open) ? 'too_many_sockets' : null;
  };
  return {
    refusal,
    open(address) {
      const refused = refusal(address);
      if (refused !== null) return refused;
      ofAll.open += 1;
      const release = countUnder(counts, networksOf(address));
      return () => {
        ofAll.open -= 1;
        release();
      };
    },
    withLimit: (other) => openSockets(other, total, ofAll, counts),
  };
}
