// Every block of IANA's special-purpose registries, and what else leads into a private network: a paid request that names its
// first or last address, or a name with that address, is refused.
// - Not tested: an address in a network's own prefix for NAT64 (RFC 6052) or 6rd (RFC 5969), which looks like a public one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mountedProxy } from '../mounted-proxy.ts';

/** The IPv4 Special-Purpose Address Registry, multicast, and Azure's host. */
const IPV4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.8', '192.0.0.9', '192.0.0.10', '192.0.0.170', '192.0.0.171', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['168.63.129.16'],
].flat();

const ONES = ':ffff:ffff:ffff:ffff';

/** The IPv6 Special-Purpose Address Registry, and IPv6 addresses with a private IPv4 address in them. */
const IPV6 = [
  ['::', '::1', '::a00:1', '::ffff:0:0', '::ffff:10.0.0.1', '::ffff:ffff:ffff', '::ffff:0:a00:1'],
  ['64:ff9b::', '64:ff9b::a00:1', '64:ff9b::ffff:ffff', '64:ff9b:1::', `64:ff9b:1:ffff${ONES}`],
  ['100::', `100:0:0:0${ONES}`, '100:0:0:1::', `100:0:0:1${ONES}`],
  ['2001::', `2001:1ff:ffff:ffff${ONES}`, '2001:1::1', '2001:1::2', '2001:1::3'],
  // Teredo with 10.0.0.1, which it holds with inverted bits.
  ['2001::f5ff:fffe', '2001:0:5db8:d822:0:ffff:f5ff:fffe'],
  ['2001:2::', `2001:2:0:ffff${ONES}`, '2001:3::', '2001:4:112::', '2001:10::', '2001:20::', '2001:30::'],
  ['2001:db8::', `2001:db8:ffff:ffff${ONES}`],
  ['2002::', '2002:a00:1::', '2002:a00:1::a00:1', `2002:ffff:ffff:ffff${ONES}`],
  ['2620:4f:8000::', `2620:4f:8000:ffff${ONES}`],
  ['3fff::', `3fff:fff:ffff:ffff${ONES}`],
  ['5f00::', `5f00:ffff:ffff:ffff${ONES}`],
  ['fc00::', `fdff:ffff:ffff:ffff${ONES}`],
  ['fe80::', `febf:ffff:ffff:ffff${ONES}`, 'fec0::', `feff:ffff:ffff:ffff${ONES}`],
  ['ff00::', `ffff:ffff:ffff:ffff${ONES}`],
  // Blocks that are given to nobody.
  ['200::', '400::', '1000::', '4000::', '8000::', 'a000::', 'e000::', 'f000::'],
  // ISATAP (RFC 5214) with 10.0.0.1, by a locally and a globally unique number, and with the bit of a group.
  ['2606:2800:220:1:0:5efe:a00:1', '2606:2800:220:1:200:5efe:a00:1', '2606:2800:220:1:300:5efe:a00:1'],
].flat();

const OPEN = [
  '93.184.216.34',
  '2606:2800:220:1::1',
  '2606:2800:220:1:0:5eff:a00:1',
  '2606:2800:220:1:1000:5efe:a00:1',
];

/** The address of the name in the present request. */
let pointsTo = '';
const { origin, upstream } = await mountedProxy(
  { after },
  { env: { SIGN_GENERATES_PER_MINUTE: '10000' }, resolve: async () => [pointsTo] },
);
upstream.answer = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

async function passes(host: string): Promise<boolean> {
  const response = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      content: { data: 'Hello.' },
      output: { delivery: { config: { logo: { url: `https://${host}/logo.png` } } } },
    }),
  });
  await response.arrayBuffer();
  return response.status === 200;
}

let names = 0;

/** The addresses that pass, by themselves and behind a name. */
async function passing(addresses: readonly string[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const address of addresses) {
    pointsTo = address;
    names += 1;
    const hosts = [address.includes(':') ? `[${address}]` : address, `n${names}.example`];
    for (const host of hosts) if (await passes(host)) passed.push(`${host} (${address})`);
  }
  return passed;
}

test('no address of a special-purpose block of IPv4 passes', async () => {
  assert.deepEqual(await passing(IPV4), []);
});

test('no address of a special-purpose block of IPv6 passes, and none with a private IPv4 address in it', async () => {
  assert.deepEqual(await passing(IPV6), []);
});

test('public addresses pass', async () => {
  assert.equal((await passing(OPEN)).length, 2 * OPEN.length);
});
