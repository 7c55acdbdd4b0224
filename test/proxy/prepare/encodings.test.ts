// The texts that sign-prepare reads from files of all encodings, compressions and kinds that sites have.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeText } from '../../../proxy/prepare/encoding.ts';
import { findTexts, type FoundTexts } from '../../../proxy/prepare/sources.ts';
import { placesIn } from '../../../proxy/prepare/sitemap.ts';
import { listen } from '../../listening.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { run } from './prepare-harness.ts';

/** By path: type and content. */
const files = new Map<string, readonly [type: string, body: string | Uint8Array]>();
const asked: string[] = [];
const server = createServer(({ url }, response) => {
  asked.push(url!);
  const [type, body] = files.get(url!) ?? [];
  response.writeHead(body === undefined ? 404 : 200, type ? { 'content-type': type } : {}).end(body);
});
const port = await listen(server);
const address = `http://127.0.0.1:${port}`;
after(() => {
  server.close();
  server.closeAllConnections();
});

const find = (...sources: readonly string[]): Promise<FoundTexts> =>
  findTexts(sources, { target: null, glossary: null, stop: new AbortController().signal });
const textsOf = ({ texts }: FoundTexts): string[] => [...texts.values()].map(({ text }) => text);

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => wide(text).swap16();
const main = (text: string): string => `<!doctype html><main>${text}</main>`;

test('a page is read in the encoding that its server, its byte order mark or its own text names, else in the likely one', async () => {
  const meta = '<meta charset="windows-1252">';
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">';
  // 0x80, 0x92 and 0x93 are € ’ and “ of windows-1252, which latin1 does not have.
  const western = latin(`\x93Café\x94 \x80 5, it\x92s.`);
  const marked = Buffer.from([0xef, 0xbb, 0xbf]);
  const pages: Record<string, readonly [type: string, body: Uint8Array]> = {
    header: ['text/html; charset="windows-1252"', Buffer.concat([latin('<main>'), western])],
    meta: ['text/html', Buffer.concat([latin(`${meta}<main>`), western])],
    old: ['text/html', Buffer.concat([latin(`${old}<main>`), western])],
    silent: ['text/html', Buffer.concat([latin('<main>'), western])],
    utf8: ['text/html', Buffer.from(main('“Café” € 5, it’s.'))],
    // A comment, a later name and an unknown name do not count.
    comment: ['text/html; charset=klingon', Buffer.from(`<!-- ${meta} -->${main('“Café” € 5, it’s.')}`)],
    bom: ['text/html; charset=iso-8859-1', Buffer.concat([marked, Buffer.from(main('“Café” € 5, it’s.'))])],
    utf16le: ['text/html', Buffer.concat([Buffer.from([0xff, 0xfe]), wide(main('“Café” € 5, it’s.'))])],
    utf16be: ['text/html; charset=utf-16be', bigEndian(main('“Café” € 5, it’s.'))],
    unmarked: ['text/html', wide(main('“Café” € 5, it’s.'))],
  };
  for (const [name, [type, body]] of Object.entries(pages)) {
    files.set(`/${name}`, [type, body]);
    assert.deepEqual(textsOf(await find(`${address}/${name}`)), ['“Café” € 5, it’s.'], name);
  }
  files.set('/sjis', ['text/html; charset=Shift_JIS', Buffer.from('<main>\x83e\x83X\x83g', 'latin1')]);
  assert.deepEqual(textsOf(await find(`${address}/sjis`)), ['テスト']);
});

test('a list and a glossary that an editor of Windows has saved are read', async () => {
  const out = temporaryFolder();
  const list = join(out, 'list.txt');
  writeFileSync(list, Buffer.concat([Buffer.from('\ufeff'), Buffer.from('Come in.\r\n\r\nSit down.\r\n')]));
  assert.deepEqual(textsOf(await find(list)), ['Come in.', 'Sit down.']);
  writeFileSync(list, latin('Caf\xe9\r\n'));
  assert.deepEqual(textsOf(await find(list)), ['Café']);
  const [page, words] = [join(out, 'a.html'), join(out, 'words.json')];
  writeFileSync(page, '<main>See the GP.');
  writeFileSync(words, Buffer.concat([Buffer.from([0xff, 0xfe]), wide('{"GP":"doctor"}')]));
  const args = ['--dry-run', '--out', join(out, 'signs'), '--glossary', words, page];
  const ran = await run(args, { addresses: { apiUrl: '' } as never });
  // “See the doctor.” has 15 letters.
  assert.match(ran.printed, /1 not prepared, 15 characters/, ran.warned);
});

test('a sitemap may have any name and be compressed; one that is cut off or too large is reported', async () => {
  const sitemap = (...paths: readonly string[]): string =>
    `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${address}${path}</loc></url>`).join('')}</urlset>`;
  files.set('/one', ['text/html', main('One.')]);
  files.set('/two', ['text/html', main('Two.')]);
  files.set('/packed.xml.gz', ['application/gzip', gzipSync(sitemap('/one'))]);
  files.set('/sitemap', ['application/xml; charset=utf-8', sitemap('/two')]);
  const index = `<sitemapindex><sitemap><loc>${address}/packed.xml.gz</loc></sitemap><sitemap><loc>${address}/sitemap#a</loc></sitemap><sitemap><loc>${address}/index.xml</loc></sitemap></sitemapindex>`;
  files.set('/index.xml', ['text/xml', index]);
  const found = await find(`${address}/index.xml`);
  assert.deepEqual([textsOf(found), found.problems], [['One.', 'Two.'], []]);

  files.set('/cut.xml.gz', ['application/gzip', gzipSync(sitemap('/one')).subarray(0, 30)]);
  files.set('/bomb.xml.gz', ['application/gzip', gzipSync(Buffer.alloc(60_000_000))]);
  files.set('/none.xml', ['text/xml', '']);
  files.set('/feed', ['application/rss+xml', '<rss><channel/></rss>']);
  const bad = ['cut.xml.gz', 'bomb.xml.gz', 'none.xml', 'feed'].map((name) => `${address}/${name}`);
  assert.deepEqual((await find(...bad)).problems, [
    `${bad[0]} is no whole gzip file (Z_BUF_ERROR)`,
    `${bad[1]} is larger than 52428800 bytes`,
    `${bad[2]} is a sitemap without a page`,
    `${bad[3]} is not HTML (application/rss+xml)`,
  ]);
});

test('a sitemap of 50 MB is read', async () => {
  const filler = `<url><!-- <loc>${address}/no</loc> --><lastmod>${' '.repeat(900)}</lastmod></url>`;
  const body = `<urlset>${filler.repeat(50_000)}<loc>${address}/one</loc></urlset>`;
  files.set('/large.xml', ['text/xml', body]);
  files.set('/one', ['text/html', main('One.')]);
  assert.ok(body.length > 45_000_000);
  const found = await find(`${address}/large.xml`);
  assert.deepEqual([textsOf(found), found.problems], [['One.'], []]);
});

test('an address of a sitemap may be escaped, and one that is broken is no address', () => {
  const places = (content: string): string[] => placesIn(`<loc>${content}</loc>`);
  assert.deepEqual(places('https://a.example/?b=1&amp;c=2&#38;d&#x26;e'), ['https://a.example/?b=1&c=2&d&e']);
  assert.deepEqual(places('<![CDATA[https://a.example/?b&c]]>'), ['https://a.example/?b&c']);
  assert.deepEqual(places('&#99999999;&nope;&'), ['&#99999999;&nope;&']);
  assert.deepEqual(placesIn('<!-- <loc>a</loc>'), []);
});

test('one page under several spellings of its address is read once', async () => {
  files.set('/one', ['text/html', main('One.')]);
  asked.length = 0;
  const found = await find(`${address}/one#top`, `${address}/x/../one`, `${address.toUpperCase()}/one`);
  assert.deepEqual([...found.pages], [`${address}/one`]);
  assert.deepEqual(asked, ['/robots.txt', '/one']);
});

test('pictures, scripts, folders and pipes among the files are reported, and the pages beside them are read', async () => {
  const folder = temporaryFolder();
  const put = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const sources = [
    put('a.html', 'Bare words.'),
    put('b.php', '\ufeff<!doctype html><main>A page.'),
    put('c.css', '.a { color: red }'),
    put('d.js', 'if (a < b) c();'),
    put('e.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')),
    put('f.jpg', Buffer.from([0x3c, 0, 0xff, 0xd8])),
  ];
  const [inner, pipe] = [join(folder, 'inner'), join(folder, 'pipe.html')];
  mkdirSync(inner);
  execFileSync('mkfifo', [pipe]);
  const found = await find(...sources, inner, pipe);
  assert.deepEqual(textsOf(found), ['Bare words.', 'A page.']);
  assert.deepEqual(
    found.problems.map((problem) => problem.replace(`${folder}/`, '')),
    [
      ...['c.css', 'd.js', 'e.png', 'f.jpg'].map((name) => `${name} is not HTML`),
      ...['inner is a folder', 'pipe.html is no file'],
    ],
  );
});

test('the text of a page cannot control the terminal', async () => {
  const out = temporaryFolder();
  const evil = '\u001b]0;evil\u0007\u009b31m';
  files.set('/map.xml', ['text/xml', `<loc>ftp://${evil}</loc><loc>${address}/${evil}</loc>`]);
  const { printed, warned } = await run(['--dry-run', '--out', out, `${address}/map.xml`], {
    addresses: { apiUrl: '' } as never,
  });
  assert.match(warned, /names 1 that are no pages/);
  assert.doesNotMatch(printed + warned, /[^\P{Cc}\n]/u);
});

test('each byte of windows-1252 is read as browsers read it', () => {
  const special = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 0x80));
  const letters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
  assert.equal(decodeText(special, 'text/html; charset=windows-1252'), letters);
});
