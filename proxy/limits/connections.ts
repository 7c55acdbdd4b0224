// Connections of a server that listens: of one client address, and of all.
// - An address may have 4 times as many connections as sockets (128 by default): a browser has 6 for requests, and many visitors
//   may share an address. It may have fewer while more than half of all are taken, and an IPv6 client counts in the networks
//   around it too (fair-share.ts).
// - An address that the operator trusts (SIGN_TRUST_PROXY) has no limit of its own: its connections are those of all clients.
// - All clients together may have 12,000: one for each of the 10,000 sockets, and 2,000 more. Fewer where the system allows
//   fewer open files, because a socket needs a second one to the service. Below 8,000 a line of the log says so at the start.
// - An address may send 30 bodies a minute that are refused before their end or come in too many pieces. Then its new connections
//   are closed: Node parses all that one read has brought, which takes 48 ms for 20,000 chunks of one byte.
// - A connection over a limit gets a short answer that is always the same, and is closed before anything of it is read.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError, rawResponse } from '../problem.ts';
import { clientAddresses, keyOfAddress } from './client-address.ts';
import { clientRate } from './client-rate.ts';
import { fairShare } from './fair-share.ts';
import { MAX_SOCKETS } from './sockets.ts';

const MAX_CONNECTIONS = MAX_SOCKETS + 2_000;
/** The alert SignProxyFull looks for this number of sockets: where fewer fit, it says nothing. */
const FEW_CONNECTIONS = 8_000;
const CONNECTIONS_FOR_A_SOCKET = 4;
const COSTLY_BODIES_PER_MINUTE = 30;
/** For the service's REST interfaces, name servers, Redis and files; at most half of what the system allows. */
const OTHER_FILES = 600;

/** Counts the costly body of a connection, which ends then. */
const counts = new WeakMap<Socket, () => void>();

/** The body of this connection was refused before its end, or came in too many pieces. */
export function countCostlyBody(socket: Socket): void {
  counts.get(socket)?.();
  counts.delete(socket);
}

interface ConnectionDeps {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'limitHit'>;
  /** The sites now: a reload may bring others. */
  readonly sites: () => readonly Pick<Config, 'maxSocketsPerClient'>[];
}

const FULL = rawResponse(new ProblemError('overloaded'));
const TOO_MANY = rawResponse(new ProblemError('too_many_sockets'));
const COSTLY_BODIES = rawResponse(new ProblemError('rate_limited', { headers: { 'retry-after': '60' } }));

/** `total` is for tests. */
export function limitConnections(
  server: Server,
  config: Pick<Config, 'maxSocketsPerClient' | 'trustProxy'>,
  { clock, metrics, sites }: ConnectionDeps,
  total = mostConnections(mostOpenFiles()),
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
  const costly = clientRate(COSTLY_BODIES_PER_MINUTE, clock);
  const refuse = (socket: Socket, limit: string, answer: string): void => {
    metrics.limitHit(limit);
    socket.end(answer, () => socket.destroy());
  };
  server.on('connection', (socket) => {
    const key = keyOf(socket);
    if (key !== null && costly.wait(key) > 0) return refuse(socket, 'costly_bodies', COSTLY_BODIES);
    const place = places.take(key);
    if (place === 'full') return refuse(socket, 'connections', FULL);
    if (place === 'share_used') return refuse(socket, 'connections_of_address', TOO_MANY);
    socket.once('close', place);
    if (key !== null) counts.set(socket, () => void costly(key));
  });
}

const mostConnections = (files: number): number =>
  Math.min(MAX_CONNECTIONS, Math.floor((files - Math.min(OTHER_FILES, files / 2)) / 2));

/** Warns at the start where the system's limit leaves few connections. */
export function warnOfFewFiles(log: Pick<FastifyBaseLogger, 'warn'>): void {
  const files = mostOpenFiles();
  const connections = mostConnections(files);
  if (connections > FEW_CONNECTIONS) return;
  log.warn({ files, connections }, 'the system allows few open files (ulimit -n), so fewer connections fit');
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
