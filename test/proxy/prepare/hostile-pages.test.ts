// What sign-prepare does with pages, sitemaps and robots.txt files that are made to harm the machine that reads them.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readTexts } from '../../../proxy/prepare/page-texts.ts';
import { isAllowed } from '../../../proxy/prepare/robots.ts';
import { findTexts, type FoundTexts } from '../../../proxy/prepare/sources.ts';
import { listening } from '../../listening.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that has no robots.txt, answers all other requests in this way, and records them. */
async function serve(t: TestContext, answer: Answer): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    asked.push(request.url!);
    answer(request, response);
  });
  const address = await listening(t, server);
  return { address, asked };
}

const html = (response: ServerResponse, body: string): void => {
  response.setHeader('content-type', 'text/html');
  response.end(body);
};

const find = (sources: readonly string[], stop = new AbortController().signal): Promise<FoundTexts> =>
  findTexts(sources, { target: null, glossary: null, stop });

/** Seconds of CPU that this process has used since: other load of the machine does not count. */
function cpuSeconds(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}

const textsOf = ({ texts }: FoundTexts): string[] => [...texts.values()].map(({ text }) => text);

test('a redirect to another machine or another port is not followed, and a redirect on the same site is', async (t) => {
  const secret = await serve(t, (_, response) => html(response, '<main>Secret.'));
  const site = await serve(t, ({ url }, response) => {
    const places: Record<string, string> = {
      '/out': `${secret.address}/latest/meta-data`,
      '/file': 'file:///etc/passwd',
      '/moved': '/here',
      '/round': '/round',
    };
    const location = places[url!];
    if (location) return void response.writeHead(302, { location }).end();
    html(response, '<main>Here.');
  });
  const paths = ['/out', '/file', '/moved', '/round'];
  const found = await find(paths.map((path) => site.address + path));
  assert.deepEqual(textsOf(found), ['Here.']);
  assert.deepEqual(found.problems, [
    `${site.address}/out redirects to another site (${secret.address}/latest/meta-data)`,
    `${site.address}/file redirects to another site (file:///etc/passwd)`,
    `${site.address}/round redirects more than 5 times`,
  ]);
  assert.deepEqual(secret.asked, []);
});

test('of the files that a page names only its style sheets are loaded, and none from a machine that is not public', async (t) => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): unknown => warnings.push(message);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const inner = await serve(t, (_, response) => response.end('p { display: none }'));
  const at = (path: string): string => `${inner.address}/${path}`;
  const site = await serve(t, ({ url }, response) => {
    if (url === '/own.css') return void response.end(`@import "${at('import')}"; .off { display: none }`);
    html(
      response,
      `<link rel=stylesheet href=/own.css><link rel=stylesheet href="${at('style')}">
      <link rel=stylesheet href="http://files.invalid/etc/passwd"><link rel=stylesheet href="file:///etc/passwd"><style>@import url(${at('inline')});</style>
      <link rel=preload as=script href="${at('preload')}"><link rel=icon href="${at('icon')}">
      <meta http-equiv=refresh content="0;url=${at('refresh')}"><script src="${at('script')}"></script>
      <script>fetch("${at('fetch')}"); document.body.textContent = 'Written.'</script>
      <main><p>Read.</p><p class=off>No.</p><img src="${at('img')}" onerror="fetch('${at('error')}')">
      <iframe src="${at('frame')}"></iframe><object data="${at('object')}"></object><embed src="${at('embed')}">
      <video src="${at('video')}" poster="${at('poster')}"></video><svg><use href="${at('use')}"/></svg></main>`,
    );
  });
  const found = await find([`${site.address}/a`]);
  assert.deepEqual(textsOf(found), ['Read.']);
  assert.deepEqual(inner.asked, []);
  assert.deepEqual(site.asked, ['/a', '/own.css']);
  assert.deepEqual(warnings, []);
});

test('no style sheet is requested from a name that is public at one look-up and points to an internal machine at the next', async (t) => {
  const inner = await serve(t, (_, response) => response.end('p { display: none }'));
  const atName = inner.address.replace('127.0.0.1', 'rebound.example');
  const site = await serve(t, (_, response) =>
    html(response, `<link rel=stylesheet href="${atName}/style"><main><p>Read.</p></main>`),
  );
  t.mock.method(dns.promises, 'lookup', async () => [{ address: '8.8.8.8', family: 4 }]);
  t.mock.method(dns, 'lookup', ((_name, options, callback) =>
    callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)) as LookupFunction);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const found = await find([`${site.address}/a`]);
  assert.deepEqual(textsOf(found), ['Read.']);
  assert.deepEqual(inner.asked, []);
});

test('a sitemap cannot name a file of this machine or a page of another site, nor go on for ever', async (t) => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'secret.html'), '<main>Secret.</main>');
  writeFileSync(join(out, 'secret.txt'), 'Secret.');
  const secret = await serve(t, (_, response) => html(response, '<main>Secret.'));
  const site = await serve(t, ({ url }, response) => {
    if (url === '/one.html') return html(response, '<main>One.</main>');
    const depth = Number(/\d+/.exec(url!)?.[0] ?? 0);
    const places = [
      join(out, 'secret.html'),
      join(out, 'secret.txt'),
      `file://${join(out, 'secret.txt')}`,
      `${secret.address}/`,
    ];
    const own = ['/one.html', `/${depth + 1}.xml`].map((path) => new URL(path, site.address).href);
    response.end([...(depth === 0 ? places : []), ...own].map((place) => `<loc>${place}</loc>`).join(''));
  });
  const found = await find([`${site.address}/map.xml`]);
  assert.deepEqual(textsOf(found), ['One.']);
  assert.deepEqual(found.problems, [
    `${site.address}/map.xml names 4 that are no pages of its site, such as "${join(out, 'secret.html')}"`,
    `${site.address}/2.xml is a sitemap in a sitemap in a sitemap`,
  ]);
  assert.deepEqual(secret.asked, []);
});

test('all pages are read from a server that closes each connection at its second request', async (t) => {
  const used = new Set<unknown>();
  const site = await serve(t, ({ socket }, response) => {
    if (used.has(socket)) return void socket.resetAndDestroy();
    used.add(socket);
    html(response, `<main>${'Long. '.repeat(4_000)}`);
  });
  const { problems } = await find(['/a', '/b', '/c', '/d'].map((path) => site.address + path));
  assert.deepEqual([problems, used.size], [[], 4]);
});

test('an endless answer is aborted at 10 MB', async (t) => {
  const site = await serve(t, (_, response) => {
    response.setHeader('content-type', 'text/html');
    const more = (): void => {
      while (response.writable && response.write('<p>More.'.repeat(10_000)));
      response.once('drain', more);
    };
    more();
  });
  const { problems } = await find([`${site.address}/a`]);
  assert.deepEqual(problems, [`${site.address}/a is larger than 10000000 bytes`]);
});

test('a page that would take minutes is reported, and the next one is read', async (t) => {
  const used = cpuSeconds();
  const bodies: Record<string, string> = {
    '/deep': '<div>'.repeat(1_000) + 'Deep.',
    '/deeper': '<div>'.repeat(20_000) + 'Deeper.',
    '/long': '<main>' + '<p class="a">Long.</p>'.repeat(4_000),
  };
  const site = await serve(t, ({ url }, response) => html(response, bodies[url!]!));
  const found = await find(Object.keys(bodies).map((path) => site.address + path));
  assert.deepEqual(textsOf(found), ['Long.']);
  const [deep, deeper] = found.problems;
  assert.equal(deep, `${site.address}/deep cannot be read (it has more than 512 elements in one another)`);
  assert.match(deeper!, /\/deeper cannot be read \(/);
  assert.ok(used() < 15, `${used()} s`);
});

const options = { target: null, glossary: null, loadStyle: (): Promise<null> => Promise.resolve(null) };
const page = { name: 'a', url: 'http://site.example/', html: '<main>A.' };

test('a page of more than 100,000 elements is refused, and takes less than half a minute of one core', async () => {
  const used = cpuSeconds();
  // On a busy machine the minute of the page may be over before that.
  const wide = readTexts({ ...page, html: 'a.<br>'.repeat(100_001) }, options, 600_000);
  await assert.rejects(wide, { message: 'it has more than 100000 elements' });
  assert.ok(used() < 30, `${used()} s`);
});

test('a style sheet whose selector takes for ever to read ends the page after its time, and the next page is read', async () => {
  const html = `<style>[a${' '.repeat(500_000)}x { display: none }</style><main>A.`;
  await assert.rejects(readTexts({ ...page, html }, options, 500), {
    message: 'it takes more than 0.5 s to read',
  });
  assert.deepEqual(await readTexts(page, options), ['A.']);
  assert.equal('document' in globalThis, false, 'its globals are gone too');
});

test('the time for a robots.txt, sitemap or style sheet grows no faster than its length', async (t) => {
  const used = cpuSeconds();
  const many = 300_000;
  assert.equal(isAllowed(`user-agent: *\ndisallow: /${'*a'.repeat(1_000)}b`, `/${'a'.repeat(10_000)}`), true);
  assert.equal(isAllowed(`user-agent: *\ndisallow:${' '.repeat(many)}x`, '/a'), true);
  const site = await serve(t, (_, response) => response.end(`<loc>${' '.repeat(many)}<loc>`.repeat(3)));
  const { problems } = await find([`${site.address}/map.xml`]);
  assert.match(problems[0]!, /a sitemap without a page/);
  for (const sheet of ['/*'.repeat(many), 'a'.repeat(many), '{'.repeat(many), '*/'.repeat(many)]) {
    const page = { url: 'http://site.example/', html: '<link rel=stylesheet href=a.css><main>A.' };
    const loadStyle = (): Promise<string> => Promise.resolve(sheet);
    assert.deepEqual(await readTexts(page, { target: null, glossary: null, loadStyle }), ['A.']);
  }
  assert.ok(used() < 20, `${used()} s`);
});

test('a site whose robots.txt answers 503 is not read', async (t) => {
  const server = createServer(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(503).end();
    else html(response, '<main>Text.');
  });
  const address = `${await listening(t, server)}/a`;
  const found = await find([address]);
  assert.deepEqual(textsOf(found), []);
  assert.deepEqual(found.problems, [`${address} has a robots.txt that answers 503`]);
});

test('lists and sitemaps that a sitemap names are read only where robots.txt allows it', async (t) => {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers: { host } }, response) => {
    asked.push(url);
    if (url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private');
    const places = ['/private.txt', '/private.xml', '/open.txt'].map((path) => `http://${host}${path}`);
    response.end(url === '/open.txt' ? 'Open.' : places.map((place) => `<loc>${place}</loc>`).join(''));
  });
  const address = await listening(t, server);
  const found = await find([`${address}/map.xml`]);
  assert.deepEqual(textsOf(found), ['Open.']);
  assert.deepEqual(
    found.problems,
    ['txt', 'xml'].map((type) => `${address}/private.${type} is not allowed by robots.txt`),
  );
  assert.deepEqual(asked, ['/map.xml', '/robots.txt', '/open.txt']);
});

test('a run that is stopped begins no further source, and reports that', async (t) => {
  const stop = new AbortController();
  const site = await serve(t, (_, response) => {
    stop.abort();
    html(response, '<main>Text.');
  });
  const found = await find([`${site.address}/a`, `${site.address}/b`], stop.signal);
  assert.deepEqual(site.asked, ['/a']);
  assert.deepEqual(found.problems, ['it was stopped: not all sources were read']);
});

test('rules of robots.txt may have wild cards and ends, match other spellings of an address, and follow a byte order mark', () => {
  const refused = (rule: string, address: string): boolean =>
    !isAllowed(`\ufeffUser-agent: *\nDisallow: ${rule}`, address);
  assert.ok(refused('/*.pdf$', '/a.pdf.pdf'));
  assert.ok(refused('/a*b*$', '/aXbY'));
  assert.ok(refused('/café', '/caf%C3%A9'));
  assert.ok(refused('*/private', '/x/private'));
  assert.ok(!refused('/a$', '/ab'));
  assert.ok(!refused('/ab*ab$', '/ab'));
});
