// Connections of a server that listens: of one client address, and of all.
// - An address may have 4 times as many connections as sockets (128 by default): a browser has 6 for requests, and many visitors
//   may share an address. It may have fewer while more than half of all are taken, and an IPv6 client counts in the networks
//   around it too (fair-share.ts).
// - An address that the operator trusts (SIGN_TRUST_PROXY) has no limit of its own: its connections are those of all clients.
// - All clients together may have 12,000: one for each of the 10,000 sockets, and 2,000 more. Fewer where the system allows
//   fewer open files, because a socket needs a second one to the service.
// - A connection over a limit gets a short answer that is always the same, and is closed before anything of it is read.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError, rawResponse } from '../problem.ts';
import { clientAddresses, keyOfAddress } from './client-address.ts';
import { fairShare } from './fair-share.ts';
import { MAX_SOCKETS } from './sockets.ts';

const MAX_CONNECTIONS = MAX_SOCKETS + 2_000;
const CONNECTIONS_FOR_A_SOCKET = 4;
/** For the service's REST interfaces, name servers, Redis and files. */
const OTHER_FILES = 600;

interface ConnectionDeps {
  readonly metrics: Pick<Metrics, 'limitHit'>;
  /** The sites now: a reload may bring others. */
  readonly sites: () => readonly Pick<Config, 'maxSocketsPerClient'>[];
}

const FULL = rawResponse(new ProblemError('overloaded'));
const TOO_MANY = rawResponse(new ProblemError('too_many_sockets'));

/** `total` is for tests. */
export function limitConnections(
  server: Server,
  config: Pick<Config, 'maxSocketsPerClient' | 'trustProxy'>,
  { metrics, sites }: ConnectionDeps,
  total = Math.min(MAX_CONNECTIONS, Math.floor((mostOpenFiles() - OTHER_FILES) / 2)),
): void {
  const share = (): number => {
    const ofSites = sites().map((site) => site.maxSocketsPerClient);
    return CONNECTIONS_FOR_A_SOCKET * Math.max(config.maxSocketsPerClient, ...ofSites);
  };
  const places = fairShare(Math.max(1, total), share);
  const clients = clientAddresses(config.trustProxy);
  /** Null for an address that the operator trusts. */
  const keyOf = ({ remoteAddress = '' }: Socket): string | null =>
    clients.trusts(remoteAddress) ? null : keyOfAddress(remoteAddress);
  server.on('connection', (socket) => {
    const place = places.take(keyOf(socket));
    if (typeof place === 'function') return void socket.once('close', place);
    metrics.limitHit(place === 'full' ? 'connections' : 'connections_of_address');
    socket.end(place === 'full' ? FULL : TOO_MANY, () => socket.destroy());
  });
}

/** The limit of this process, which Node raises at its start; Infinity where the system does not show it in /proc. */
function mostOpenFiles(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Infinity : Number(limit);
  } catch {
    return Infinity;
  }
}
