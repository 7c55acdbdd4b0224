// Shutdown of all relays.
// - Announced: `/readyz` says that the proxy leaves, everything else goes on (SIGN_DRAIN_DELAY).
// - Begun: each relay is closed with 1012 `restarting` and new ones are refused. The wait is bounded, because a relay
//   bounds its own closing (relay.ts).
// - A client whose HEAD was answered just before has 2 s for the POST that follows. Further HEADs are refused, so that their
//   clients wait and lose no text.
// - Each answer ends its connection: on a connection that stays open a HEAD could be answered and the POST after it refused.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';

/** The longest time from the answer to a HEAD to the POST after it, on a slow network. */
const POST_MS = 2_000;

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
  /** A client has found the proxy: it sends a POST next. */
  found(): void;
  /** `/readyz` fails from now on, so that balancers choose another proxy; everything is still served. */
  announce(): void;
  /** Restarts every relay; waits until all are closed and the POST of a client that found the proxy came. May be called again. */
  begin(): Promise<void>;
}

export function createDrain(clock: Clock): Drain {
  const open = new Set<Drainable>();
  let announced = false;
  let begun = false;
  let foundAt = -Infinity;
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
    found() {
      foundAt = clock.now();
    },
    announce() {
      announced = true;
    },
    async begin() {
      announced = true;
      begun = true;
      for (const relay of open) relay.restart();
      const restMs = foundAt + POST_MS - clock.now();
      const posted = new Promise<void>((over) => (restMs > 0 ? void clock.after(restMs, over) : over()));
      await Promise.all([posted, ...[...open].map((relay) => relay.closed)]);
    },
  };
}

/** For each instance that answers requests. */
export function endConnections(app: FastifyInstance, drain: Pick<Drain, 'begun'>): void {
  app.addHook('onSend', async (_request, reply) => {
    if (drain.begun) reply.header('connection', 'close');
  });
}
