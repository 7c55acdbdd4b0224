// How the proxy connects to a service whose name has addresses of IPv4 and of IPv6.
// - By default Node gives each address but the last 250 ms, and then tries one of the other family. A machine without IPv6 could
//   not reach a service that is farther away, or whose first packet was lost (sent again after 1 s, RFC 6298, 2).
// - The family that connected last is tried first (RFC 8305, 4). In a network that drops IPv6, each connection would else begin
//   with the wait for IPv6: each session, most requests, and /readyz, which has 2 s in all.
import type { LookupAddress } from 'node:dns';
import type { ClientRequest } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { addressesOf } from './host-addresses.ts';

/** The family that connected last, by host name. It has as many entries as services are configured. */
const connectedLast = new Map<string, number>();

/** Looks up a host: addresses of the family that connected last come first, the others in the order of the system. */
const lookup: LookupFunction = (host, options, found) => {
  addressesOf(host, options).then(
    (addresses) => {
      const first = connectedLast.get(host);
      const rank = (address: LookupAddress): number => (address.family === first ? 0 : 1);
      const sorted = [...addresses].sort((one, other) => rank(one) - rank(other));
      if (options.all) return found(null, sorted);
      return found(null, sorted[0]?.address ?? '', sorted[0]?.family);
    },
    (error: NodeJS.ErrnoException) => found(error, []),
  );
};

/** Options of a connection. An address that does not answer at all leaves the next one its time (CONNECT_MS is 5 s). */
export const addressFamilies = { autoSelectFamilyAttemptTimeout: 1_500, lookup };

/** Remembers over which family this request connects. */
export function rememberFamily(request: ClientRequest): void {
  request.on('socket', (socket: Socket) => {
    const connected = (): void => {
      connectedLast.set(request.host, socket.remoteFamily === 'IPv6' ? 6 : 4);
    };
    if (socket.connecting) socket.once('connect', connected);
  });
}
