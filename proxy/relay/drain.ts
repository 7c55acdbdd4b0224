// Shutdown of all relays.
// - announced: `/readyz` says that the proxy leaves, everything else goes on (SIGN_DRAIN_DELAY).
// - begun: each relay is closed with 1012 `restarting` and new ones are refused. The wait is bounded, because a relay
//   bounds its own closing (relay.ts).
export interface Drainable {
  readonly closed: Promise<void>;
  restart(): void;
}

export interface Drain {
  /** True after announce() or begin(): no new work should be sent here. */
  readonly announced: boolean;
  /** True after begin(): new relays are refused. */
  readonly begun: boolean;
  /** Tracks `relay` until it is closed. */
  add(relay: Drainable): void;
  /** `/readyz` fails from now on, so that balancers choose another proxy; everything is still served. */
  announce(): void;
  /** Restarts every relay and waits until all are closed. May be called again. */
  begin(): Promise<void>;
}

export function createDrain(): Drain {
  const open = new Set<Drainable>();
  let announced = false;
  let begun = false;
  return {
    get announced() {
      return announced;
    },
    get begun() {
      return begun;
    },
    add(relay) {
      open.add(relay);
      void relay.closed.then(() => open.delete(relay));
    },
    announce() {
      announced = true;
    },
    async begin() {
      announced = true;
      begun = true;
      for (const relay of open) relay.restart();
      await Promise.all([...open].map((relay) => relay.closed));
    },
  };
}
