// IP addresses, ranges of them, and one spelling for each host. Parsing and the special-purpose ranges are ipaddr.js's.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [first: IpAddress, bits: number];

/** An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) as IPv4; the zone of a link-local address is dropped. */
export function parseAddress(text: string): IpAddress | null {
  const address = text.replace(/%.*$/, '');
  // ipaddr.js reads `1` and `0x7f.1` as addresses too.
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** An address or a CIDR range of either family, as SIGN_TRUST_PROXY lists them; null for anything else. */
export function parseRange(text: string): AddressRange | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const size = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const bits = prefix === undefined ? size : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  const first = parseAddress(address);
  if (first === null || rest.length > 0 || bits > size) return null;
  // A range of IPv4 addresses inside IPv6 is one of IPv4.
  return [first, size === 128 && first.kind() === 'ipv4' ? Math.max(0, bits - 96) : bits];
}

export const isInRange = (address: IpAddress, [first, bits]: AddressRange): boolean =>
  address.kind() === first.kind() && address.match(first, bits);

const GLOBAL_IPV6: AddressRange = [ipaddr.parse('2000::'), 3];

/** Azure's host, from which a virtual machine can get secrets; no registry lists its address. */
const AZURE_HOST = '168.63.129.16';

/** ISATAP (RFC 5214, 6.1): in any network, packets for such an address go to the IPv4 address in its last 32 bits. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => ((parts[4] ?? 0) & 0xfcff) === 0 && parts[5] === 0x5efe;

/**
 * True for an address that no special-purpose registry of IANA lists and that is neither Azure's host nor ISATAP. Of IPv6 only
 * 2000::/3 counts, because no other range is assigned.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text === AZURE_HOST) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || (isInRange(address, GLOBAL_IPV6) && !isIsatap(address));
}

export const isLoopbackHost = (host: string): boolean => {
  const name = canonicalHost(host) ?? '';
  return name === 'localhost' || parseAddress(name)?.range() === 'loopback';
};

/** The host of a URL; of IPv6 without brackets, of a name without a dot at its end. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/**
 * The host in the spelling of the URL parser, so that two hosts can be compared: lower case, IPv4 in four decimal numbers, IPv6
 * compressed and without brackets, a name without a dot at its end. Null when no URL can have this host.
 */
export function canonicalHost(host: string): string | null {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(url) ? hostIn(new URL(url)) : null;
}

/** `host:port`, or `[host]:port` for an IPv6 address; `host` is as canonicalHost() spells it. */
export const hostAndPort = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
