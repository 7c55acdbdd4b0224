// Which hosts the service may be told to fetch from or push to, so that nobody reaches a network of the service's or
// the operator's by way of it. Policy: public ones. An address is public when no registry of special purposes has it
// (IANA, IPv4 and IPv6; of IPv6 only 2000::/3 is given out at all); a name is when it has a dot, is of no local domain,
// and every address that it has now is public; a name of which one family of addresses cannot be had in 4 s is not. The
// hosts of SIGN_ALLOWED_HOSTS pass as they are, where the operator names them. What a name points to may change after
// the check: that the service has to mind.
import { promises as dns } from 'node:dns';
import { BlockList, isIP } from 'node:net';

const RESOLVE_MS = 2_000;
const TRIES = 2;

const special = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, prefix, 'ipv6');
}
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/** Every address of a name, of both families, none when there is none. Rejects when that cannot be said. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Asks name servers themselves: the system's own look-up has four threads for all, and names come from pages. `servers`
 * are addresses with a port; the system's name servers by default.
 */
export const resolveBy =
  (servers?: readonly string[]): Resolve =>
  async (name) => {
    const resolver = new dns.Resolver({ timeout: RESOLVE_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.all([
      resolver.resolve4(name).catch(noneOrFail),
      resolver.resolve6(name).catch(noneOrFail),
    ]);
    return answers.flat();
  };

/** A name server that says nothing of one family might have said a private address. */
function noneOrFail(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}

export const resolveName: Resolve = resolveBy();

/** `host` as the URL parser spells it, an IPv6 address without its brackets. */
export async function isPublicHost(host: string, resolve: Resolve): Promise<boolean> {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || LOCAL_NAME.test(name)) return false;
  try {
    const addresses = await resolve(name);
    return addresses.length > 0 && addresses.every(isPublicAddress);
  } catch {
    return false;
  }
}

function isPublicAddress(address: string): boolean {
  return isIP(address) === 4
    ? !special.check(address, 'ipv4')
    : global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
