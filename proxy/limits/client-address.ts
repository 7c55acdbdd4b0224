// Who a request comes from, for limits. Policy: the peer of the connection, unless it is a proxy the operator trusts;
// then the right-most hop of X-Forwarded-For that is not trusted, because everything left of it was written by whoever
// sent it. An IPv6 client is its /64, which is what one household or one machine gets.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface ClientAddresses {
  /** The key under which this client is counted: an IPv4 address, or an IPv6 network. */
  of(request: IncomingMessage): string;
  /** The whole address of this client. */
  addressOf(request: IncomingMessage): string;
  /** True when the connection's peer may speak for the client (X-Forwarded-*). */
  isTrustedPeer(request: IncomingMessage): boolean;
}

/** True for an address or a CIDR range of either family, as SIGN_TRUST_PROXY lists them. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** `trusted` are ranges for which isAddressRange() holds. */
export function clientAddresses(trusted: readonly string[]): ClientAddresses {
  const ranges = new BlockList();
  for (const range of trusted) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    ranges.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  const trusts = (address: string): boolean =>
    isIP(address) !== 0 && ranges.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

  const addressOf = (request: IncomingMessage): string => {
    let nearest = plainAddress(request.socket.remoteAddress);
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (trusts(nearest) && hops.length > 0) {
      const hop = plainAddress(withoutPort(hops.pop()?.trim()));
      // What is no address cannot be counted: the proxy that passed it on is counted in its place.
      if (isIP(hop) === 0) break;
      nearest = hop;
    }
    return nearest;
  };

  return {
    addressOf,
    isTrustedPeer: (request) => trusts(plainAddress(request.socket.remoteAddress)),
    of(request) {
      const address = addressOf(request);
      return isIP(address) === 6 ? network64(address) : address;
    },
  };
}

/** IPv4 in IPv6 notation (`::ffff:192.0.2.1`) as IPv4, and without the zone of a link-local address. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** Some balancers write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop = ''): string {
  return hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

function network64(address: string): string {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
