// The address of the client that a request is counted for.
// - It is the peer of the connection. If the operator trusts the peer (SIGN_TRUST_PROXY), it is the right-most hop of
//   X-Forwarded-For that is not trusted: the sender may have written everything left of that.
// - An IPv6 client is counted by its /64, the network of one household or one machine. The /56 around it has 4 times the
//   limit of a client and the /48 has 16 times: both are given to single customers.
import type { IncomingMessage } from 'node:http';
import { isInRange, parseAddress, parseRange, type AddressRange, type IpAddress } from '../addresses.ts';

export interface ClientAddresses {
  /** The key under which this client is counted: an IPv4 address, or an IPv6 network. */
  keyOf(request: IncomingMessage): string;
  /**
   * The networks that this client is in, the smallest first: its key, and the /24 of an IPv4 address or the /56 and the
   * /48 of an IPv6 one.
   */
  networksOf(request: IncomingMessage): readonly string[];
  /** The whole address of this client. */
  addressOf(request: IncomingMessage): string;
  /** True when the connection's peer may set X-Forwarded-* for the client. */
  isTrustedPeer(request: IncomingMessage): boolean;
  /** The same for an address. */
  trusts(address: string): boolean;
}

/** @throws TypeError when an item of `trusted` is no address or range */
export function clientAddresses(trusted: readonly string[]): ClientAddresses {
  const ranges = trusted.map(rangeOf);
  const trusts = (address: IpAddress | null): boolean =>
    address !== null && ranges.some((range) => isInRange(address, range));
  const peerOf = ({ socket }: IncomingMessage): IpAddress | null => parseAddress(socket.remoteAddress ?? '');

  const clientOf = (request: IncomingMessage): IpAddress | null => {
    let nearest = peerOf(request);
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (nearest !== null && trusts(nearest) && hops.length > 0) {
      const hop = parseAddress(withoutPort(hops.pop()?.trim()));
      // What is no address cannot be counted: the proxy that passed it on is counted instead.
      if (hop === null) break;
      nearest = hop;
    }
    return nearest;
  };

  return {
    addressOf: (request) => clientOf(request)?.toString() ?? '',
    keyOf: (request) => networksOf(clientOf(request))[0] ?? '',
    networksOf: (request) => networksOf(clientOf(request)),
    isTrustedPeer: (request) => trusts(peerOf(request)),
    trusts: (address) => trusts(parseAddress(address)),
  };
}

/** A network, and the limit of all its clients together, as a multiple of the limit of one client. */
export type Share = readonly [network: string, times: number];

/** Whether a client with this key is counted in networks around it too. */
export const isInNetworks = (key: string): boolean => key.endsWith('::/64');

/**
 * The networks in which a client with this key is counted, its own first. An IPv6 client is also counted in its /56 and /48,
 * because one host may have a whole /48, which holds 65,536 keys.
 */
export function sharesOf(key: string): readonly Share[] {
  if (!isInNetworks(key)) return [[key, 1]];
  const [first = '', second = '', third = '', fourth = ''] = key.slice(0, -'::/64'.length).split(':');
  const site = `${first}:${second}:${third}`;
  const household = (parseInt(fourth, 16) & 0xff00).toString(16);
  return [
    [key, 1],
    [`${site}:${household}::/56`, 4],
    [`${site}:0::/48`, 16],
  ];
}

/** The key of a client with this address. */
export const keyOfAddress = (address: string): string => networksOf(parseAddress(address))[0] ?? '';

function rangeOf(text: string): AddressRange {
  const range = parseRange(text);
  if (range === null) throw new TypeError(`${text} is not an address range`);
  return range;
}

/** Some balancers write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop = ''): string {
  return hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

function networksOf(address: IpAddress | null): readonly string[] {
  if (address === null) return [''];
  if (!('parts' in address)) return [address.toString(), `${address.octets.slice(0, 3).join('.')}.0/24`];
  const [first = 0, second = 0, third = 0, fourth = 0] = address.parts;
  const network = (last: number, bits: number): string =>
    `${[first, second, third, last].map((part) => part.toString(16)).join(':')}::/${bits}`;
  return [network(fourth, 64), network(fourth & 0xff00, 56), network(0, 48)];
}
