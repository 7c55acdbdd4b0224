// Addresses that would send the service into a private network: each is refused, in any spelling.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mountedProxy } from '../mounted-proxy.ts';

const TOKEN = 'token-of-the-operator';

/** `rebound.example` has a public address and a private one, which the service could get when it looks the name up itself. */
const resolve = async (name: string): Promise<readonly string[]> =>
  ({ 'public.example': ['93.184.216.34'], 'rebound.example': ['93.184.216.34', '10.0.0.1'] })[name] ?? [];

/** Requests for a live session, by the field that must be refused. */
const forged: readonly (readonly [field: string, address: unknown])[] = [
  ...[
    'http://127.0.0.1/a.m3u8',
    'http://localhost/a.m3u8',
    'http://LOCALHOST./a.m3u8',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://１２７.０.０.１/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://10.0.0.1:8080/',
    'http://rebound.example/',
    'http://unknown.example/',
    'http://public.example@127.0.0.1/',
    'http://a@public.example@127.0.0.1/',
    'http://127.0.0.1\\@public.example/',
    'http://public.example\\@127.0.0.1/',
    'http://public.example#@127.0.0.1/',
    'http://public.example?a@127.0.0.1/',
    'http:/127.0.0.1/',
    'http:127.0.0.1',
    '//127.0.0.1/',
    '127.0.0.1:80',
    ' http://127.0.0.1/',
    'ht\ntp://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://public.example/',
    'http://',
    '',
  ].map((address) => ['hlsSourceUrl', address] as const),
  ['rtmpOutputUrl', 'rtmp://0x7f000001/live'],
  ['rtmpOutputUrl', 'rtmp://192.168.0.1:1935/live'],
  ['outputDestinationUrl', 'srt://[::1]:9000'],
  ['outputDestinationUrl', 'srt://10.1.1.1:9000?mode=caller'],
  ['HLSSourceURL', 'http://127.0.0.1/'],
  ['tomorrow', 'http://127.0.0.1/'],
  ['tomorrow', 'jar:http://127.0.0.1!/'],
];
const proxy = await mountedProxy({ after }, { env: { SIGN_OPERATOR_TOKEN: TOKEN }, resolve });
for (const [field, address] of forged) {
  test(`${field} ${JSON.stringify(address)} is 400, and nothing goes up`, async () => {
    const response = await fetch(`${proxy.origin}/sign/v2/live/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ sourceType: 'HLS_PULL', [field]: address }),
    });
    assert.equal(response.status, 400);
    const { code, errors } = (await response.json()) as { code: string; errors: { field: string }[] };
    assert.deepEqual([code, errors.map((error) => error.field)], ['invalid_request', [field]]);
    assert.equal(proxy.upstream.asked.all.length, 0);
  });
}

/** Asks for a video with the logo at this address; resolves with the status. */
async function withLogo(origin: string, url: string): Promise<number> {
  const { status } = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      content: { data: 'Hello.' },
      output: { delivery: { config: { logo: { url } } } },
    }),
  });
  return status;
}

test('a host longer than DNS allows is refused without a look-up, because the proxy keeps the names of look-ups', async (t) => {
  const names: string[] = [];
  const proxy = await mountedProxy(t, { resolve: async (name) => (names.push(name), ['93.184.216.34']) });
  proxy.upstream.status = 200;
  const generate = (host: string): Promise<number> => withLogo(proxy.origin, `http://${host}/logo.png`);
  const longest = `${'a.'.repeat(123)}example`;
  assert.equal(await generate(`${longest}.`), 200);
  assert.equal(await generate(`a${longest}`), 400);
  assert.equal(await generate(`${'a.'.repeat(100_000)}example`), 400);
  assert.deepEqual(names, [longest]);
});

test('an address of over 8,192 characters is refused before it is parsed, because a host in Punycode takes the parser a time that grows with the square of its length', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.status = 200;
  const address = 'http://93.184.216.34/';
  assert.equal(await withLogo(proxy.origin, address.padEnd(8_192, 'a')), 200);
  assert.equal(await withLogo(proxy.origin, address.padEnd(8_193, 'a')), 400);
});
