// sign-prepare against the sandbox: what it signs, what it keeps, and what it says of what it cannot read.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { Edition } from '../../../proxy/prepare/edition.ts';
import { TEXT_STATES } from '../../../src/protocol/prepared-manifest.ts';
import { freePort } from '../../backend/free-port.mjs';
import { listening } from '../../listening.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { manifestIn, openService, openSite, page, run } from './prepare-harness.ts';

const service = await openService({ after });
const site = await openSite({ after });
site.files.set('/a', page('Come in. Sit down.', 'Wait here.'));
site.files.set('/b', page('Wait&nbsp;here.', 'Go home.'));
const sources = [`${site.address}/a`, `${site.address}/b`];

async function approveAll(folder: string): Promise<void> {
  const edition = await Edition.open(folder, null);
  await edition.update((texts) => {
    for (const [hash, text] of texts) texts.set(hash, { ...text, state: 'approved' });
  });
}

test('each text of a site is signed once and kept as a draft, and the next run requests only new texts', async () => {
  const out = temporaryFolder();
  const first = await run(['--out', out, ...sources], service);
  assert.equal(first.status, 0, first.warned);
  const { texts, signer, language, resolution } = manifestIn(out);
  assert.deepEqual([signer, language, resolution], ['RAE', 'BSL', '720p']);
  assert.deepEqual(texts.map(({ text }) => text).sort(), ['Come in.', 'Go home.', 'Sit down.', 'Wait here.']);
  for (const { file, bytes, seconds, state } of texts) {
    assert.equal(readFileSync(join(out, file)).length, bytes);
    assert.ok(seconds > 0);
    assert.equal(state, 'draft');
  }
  const shared = texts.find(({ text }) => text === 'Wait here.');
  assert.deepEqual(shared?.pages, sources);
  const hashes = texts.map(({ hash }) => hash);
  assert.deepEqual(hashes, [...hashes].sort());

  const before = readFileSync(join(out, 'signs.json'), 'utf8');
  const again = await run(['--out', out, ...sources], service);
  assert.match(again.printed, /^0 signed, 0 found/m);
  assert.equal(readFileSync(join(out, 'signs.json'), 'utf8'), before, 'nothing has changed');
});

test('signs.json matches its published schema', async () => {
  const out = temporaryFolder();
  await run(['--out', out, sources[0]!], service);
  const { properties } = JSON.parse(readFileSync('docs/signs.schema.json', 'utf8')) as {
    properties: {
      version: { const: number };
      texts: { items: { required: string[]; properties: Record<string, { enum?: string[] }> } };
    };
  };
  const manifest = manifestIn(out);
  assert.deepEqual(Object.keys(manifest).sort(), Object.keys(properties).sort());
  assert.equal(manifest.version, properties.version.const);
  const { required, properties: fields } = properties.texts.items;
  assert.deepEqual(fields['state']!.enum, [...TEXT_STATES]);
  for (const text of manifest.texts) assert.deepEqual(Object.keys(text).sort(), [...required].sort());
});

test('a dry run prints what a run would request, and a cap is not exceeded', async () => {
  const out = temporaryFolder();
  const dry = await run(['--dry-run', '--out', out, ...sources], service);
  assert.match(dry.printed, /^2 sources, 4 texts: 4 not prepared, 35 characters, at most 4 requests$/m);
  assert.deepEqual(readdirSync(out), []);
  const some = await run(['--max-texts', '3', '--out', out, ...sources], service);
  assert.match(some.printed, /^3 signed, 0 found .*, 0 failed, 1 left$/m);
  assert.equal(manifestIn(out).texts.length, 3);
});

test('a run goes on where the stopped one was, and does not request a clip that was saved and not listed', async () => {
  const out = temporaryFolder();
  const stopped = await run(['--concurrency', '1', '--out', out, ...sources], service, 2);
  assert.match(stopped.printed, /^2 signed, .* 2 left$/m);
  assert.equal(stopped.status, 1);
  // As after a kill: the clips are there, the list is not.
  rmSync(join(out, 'signs.json'));
  const rest = await run(['--out', out, ...sources], service);
  assert.match(rest.printed, /^2 signed, 2 found .*, 0 failed, 0 left$/m);
  assert.equal(manifestIn(out).texts.length, 4);
});

test('a text that fails does not stop the others, and the next run requests it', async (t) => {
  const out = temporaryFolder();
  service.setFaults([
    { fault: 'rest_error', status: 422, operation: 'generate', count: 1 },
    { fault: 'media_cut', count: 1, after_bytes: 500 },
  ]);
  t.after(() => service.setFaults([]));
  const some = await run(['--concurrency', '1', '--out', out, ...sources], service);
  assert.equal(some.status, 1);
  assert.match(some.warned, /^not signed: "Come in\.": /);
  assert.match(some.printed, /^3 signed, .* 1 failed, 0 left$/m);
  const rest = await run(['--out', out, ...sources], service);
  assert.match(rest.printed, /^1 signed, /m);
});

test('a run waits as the limits of the service require, and requests only the texts', async (t) => {
  const out = temporaryFolder();
  const asked: string[] = [];
  const gateway = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (asked.length < 3) return void response.writeHead(429, { 'retry-after': '1' }).end('{}');
    request.resume().once('end', () => {
      response.writeHead(303, { location: `${site.address}/clip` }).end();
    });
  });
  const apiUrl = await listening(t, gateway);
  site.files.set('/clip', { type: 'video/mp4', body: '' });
  const begun = performance.now();
  const ran = await run(['--concurrency', '2', '--out', out, sources[1]!], {
    addresses: { apiUrl } as never,
  });
  assert.ok(performance.now() - begun > 990);
  assert.match(ran.printed, /^0 signed, .* 2 failed, 0 left$/m);
  assert.deepEqual(
    asked,
    Array.from({ length: 4 }, () => 'POST /v2/generate'),
  );
});

test('a service that cannot be reached, and a server that is no such service, are reported', async () => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'one.txt'), 'Come in.');
  const said = async (apiUrl: string): Promise<string> =>
    (await run(['--out', out, join(out, 'one.txt')], { addresses: { apiUrl } as never })).warned;
  const place = site.address;
  assert.equal(
    await said(place),
    `not signed: "Come in.": ${place}/v2/generate answers 404: is SIGN_API_URL right?`,
  );
  const port = await freePort();
  assert.equal(
    await said(`http://127.0.0.1:${port}`),
    'not signed: "Come in.": the service is not reached (ECONNREFUSED)',
  );
});

test('a key that the service repeats in an error is not printed', async (t) => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'one.txt'), 'Come in.');
  const apiUrl = await listening(
    t,
    createServer(({ headers }, response) => {
      const key = String(headers['x-api-key']);
      const message = `no such key: ${key}, ${Buffer.from(key).toString('base64')}`;
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'UNAUTHORIZED', message } }));
    }),
  );
  const { warned } = await run(['--out', out, join(out, 'one.txt')], {
    addresses: { apiUrl, apiKey: 'a-key-of-a-test-0123456789' } as never,
  });
  assert.equal(warned, 'not signed: "Come in.": no such key: [redacted], [redacted]');
});

test('a source that cannot be read is reported, and the others are signed', async (t) => {
  const out = temporaryFolder();
  site.files.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /private' });
  site.files.set('/private/c', page('Secret.'));
  site.files.set('/data', { type: 'application/json', body: '{}' });
  t.after(() => site.files.delete('/robots.txt'));
  const bad = ['/none', '/private/c', '/data'].map((path) => site.address + path);
  const unreached = 'http://127.0.0.1:9/';
  const ran = await run(['--out', out, ...bad, unreached, join(out, 'no.html'), sources[0]!], service);
  assert.equal(ran.status, 1);
  const said = ran.warned.split('\n');
  assert.equal(said[0], `${bad[0]} answers 404`);
  assert.equal(said[1], `${bad[1]} is not allowed by robots.txt`);
  assert.equal(said[2], `${bad[2]} is not HTML (application/json)`);
  assert.match(said[3]!, /^http:\/\/127\.0\.0\.1:9\/ is not reached/);
  assert.match(said[4]!, /no\.html cannot be read \(ENOENT\)$/);
  assert.equal(manifestIn(out).texts.length, 3);
});

test('a sitemap, a file with the words of a glossary and a list are sources; data-sign-src needs no clip', async () => {
  const out = temporaryFolder();
  const body = `<urlset><url><loc>${sources[1]}</loc></url></urlset>`;
  site.files.set('/sitemap.xml', { type: 'application/xml', body });
  const file = join(out, 'own.html');
  writeFileSync(
    file,
    '<sign-translate for="#x"></sign-translate><p>No.</p><div id=x>See the GP.<p data-sign-src="v.mp4">Own.</div>',
  );
  writeFileSync(join(out, 'list.txt'), 'One line\n\nAnother line\n');
  writeFileSync(join(out, 'words.json'), '{"GP":"doctor"}');
  const args = ['--dry-run', '--out', out, '--glossary', join(out, 'words.json')];
  const ran = await run([...args, `${site.address}/sitemap.xml`, file, join(out, 'list.txt')], service);
  assert.match(ran.printed, /^3 sources, 5 texts/, ran.warned);
});

test('a file is named by its path from the folder in which the program runs, for any spelling of its path', async () => {
  const out = temporaryFolder();
  const file = 'demo/pages/prepared.html';
  const ran = await run(['--max-texts', '1', '--out', out, resolve(file), `./${file}`, file], service);
  assert.match(ran.printed, /^1 source, /m);
  assert.deepEqual(manifestIn(out).texts[0]!.pages, [file]);
});

test('check lists the texts that are not ready, and prune removes those that no page has, only with --yes', async () => {
  const out = temporaryFolder();
  await run(['--out', out, ...sources], service);
  const drafts = await run(['check', '--out', out, ...sources], service);
  assert.equal(drafts.status, 1);
  assert.match(drafts.printed, /^draft: "Come in\." \(http.*\/a\)$/m);
  await approveAll(out);
  assert.equal((await run(['check', '--out', out, ...sources], service)).status, 0);
  const { file } = manifestIn(out).texts.find(({ text }) => text === 'Come in.')!;
  truncateSync(join(out, file), 900);
  const cut = await run(['check', '--out', out, sources[0]!], service);
  assert.match(cut.printed, /^clip missing: "Come in\."/m);

  const dry = await run(['prune', '--out', out, sources[1]!], service);
  assert.match(dry.printed, /^2 texts and 2 files would be removed/m);
  assert.equal(manifestIn(out).texts.length, 4);
  const unread = await run(['prune', '--yes', '--out', out, sources[1]!, `${site.address}/none`], service);
  assert.equal(unread.status, 1);
  assert.equal(manifestIn(out).texts.length, 4);
  await run(['prune', '--yes', '--out', out, sources[1]!], service);
  assert.deepEqual(
    manifestIn(out)
      .texts.map(({ text }) => text)
      .sort(),
    ['Go home.', 'Wait here.'],
  );
  assert.equal(readdirSync(join(out, 'clips')).length, 2);
});

test('a text that its page no longer has is stale until a page has it again', async () => {
  const out = temporaryFolder();
  const isStale = (): unknown[] => manifestIn(out).texts.flatMap(({ text, stale }) => (stale ? [text] : []));
  site.files.set('/c', page('Old words.'));
  await run(['--out', out, `${site.address}/c`], service);
  site.files.set('/c', page('New words.'));
  await run(['--out', out, `${site.address}/c`], service);
  assert.deepEqual(isStale(), ['Old words.']);
  site.files.set('/c', page('Old words.'));
  await run(['--out', out, `${site.address}/c`], service);
  assert.deepEqual(isStale(), ['New words.']);
});

test('an invalid edition is an error, and is not changed', async () => {
  const out = temporaryFolder();
  const file = join(out, 'signs.json');
  const ran = async (content: string, ...args: string[]): Promise<string> => {
    writeFileSync(file, content);
    const { status, warned } = await run([...args, '--out', out, ...sources], service);
    assert.equal(status, 1);
    assert.equal(readFileSync(file, 'utf8'), content);
    return warned;
  };
  assert.match(await ran('{"version":2}'), /its version is 2, and this program reads version 1/);
  assert.match(await ran('{"version":'), /signs\.json is not an edition/);
  const other = JSON.stringify({ version: 1, signer: 'JAY', language: 'ASL', resolution: '720p', texts: [] });
  assert.match(await ran(other, '--signer', 'RAE'), /edition with signer JAY, not RAE/);
  rmSync(file);
  mkdirSync(file);
  assert.match((await run(['--out', out, ...sources], service)).warned, /cannot be read \(EISDIR\)/);
});

test('at a folder that cannot be written the run ends with a message that names it, and requests nothing more', async () => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'clips'), '');
  const { status, warned } = await run(['--out', out, ...sources], service);
  assert.equal(status, 1);
  assert.match(warned, /^sign-prepare: .*clips cannot be made \(EEXIST\)$/);
  assert.deepEqual(readdirSync(out), ['clips']);
});

test('--help prints the usage and no error, beside a command too', async () => {
  for (const args of [['--help'], ['-h'], ['check', '--help']]) {
    const { status, printed, warned } = await run(args, service);
    assert.deepEqual([status, warned], [0, '']);
    assert.match(printed, /^sign-prepare \[prepare\] \[options\] SOURCE\.\.\./);
  }
});

test('a bad command line or environment is reported at once', async () => {
  const out = temporaryFolder();
  const said = async (...args: string[]): Promise<string> => {
    const { status, warned } = await run(args, service);
    assert.equal(status, 2);
    return warned;
  };
  assert.match(await said('check'), /no source is named/);
  assert.match(await said('--nonsense', 'x.html'), /--nonsense/);
  assert.match(await said('--concurrency', '99', 'x.html'), /from 1 to 16/);
  assert.match(await said('--signer', 'RAE', '--language', 'ASL', 'x.html'), /signs BSL, not ASL/);
  const { status, warned } = await run(['--out', out, 'x.html'], { addresses: { apiUrl: '' } as never });
  assert.equal(status, 2);
  assert.match(warned, /SIGN_API_URL is not set/);
});
