// How many sockets each client address holds open (SIGN_MAX_SOCKETS_PER_CLIENT). An address without one costs nothing.

export interface OpenSockets {
  isFull(address: string): boolean;
  /** Counts one more; call what it returns once, when that socket has closed. */
  add(address: string): () => void;
}

export function openSockets(limit: number): OpenSockets {
  const counts = new Map<string, number>();
  return {
    isFull: (address) => (counts.get(address) ?? 0) >= limit,
    add(address) {
      counts.set(address, (counts.get(address) ?? 0) + 1);
      return () => {
        const left = (counts.get(address) ?? 0) - 1;
        if (left > 0) counts.set(address, left);
        else counts.delete(address);
      };
    },
  };
}
