// Shutdown of all relays: each is closed with 1012 `restarting` and new ones are refused. The wait is bounded,
// because a relay bounds its own closing (relay.ts).
export interface Drainable {
  readonly closed: Promise<void>;
  restart(): void;
}

export interface Drain {
  /** True after begin(): new relays are refused. */
  readonly begun: boolean;
  /** Tracks `relay` until it is closed. */
  add(relay: Drainable): void;
  /** Restarts every relay and waits until all are closed. May be called again. */
  begin(): Promise<void>;
}

export function createDrain(): Drain {
  const open = new Set<Drainable>();
  let begun = false;
  return {
    get begun() {
      return begun;
    },
    add(relay) {
      open.add(relay);
      void relay.closed.then(() => open.delete(relay));
    },
    async begin() {
      begun = true;
      for (const relay of open) relay.restart();
      await Promise.all([...open].map((relay) => relay.closed));
    },
  };
}
