// A relay between two fake sockets with a manual clock, and without limits unless a test sets them.
import Fastify from 'fastify';
import { createRedactor } from '../../../proxy/credentials/redaction.ts';
import type { Drainable } from '../../../proxy/relay/drain.ts';
import { startRelay, type RelayDeps } from '../../../proxy/relay/relay.ts';
import { FakeSocket } from '../fake-socket.ts';
import { manualClock, type ManualClock } from '../manual-clock.ts';

export interface FakeRelay {
  readonly client: FakeSocket;
  readonly upstream: FakeSocket;
  readonly clock: ManualClock;
  readonly relay: Drainable;
  /** Frames counted, in each direction. */
  readonly counted: { up: number; down: number };
  readonly limitHits: readonly string[];
}

export function fakeRelay(
  state: 'connecting' | 'open' = 'open',
  parts: Partial<Pick<RelayDeps, 'rate' | 'refusals' | 'redactor' | 'maxTextBytes' | 'spending'>> = {},
): FakeRelay {
  const client = new FakeSocket('open');
  const upstream = new FakeSocket('connecting');
  const clock = manualClock();
  const counted = { up: 0, down: 0 };
  const limitHits: string[] = [];
  const relay = startRelay(client.asWebSocket, upstream.asWebSocket, {
    clock,
    log: Fastify().log,
    metrics: {
      frame: (direction) => void (counted[direction] += 1),
      relayEnded: () => undefined,
      upstreamAnswered: () => undefined,
      limitHit: (limit) => void limitHits.push(limit),
    },
    connection: client.connection,
    rate: () => 0,
    refusals: () => 0,
    signers: [],
    maxTextBytes: Infinity,
    redactor: createRedactor([]),
    sentByUpgrade: [],
    spending: {
      isSpent: false,
      add: () => undefined,
      expect: () => undefined,
      mustWait: () => false,
      streaming: () => () => 0,
    },
    ...parts,
  });
  if (state === 'open') upstream.open();
  return { client, upstream, clock, relay, counted, limitHits };
}
