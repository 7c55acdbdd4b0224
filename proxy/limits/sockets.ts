// How many sockets are open at one time: of a client address (SIGN_MAX_SOCKETS_PER_CLIENT), and in this process, where
// 10,000 take about 240 MB. An address without one costs nothing.

const MAX_SOCKETS = 10_000;

/** Gives a socket's place back; called once, when it has closed. */
export type Leave = () => void;
/** Which limit is reached: of the address, or of this process. */
export type SocketRefusal = 'too_many_sockets' | 'overloaded';

/** The answers are promises where replicas share the count. */
export interface OpenSockets {
  /** Why an address could not open one more now, null when it could. Takes nothing. */
  refusal(address: string): SocketRefusal | null | Promise<SocketRefusal | null>;
  /** Takes a place for one more. */
  open(address: string): Leave | SocketRefusal | Promise<Leave | SocketRefusal>;
}

export interface LocalSockets extends OpenSockets {
  refusal(address: string): SocketRefusal | null;
  open(address: string): Leave | SocketRefusal;
}

export function openSockets(limit: number, inAll = MAX_SOCKETS): LocalSockets {
  const counts = new Map<string, number>();
  let all = 0;
  const refusal = (address: string): SocketRefusal | null => {
    if ((counts.get(address) ?? 0) >= limit) return 'too_many_sockets';
    return all >= inAll ? 'overloaded' : null;
  };
  return {
    refusal,
    open(address) {
      const refused = refusal(address);
      if (refused !== null) return refused;
      counts.set(address, (counts.get(address) ?? 0) + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (counts.get(address) ?? 0) - 1;
        if (left > 0) counts.set(address, left);
        else counts.delete(address);
      };
    },
  };
}
