// Limits of one process: the addresses that are counted, rates, sockets, and the announcement budget.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { announcementBudget, type LocalBudget } from '../../../proxy/limits/announcement-budget.ts';
import { clientAddresses } from '../../../proxy/limits/client-address.ts';
import { clientRate } from '../../../proxy/limits/client-rate.ts';
import { type LocalSockets, openSockets } from '../../../proxy/limits/sockets.ts';
import { manualClock } from '../manual-clock.ts';

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

test('names the networks around a client, the smallest first', () => {
  const networks = (peer: string): readonly string[] => clientAddresses([]).networksOf(from(peer));
  assert.deepEqual(networks('198.51.100.7'), ['198.51.100.7', '198.51.100.0/24']);
  assert.deepEqual(networks('2001:db8:1:2cd::9'), [
    '2001:db8:1:2cd::/64',
    '2001:db8:1:200::/56',
    '2001:db8:1:0::/48',
  ]);
});

test('trusts no address that is not configured', () => {
  const clients = clientAddresses([]);
  assert.equal(clients.keyOf(from('127.0.0.1', '203.0.113.1')), '127.0.0.1');
  assert.equal(clients.isTrustedPeer(from('127.0.0.1')), false);
  assert.equal(trusting.isTrustedPeer(from('10.1.2.3')), true);
});

test('the requests of one minute pass at once, and later ones one at a time at the mean pace', () => {
  const clock = manualClock();
  const rate = clientRate(60, clock);
  for (let count = 0; count < 60; count += 1) assert.equal(rate('a'), 0);
  assert.equal(rate('a'), 1);
  clock.advance(999);
  assert.ok(rate('a') > 0);
  clock.advance(1);
  assert.equal(rate('a'), 0);
  assert.equal(rate('a'), 1);
});

test('a request that comes too early takes no token', () => {
  const clock = manualClock();
  const rate = clientRate(1, clock);
  rate('a');
  for (let count = 0; count < 5; count += 1) assert.ok(rate('a') > 0);
  clock.advance(60_000);
  assert.equal(rate('a'), 0);
});

test('a long pause saves up no more than the requests of one minute', () => {
  const clock = manualClock();
  const rate = clientRate(2, clock);
  rate('a');
  clock.advance(3_600_000);
  assert.deepEqual([rate('a'), rate('a')], [0, 0]);
  assert.ok(rate('a') > 0);
});

test('each address has a rate of its own', () => {
  const rate = clientRate(1, manualClock());
  assert.deepEqual([rate('a'), rate('b')], [0, 0]);
});

test('when ten thousand addresses have spent their rates, a new address replaces the one that asked least recently', () => {
  const clock = manualClock();
  const rate = clientRate(1, clock);
  for (let count = 0; count < 10_000; count += 1) rate(`early ${count}`);
  assert.ok(rate('early 0') > 0);
  for (let count = 0; count < 9_999; count += 1) assert.equal(rate(`late ${count}`), 0);
  assert.ok(rate('early 0') > 0, 'it asked after the others');
  assert.equal(rate('early 1'), 0, 'it was forgotten');
});

test('the time to wait can be asked without taking a token', () => {
  const rate = clientRate(1, manualClock());
  assert.deepEqual([rate.wait('a'), rate.wait('a'), rate('a')], [0, 0, 0]);
  assert.deepEqual([rate.wait('a'), rate('a')], [60, 60]);
});

test('ten thousand other addresses replace only buckets that are full again', () => {
  const clock = manualClock();
  const rate = clientRate(2, clock);
  for (let count = 0; count < 9_999; count += 1) rate(`idle ${count}`);
  clock.advance(60_000);
  assert.deepEqual([rate('spent'), rate('spent')], [0, 0]);
  for (let count = 0; count < 9_000; count += 1) rate(`new ${count}`);
  assert.ok(rate('spent') > 0);
});

function opened(sockets: LocalSockets, address: string): () => void {
  const leave = sockets.open(address);
  if (typeof leave !== 'function') throw new Error(leave);
  return leave;
}

test('an address has a limit of open sockets, and a socket that closes makes room for another', () => {
  const sockets = openSockets(2);
  const leave = opened(sockets, 'a');
  opened(sockets, 'a');
  assert.equal(sockets.refusal('a'), 'too_many_sockets');
  assert.equal(sockets.open('a'), 'too_many_sockets');
  assert.equal(sockets.refusal('b'), null);
  leave();
  assert.equal(sockets.refusal('a'), null);
  opened(sockets, 'a');
  assert.equal(sockets.open('a'), 'too_many_sockets');
});

test('all addresses together have a limit of open sockets', () => {
  const sockets = openSockets(2, 3);
  const leaves = ['a', 'b', 'c'].map((address) => opened(sockets, address));
  assert.equal(sockets.refusal('d'), 'overloaded');
  assert.equal(sockets.open('a'), 'overloaded');
  leaves[0]?.();
  opened(sockets, 'd');
  assert.equal(sockets.open('e'), 'overloaded');
});

test('all addresses together may have 10,000 open sockets', () => {
  const sockets = openSockets(1);
  for (let n = 0; n < 10_000; n += 1) opened(sockets, String(n));
  assert.equal(sockets.open('one more'), 'overloaded');
});

test('asking why a socket would be refused takes no place', () => {
  const sockets = openSockets(1);
  for (let n = 0; n < 3; n += 1) assert.equal(sockets.refusal('a'), null);
  opened(sockets, 'a');
});

/** Takes a request of the n-th of ten addresses. */
const take = (budget: LocalBudget, n: number): number => budget.take([`192.0.2.${n % 10}`], 'submit');

test('1,500 announcement requests may go at once, and the next one when the first is 301 s old', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 1_500; n++) assert.equal(take(budget, n), 0);
  assert.equal(take(budget, 0), 301);
  clock.advance(300_999);
  assert.equal(take(budget, 0), 0.001);
  clock.advance(1);
  assert.equal(take(budget, 0), 0);
});

test('no window of 5 minutes has more than 1,500 announcement requests, however they are spread', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  const sent: number[] = [];
  for (let n = 0; n < 20_000; n++) {
    if (take(budget, n) === 0) sent.push(clock.now());
    clock.advance((n * 7919) % 97);
  }
  assert.ok(sent.length > 3_000, `${sent.length} were let through`);
  for (let n = 1_500; n < sent.length; n++) {
    assert.ok(sent[n]! - sent[n - 1_500]! >= 301_000, `request ${n} came too early`);
  }
});

test('look-ups may use 1,200 of the 1,500 requests; the last 300 are left for submits', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 1_200; n++) assert.equal(budget.take([`192.0.2.${n % 10}`], 'look-up'), 0);
  clock.advance(1_000);
  assert.equal(budget.take(['198.51.100.1'], 'look-up'), 300);
  for (let n = 0; n < 300; n++) assert.equal(take(budget, n), 0);
  assert.equal(take(budget, 0), 300);
  clock.advance(300_000);
  assert.equal(budget.take(['198.51.100.1'], 'look-up'), 0, 'the 300 submits count no more than others');
});

test('all networks of a /48 together, and all addresses of a /24 together, have a fifth of the budget', () => {
  for (const address of [
    (n: number): string => `2001:db8:7:${n.toString(16)}::1`,
    (n: number): string => `192.0.2.${n % 256}`,
  ]) {
    const budget = announcementBudget(manualClock());
    const waits = Array.from({ length: 3_000 }, (_, n) =>
      budget.take(clientAddresses([]).networksOf(from(address(n))), 'submit'),
    );
    assert.equal(waits.filter((seconds) => seconds === 0).length, 300);
    assert.equal(budget.take(clientAddresses([]).networksOf(from('198.51.100.1')), 'submit'), 0);
  }
});

test('refused requests do not count, so it is always enough to wait as long as the refusal says', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 3_000; n++) take(budget, n);
  clock.advance(take(budget, 0) * 1000);
  assert.equal(take(budget, 0), 0);
});

test('during a hold the wait lasts until its end, and the longest hold counts', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  budget.hold(20);
  budget.hold(5);
  assert.equal(take(budget, 0), 20);
  clock.advance(20_000);
  assert.equal(take(budget, 0), 0);
});

test('one address may make 150 of the requests, and the others are left for other addresses', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 150; n++) assert.equal(budget.take(['a'], 'submit'), 0);
  assert.equal(budget.take(['a'], 'submit'), 301);
  for (let n = 0; n < 1_350; n++) assert.equal(take(budget, n), 0);
  assert.equal(budget.take(['b'], 'submit'), 301);
  clock.advance(301_000);
  for (let n = 0; n < 150; n++) assert.equal(budget.take(['a'], 'submit'), 0);
  assert.ok(budget.take(['a'], 'submit') > 0, 'and no more than 150 again');
});

test('ten thousand addresses get their shares one after the other, and an address whose share is spent gets no more', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 10_000; n++) {
    if (n % 1_000 === 0) {
      clock.advance(301_000);
      for (let spent = 0; spent < 150; spent++) assert.equal(budget.take(['spent'], 'submit'), 0);
    }
    assert.ok(budget.take(['spent'], 'submit') > 0, 'its share is gone');
    assert.equal(budget.take([`address ${n}`], 'submit'), 0);
  }
});
