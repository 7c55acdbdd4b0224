// Under which address a client is counted.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddresses } from '../../../proxy/limits/client-address.ts';

const from = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

const trusting = clientAddresses(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);

const rows: [string, string | undefined, string | undefined, string][] = [
  ['the peer, when it is not trusted', '198.51.100.7', undefined, '198.51.100.7'],
  ['the peer, whatever it claims', '198.51.100.7', '203.0.113.1', '198.51.100.7'],
  ['the hop before a trusted proxy', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['the right-most hop that is not trusted', '10.0.0.1', '1.1.1.1, 203.0.113.1, 10.9.9.9', '203.0.113.1'],
  ['the left-most hop when all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a trusted proxy that names nobody', '10.0.0.1', undefined, '10.0.0.1'],
  ['a trusted proxy that names nonsense', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
  ['IPv4 written as IPv6', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
  ['a trusted IPv4 proxy written as IPv6', '::ffff:10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['a hop with a port', '192.0.2.1', '203.0.113.1:4711', '203.0.113.1'],
  ['an IPv6 hop with brackets and a port', '192.0.2.1', '[2001:db8:2:3:4:5:6:7]:4711', '2001:db8:2:3::/64'],
  ['the /64 of an IPv6 client', '2001:db8:aa:bb:1:2:3:4', undefined, '2001:db8:aa:bb::/64'],
  ['the /64 of a shortened one', '2001:DB8::1', undefined, '2001:db8:0:0::/64'],
  ['the /64 of loopback', '::1', undefined, '0:0:0:0::/64'],
  ['the /64 of a link-local one with its zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a trusted IPv6 proxy', '2001:db8:1::5', '203.0.113.1', '203.0.113.1'],
  ['a connection that is already gone', undefined, undefined, ''],
];
for (const [what, peer, forwarded, expected] of rows) {
  test(`counts ${what}`, () => assert.equal(trusting.keyOf(from(peer, forwarded)), expected));
}

test('trusts nobody unless told to', () => {
  const clients = clientAddresses([]);
  assert.equal(clients.keyOf(from('127.0.0.1', '203.0.113.1')), '127.0.0.1');
  assert.equal(clients.isTrustedPeer(from('127.0.0.1')), false);
  assert.equal(trusting.isTrustedPeer(from('10.1.2.3')), true);
});
