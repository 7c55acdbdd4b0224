// Which hosts are public, as literals and by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicHost, resolveBy, resolveName } from '../../../proxy/routes/body-urls.ts';
import { nameServer } from '../name-server.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'private.example': ['10.0.0.7'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nothing.example': [],
};

const judge = (host: string): Promise<boolean> =>
  isPublicHost(host, async (name) => {
    const addresses = names[name];
    if (!addresses) throw new Error('ENOTFOUND');
    return addresses;
  });

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
  test(`${host} is public`, async () => assert.equal(await judge(host), true));
}

const special4 = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
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
  test(`${host || 'an empty name'} is not public`, async () => assert.equal(await judge(host), false));
}

const PUBLIC6 = '2606:2800:220:1:0:0:0:1';
const PRIVATE6 = 'fd12:3456:0:0:0:0:0:1';

test('names are asked of a name server, both families of them', async (t) => {
  const { address, asked } = await nameServer(t, { 'public.example': ['93.184.216.34', PUBLIC6] });
  const found = await resolveBy([address])('public.example');
  assert.deepEqual(found, ['93.184.216.34', '2606:2800:220:1::1']);
  assert.deepEqual(asked, ['public.example', 'public.example']);
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
  const verdicts = await Promise.all(
    ['public', 'old', 'private', 'loopback', 'metadata', 'mixed', 'hidden', 'empty', 'unknown'].map(
      async (name) => [name, await isPublicHost(`${name}.example`, resolveBy([address]))],
    ),
  );
  assert.deepEqual(
    verdicts.filter(([, isPublic]) => isPublic).map(([name]) => name),
    ['public', 'old'],
  );
});

test('a name of which the name server cannot give one family is not public, whatever the other family says', async (t) => {
  const { address } = await nameServer(t, { 'half.example': ['93.184.216.34', PUBLIC6] }, ['half.example']);
  await assert.rejects(resolveBy([address])('half.example'), { code: 'ESERVFAIL' });
  assert.equal(await isPublicHost('half.example', resolveBy([address])), false);
});

test('names of this machine are refused before any name server is asked', async (t) => {
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
