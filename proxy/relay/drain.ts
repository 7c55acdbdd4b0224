// Going down without losing anyone: on SIGTERM every open relay is told `restarting` (1012), new ones are refused, and
// the wait for them is bounded because a relay bounds its own closing (relay.ts).

export interface Drainable {
  readonly closed: Promise<void>;
  restart(): void;
}

export interface Drain {
  /** True from the first begin() on: nothing new may be let in. */
  readonly begun: boolean;
  /** Keeps `relay` until it is closed. */
  add(relay: Drainable): void;
  /** Tells every relay and waits until all are closed. May be called again. */
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
