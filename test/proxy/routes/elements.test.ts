// The built elements, as any site loads them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../temporary-folder.ts';
import { mountedProxy } from '../mounted-proxy.ts';

const MODULE = 'import("./chunks/hls-Ab3dE6gH.js");';
const BROTLI = Buffer.from('stands for the brotli of the module');

function builtElements(files: Record<string, string | Buffer> = {}): string {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'chunks'));
  const all = {
    'sign-elements.js': MODULE,
    'sign-elements.js.br': BROTLI,
    'sign-elements.js.gz': gzipSync(MODULE),
    'sign-elements.classic.js': 'classic',
    'chunks/hls-Ab3dE6gH.js': 'chunk',
    'chunks/hls-engine.js': 'chunk without a hash',
    'notes.txt': 'not for the web',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(directory, name), content);
  return directory;
}

/** The undecoded answer at exactly this path, because fetch() decodes bodies and normalises paths. */
function wire(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}

const entries = {
  'elements.js': MODULE,
  'sign-elements.js': MODULE,
  'elements.classic.js': 'classic',
  'sign-elements.classic.js': 'classic',
};
for (const [name, content] of Object.entries(entries)) {
  test(`${name} is served to any origin and revalidated`, async (t) => {
    const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
    const response = await fetch(`${origin}/sign/${name}`, {
      headers: { Origin: 'https://any.example', 'Accept-Encoding': 'identity' },
    });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), content);
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'public, no-cache');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
    const etag = response.headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await wire(origin, `/sign/${name}`, { 'If-None-Match': known });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
      assert.equal(again.headers['access-control-allow-origin'], '*');
    }
    assert.equal((await wire(origin, `/sign/${name}`, { 'If-None-Match': '"other"' })).status, 200);
  });
}

test('a hashed chunk is cached for a year, and a chunk without a hash is revalidated', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const hashed = await fetch(`${origin}/sign/chunks/hls-Ab3dE6gH.js`);
  assert.equal(await hashed.text(), 'chunk');
  assert.equal(hashed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(hashed.headers.get('access-control-allow-origin'), '*');
  const plain = await fetch(`${origin}/sign/chunks/hls-engine.js`);
  assert.equal(plain.headers.get('cache-control'), 'public, no-cache');
});

test('an entry has a second name with a hash, for `integrity`, and integrity.json says which', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const answer = await fetch(`${origin}/sign/integrity.json`);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const hashes = Object.entries((await answer.json()) as Record<string, string>);
  assert.deepEqual(
    hashes.map(([name]) => name.replace(/[\da-f]{12}/, 'HASH')),
    ['elements-HASH.js', 'elements-HASH.classic.js'],
  );
  for (const [[name, hash], content] of [
    [hashes[0]!, MODULE],
    [hashes[1]!, 'classic'],
  ] as const) {
    const { status, headers, body } = await wire(origin, `/sign/${name}`, { 'Accept-Encoding': 'identity' });
    assert.deepEqual([status, body.toString()], [200, content]);
    assert.match(String(headers['cache-control']), /immutable/);
    assert.equal(hash, `sha384-${createHash('sha384').update(body).digest('base64')}`);
  }
  assert.equal((await wire(origin, '/sign/elements-0123456789ab.js')).status, 404);
});

test('after an update a page with `integrity` still loads the old entry, from the folder of kept files', async (t) => {
  const SIGN_KEPT_FILES = join(builtElements(), 'kept');
  const options = { env: { SIGN_KEPT_FILES }, config: { elementsDir: builtElements() } };
  const before = await mountedProxy(t, options);
  const [name] = Object.keys((await (await fetch(`${before.origin}/sign/integrity.json`)).json()) as object);
  const elementsDir = builtElements({ 'sign-elements.js': 'another build' });
  const { origin } = await mountedProxy(t, { env: { SIGN_KEPT_FILES }, config: { elementsDir } });
  const { status, body } = await wire(origin, `/sign/${name}`, { 'Accept-Encoding': 'identity' });
  assert.deepEqual([status, body.toString()], [200, MODULE]);
});

test('two versions of the same size and time have different ETags', async (t) => {
  const etags = await Promise.all(
    ['hls-Ab3dE6gH', 'hls-Xy9zW8vU'].map(async (chunk) => {
      const elementsDir = builtElements({ 'sign-elements.js': `import("./chunks/${chunk}.js");` });
      utimesSync(join(elementsDir, 'sign-elements.js'), 499162500, 499162500);
      const { origin } = await mountedProxy(t, { config: { elementsDir } });
      return (await fetch(`${origin}/sign/elements.js`)).headers.get('etag');
    }),
  );
  assert.notEqual(etags[0], etags[1]);
});

test('the precompressed variant that the browser takes is sent, brotli before gzip', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const encodingFor = async (accepted: string): Promise<[unknown, Buffer]> => {
    const { headers, body } = await wire(origin, '/sign/elements.js', { 'Accept-Encoding': accepted });
    return [headers['content-encoding'], body];
  };
  assert.deepEqual(await encodingFor('gzip, deflate, br, zstd'), ['br', BROTLI]);
  const [encoding, body] = await encodingFor('gzip;q=0.5, br;q=0');
  assert.deepEqual([encoding, gunzipSync(body).toString()], ['gzip', MODULE]);
  for (const none of ['', 'identity', 'brotli', 'gzip;q=0']) {
    assert.deepEqual(await encodingFor(none), [undefined, Buffer.from(MODULE)]);
  }
});

test('a file without variants is sent as it is', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const { headers, body } = await wire(origin, '/sign/elements.classic.js', {
    'Accept-Encoding': 'br, gzip',
  });
  assert.deepEqual([headers['content-encoding'], body.toString()], [undefined, 'classic']);
});

test('HEAD has the headers and no body, another method is 405', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const head = await fetch(`${origin}/sign/elements.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'identity' },
  });
  assert.equal(head.headers.get('content-length'), String(MODULE.length));
  assert.equal((await fetch(`${origin}/sign/elements.js`, { method: 'POST' })).status, 405);
  assert.equal((await fetch(`${origin}/sign/chunks/hls-engine.js`, { method: 'DELETE' })).status, 405);
});

const outside = [
  '/sign/notes.txt',
  '/sign/chunks/',
  '/sign/chunks',
  '/sign/chunks/../notes.txt',
  '/sign/chunks/..%2fnotes.txt',
  '/sign/chunks/..%5cnotes.txt',
  '/sign/chunks/%2e%2e/sign-elements.js',
  '/sign/chunks/hls-Ab3dE6gH.js/',
  '/sign/chunks/missing-Ab3dE6gH.js',
  '/sign/sign-elements.js.br',
  '/sign/',
  '/sign/chunks/__proto__',
  `/sign/chunks/${'x'.repeat(300)}`,
];
for (const path of outside) {
  test(`${path.slice(0, 60)} is not there`, async (t) => {
    const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
    const { status, body } = await wire(origin, path);
    assert.ok([400, 404, 414].includes(status), String(status));
    assert.ok(!body.includes('not for the web') && !body.includes(MODULE));
  });
}

test('a chunk of an older version is 404 to any origin, so that the page sees what is wrong', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const response = await fetch(`${origin}/sign/chunks/gone-Ab3dE6gH.js`, {
    headers: { Origin: 'https://any.example' },
  });
  assert.equal(response.status, 404);
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
});

test('without a build the answer at elements.js says that there is no build', async (t) => {
  const { origin } = await mountedProxy(t, {
    config: { elementsDir: join(tmpdir(), 'sign-no-such-directory') },
  });
  const response = await fetch(`${origin}/sign/elements.js`);
  assert.equal(response.status, 404);
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  assert.equal(code, 'elements_missing');
  assert.match(detail, /npm run build/);
});

test('elements.js is served while the service is down', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  upstream.status = 503;
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
  assert.equal((await fetch(`${origin}/sign/elements.js`)).status, 200);
});

test('replicas of two builds that share a folder serve the hashed chunks of each other, and nothing else from it', async (t) => {
  const SIGN_KEPT_FILES = join(builtElements(), 'kept');
  const newChunk = 'chunks/hls-Xy9zW8vU.js';
  const old = await mountedProxy(t, { env: { SIGN_KEPT_FILES }, config: { elementsDir: builtElements() } });
  assert.equal((await wire(old.origin, `/sign/${newChunk}`)).status, 404);
  const elementsDir = builtElements({
    [newChunk]: 'new chunk',
    [`${newChunk}.gz`]: gzipSync('new chunk'),
  });
  rmSync(join(elementsDir, 'chunks/hls-Ab3dE6gH.js'));
  const next = await mountedProxy(t, { env: { SIGN_KEPT_FILES }, config: { elementsDir } });
  old.clock.advance(1_000);
  for (const [{ origin }, path, content] of [
    [old, newChunk, 'new chunk'],
    [next, 'chunks/hls-Ab3dE6gH.js', 'chunk'],
  ] as const) {
    const { status, headers, body } = await wire(origin, `/sign/${path}`, { 'Accept-Encoding': 'identity' });
    assert.deepEqual([status, body.toString()], [200, content]);
    assert.match(String(headers['cache-control']), /immutable/);
  }
  const { body } = await wire(old.origin, `/sign/${newChunk}`, { 'Accept-Encoding': 'gzip' });
  assert.equal(gunzipSync(body).toString(), 'new chunk');

  writeFileSync(join(SIGN_KEPT_FILES, 'chunks/secret'), 'secret');
  writeFileSync(join(SIGN_KEPT_FILES, 'hls-Qq1wE2rT.js'), 'outside');
  old.clock.advance(1_000);
  for (const name of ['secret', '..%2Fhls-Qq1wE2rT.js', '%2e%2e%2fhls-Qq1wE2rT.js']) {
    assert.equal((await wire(old.origin, `/sign/chunks/${name}`)).status, 404, name);
  }
});

test('a header with a list of over 1,000 characters is not read, because to split one of 15 kB takes longer than to send a file', async (t) => {
  const { origin } = await mountedProxy(t, { config: { elementsDir: builtElements() } });
  const longest = (list: string): Record<string, string> => ({ 'Accept-Encoding': list.padEnd(1_000, ',') });
  const { headers, body } = await wire(origin, '/sign/elements.js', longest('br'));
  assert.deepEqual(body, BROTLI);
  const tooLong = `${longest('br')['Accept-Encoding']},`;
  const plain = await wire(origin, '/sign/elements.js', { 'Accept-Encoding': tooLong });
  assert.equal(plain.body.toString(), MODULE);
  const tag = String(headers.etag);
  const statusFor = async (length: number): Promise<number> =>
    (await wire(origin, '/sign/elements.js', { 'If-None-Match': tag.padEnd(length, ',') })).status;
  assert.deepEqual([await statusFor(1_000), await statusFor(1_001)], [304, 200]);
});

test('chunks that no replica has written for 30 days are removed, and a folder that cannot be written does no harm', async (t) => {
  const folder = join(builtElements(), 'kept');
  mkdirSync(join(folder, 'chunks'), { recursive: true });
  const days = (count: number): Date => new Date(Date.now() - count * 24 * 3_600_000);
  for (const [name, age] of [
    ['chunks/old-Xy9zW8vU.js', 31],
    ['chunks/new-Xy9zW8vU.js', 29],
  ] as const) {
    writeFileSync(join(folder, name), 'chunk');
    utimesSync(join(folder, name), days(age), days(age));
  }
  for (const [SIGN_KEPT_FILES, status] of [
    [folder, 200],
    [join(folder, 'chunks/new-Xy9zW8vU.js'), 404],
  ] as const) {
    const { origin } = await mountedProxy(t, {
      env: { SIGN_KEPT_FILES },
      config: { elementsDir: builtElements() },
    });
    assert.equal((await wire(origin, '/sign/chunks/new-Xy9zW8vU.js')).status, status);
    assert.equal((await wire(origin, '/sign/chunks/old-Xy9zW8vU.js')).status, 404);
    assert.equal((await wire(origin, '/sign/chunks/hls-Ab3dE6gH.js')).status, 200);
  }
});
