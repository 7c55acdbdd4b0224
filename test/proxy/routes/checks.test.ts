// Which origins may use the proxy, and which hosts a request to the service may name.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddresses } from '../../../proxy/limits/client-address.ts';
import { isPublicHost } from '../../../proxy/routes/body-urls.ts';
import { originPolicy } from '../../../proxy/routes/guard.ts';
import { nameLookups, resolveBy, resolveName } from '../../../proxy/routes/name-lookups.ts';
import { manualClock } from '../manual-clock.ts';
import { nameServer } from '../name-server.ts';

const clients = clientAddresses(['10.0.0.1']);
const own = originPolicy([], clients);
const listed = originPolicy(['https://listed.example'], clients);

interface Row {
  readonly what: string;
  readonly headers: Record<string, string>;
  readonly peer?: string;
  readonly encrypted?: boolean;
  readonly allowed: boolean;
}

const host = 'own.example';
const ownRows: Row[] = [
  { what: 'the proxy’s own origin', headers: { host, origin: 'http://own.example' }, allowed: true },
  {
    what: 'the proxy’s own origin on a port',
    headers: { host: `${host}:81`, origin: 'http://own.example:81' },
    allowed: true,
  },
  {
    what: 'the proxy’s own origin on the default port',
    headers: { host: `${host}:80`, origin: 'http://own.example' },
    allowed: true,
  },
  {
    what: 'the proxy’s own origin as IPv6',
    headers: { host: '[::1]:81', origin: 'http://[::1]:81' },
    allowed: true,
  },
  {
    what: 'the proxy’s own origin on TLS',
    headers: { host, origin: 'https://own.example' },
    encrypted: true,
    allowed: true,
  },
  {
    what: 'the proxy’s own origin behind a trusted proxy that ends TLS',
    headers: { host, origin: 'https://own.example', 'x-forwarded-proto': 'https' },
    peer: '10.0.0.1',
    allowed: true,
  },
  {
    what: 'the proxy’s own host when a client that is not trusted claims TLS',
    headers: { host, origin: 'https://own.example', 'x-forwarded-proto': 'https' },
    allowed: false,
  },
  {
    what: 'the proxy’s own host with another scheme',
    headers: { host, origin: 'https://own.example' },
    allowed: false,
  },
  {
    what: 'the proxy’s own host on another port',
    headers: { host, origin: 'http://own.example:81' },
    allowed: false,
  },
  { what: 'another origin', headers: { host, origin: 'https://other.example' }, allowed: false },
  { what: 'a sandboxed frame', headers: { host, origin: 'null' }, allowed: false },
  { what: 'an empty origin', headers: { host, origin: '' }, allowed: false },
  {
    what: 'a Host header longer than a name in DNS with a port, because the URL parser takes milliseconds for a long one in Punycode',
    headers: { host: 'a'.repeat(261), origin: `http://${'a'.repeat(261)}` },
    allowed: false,
  },
  {
    what: 'a Host header that is no host',
    headers: { host: 'x@own.example', origin: 'http://own.example' },
    allowed: false,
  },
  { what: 'no origin', headers: { host }, allowed: true },
  { what: 'no origin, same origin', headers: { host, 'sec-fetch-site': 'same-origin' }, allowed: true },
  { what: 'no origin, typed address', headers: { host, 'sec-fetch-site': 'none' }, allowed: true },
  { what: 'no origin, cross-site', headers: { host, 'sec-fetch-site': 'cross-site' }, allowed: false },
  { what: 'no origin, same-site', headers: { host, 'sec-fetch-site': 'same-site' }, allowed: false },
];
const listedRows: Row[] = [
  { what: 'a listed origin', headers: { host, origin: 'https://listed.example' }, allowed: true },
  {
    what: 'a listed origin with more after it',
    headers: { host, origin: 'https://listed.example.evil' },
    allowed: false,
  },
  {
    what: 'a listed origin with another scheme',
    headers: { host, origin: 'http://listed.example' },
    allowed: false,
  },
  {
    what: 'the origin that the Host header names',
    headers: { host, origin: 'http://own.example' },
    allowed: false,
  },
  { what: 'no origin', headers: { host }, allowed: true },
];
for (const [state, judge, rows] of [
  ['no origin is listed', own, ownRows],
  ['one origin is listed', listed, listedRows],
] as const) {
  for (const { what, headers, peer = '198.51.100.7', encrypted, allowed } of rows) {
    test(`while ${state}, ${what} ${allowed ? 'passes' : 'is refused'}`, () => {
      const socket = { remoteAddress: peer, ...(encrypted ? { encrypted } : {}) };
      const checked = judge({ socket, headers } as unknown as IncomingMessage);
      assert.deepEqual(checked, allowed ? { allowed, origin: headers.origin ?? null } : { allowed });
    });
  }
}

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'private.example': ['10.0.0.7'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nothing.example': [],
};

const isPublic = (host: string): Promise<boolean> => isPublicHost(host, async (name) => names[name] ?? []);

const open = [
  '93.184.216.34',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '100.128.0.1',
  '2606:2800::1',
  '2a00:1450::5',
];
const openNames = ['public.example', 'public.example.'];
for (const host of [...open, ...openNames]) {
  test(`${host} is public`, async () => assert.equal(await isPublic(host), true));
}

const special4 = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
];
const special6 = [
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:5db8:d822',
  '::7f00:1',
  '64:ff9b::a00:1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];
const badNames = [
  'localhost',
  'a.localhost',
  'metadata',
  'metadata.google.internal',
  'printer.local',
  'router.home.arpa',
  'private.example',
  'both.example',
  'mapped.example',
  'nothing.example',
  'unknown.example',
  '',
];
for (const host of [...special4, ...special6, ...badNames]) {
  test(`${host || 'an empty name'} is not public`, async () => assert.equal(await isPublic(host), false));
}

const PUBLIC6 = '2606:2800:220:1:0:0:0:1';
const PRIVATE6 = 'fd12:3456:0:0:0:0:0:1';

test('the name server is asked for the addresses of a name in both families', async (t) => {
  const { address, asked } = await nameServer(t, { 'public.example': ['93.184.216.34', PUBLIC6] });
  const found = await resolveBy([address])('public.example');
  assert.deepEqual(found, ['93.184.216.34', '2606:2800:220:1::1']);
  // On a busy machine a question is asked twice.
  assert.deepEqual([...new Set(asked)], ['public.example']);
  assert.deepEqual(await resolveBy([address])('unknown.example'), []);
});

test('a name is public when every address that the name server has for it is', async (t) => {
  const { address } = await nameServer(t, {
    'public.example': ['93.184.216.34', PUBLIC6],
    'old.example': ['93.184.216.34'],
    'private.example': ['10.0.0.7'],
    'loopback.example': ['127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'mixed.example': ['93.184.216.34', '192.168.0.1'],
    'hidden.example': ['93.184.216.34', PRIVATE6],
    'empty.example': [],
  });
  const checks = await Promise.all(
    ['public', 'old', 'private', 'loopback', 'metadata', 'mixed', 'hidden', 'empty', 'unknown'].map(
      async (name) => [name, await isPublicHost(`${name}.example`, resolveBy([address]))],
    ),
  );
  assert.deepEqual(
    checks.filter(([, isPublic]) => isPublic).map(([name]) => name),
    ['public', 'old'],
  );
});

test('a name of which the name server cannot give one family has no address, whatever the other family says', async (t) => {
  const { address } = await nameServer(t, { 'half.example': ['93.184.216.34', PUBLIC6] }, ['half.example']);
  await assert.rejects(resolveBy([address])('half.example'), { code: 'ESERVFAIL' });
  const lookUp = nameLookups(resolveBy([address]), manualClock(), { limitHit: () => undefined });
  assert.deepEqual(await lookUp('half.example', 'client'), []);
});

test('a name is looked up once for all clients, and again after a minute, or after 10 s when it had no address', async () => {
  const clock = manualClock();
  const asked: string[] = [];
  const resolve = async (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return name === 'bad' ? Promise.reject(new Error('ETIMEOUT')) : [`address of ${name}`];
  };
  const lookUp = nameLookups(resolve, clock, { limitHit: () => undefined });
  const both = async (): Promise<unknown> => Promise.all([lookUp('good', 'a'), lookUp('bad', 'b')]);
  for (const [ms, expected] of [
    [0, 'good bad'],
    [9_999, ''],
    [1, 'bad'],
    [9_999, ''],
    [1, 'bad'],
    [39_999, 'bad'],
    [1, 'good'],
  ] as const) {
    clock.advance(ms);
    const answers = Array(3).fill([['address of good'], []]);
    assert.deepEqual(await Promise.all([both(), both(), both()]), answers);
    assert.equal(asked.splice(0).join(' '), expected, `${clock.now()} ms`);
  }
});

test('at most 8 look-ups of one client and 64 of all clients wait for an answer, and known names pass meanwhile', async () => {
  const ends: (() => void)[] = [];
  const hits: string[] = [];
  const resolve = (name: string): Promise<readonly string[]> =>
    new Promise((done) => void (name === 'known' ? done(['address']) : ends.push(() => done([]))));
  const lookUp = nameLookups(resolve, manualClock(), { limitHit: (limit) => void hits.push(limit) });
  await lookUp('known', 'site');
  const pending = Array.from({ length: 8 }, (_, n) => lookUp(`slow ${n}`, 'a'));
  await assert.rejects(lookUp('slow 8', 'a'), { code: 'rate_limited', status: 429 });
  for (let n = 8; n < 64; n += 1) pending.push(lookUp(`slow ${n}`, `client ${n}`));
  await assert.rejects(lookUp('slow 64', 'b'), { code: 'overloaded', status: 503 });
  assert.deepEqual(await lookUp('known', 'a'), ['address']);
  assert.deepEqual(hits, ['name_lookups', 'name_lookups']);
  for (const end of ends) end();
  await Promise.all(pending);
  assert.deepEqual(await lookUp('known', 'a'), ['address']);
});

test('names of this machine and of its network are refused before any name server is asked', async (t) => {
  const { address, asked } = await nameServer(t, {
    localhost: ['93.184.216.34'],
    'a.localhost': ['93.184.216.34'],
  });
  for (const resolve of [resolveBy([address]), resolveName]) {
    for (const name of ['localhost', 'localhost.', 'a.localhost', 'printer.local']) {
      assert.equal(await isPublicHost(name, resolve), false, name);
    }
  }
  assert.deepEqual(asked, []);
});
