// A prepared edition on static hosting, under a strict policy, signs without a proxy and a service as it does with them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { startSandbox } from '../../demo/sandbox/index.ts';
import { Edition } from '../../proxy/prepare/edition.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { openSite, page as html, run } from '../proxy/prepare/prepare-harness.ts';
import { listening } from '../listening.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const browser = await openBrowser();
after(() => browser.close());

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; media-src blob:; " +
  "base-uri 'none'; form-action 'none'";
const TYPES: Readonly<Record<string, string>> = {
  ...{ '.js': 'text/javascript', '.css': 'text/css' },
  ...{ '.json': 'application/json', '.mp4': 'video/mp4' },
};
const BODY = `<main id="main"><h1>Hello.</h1><p>Come in.</p>
  <p data-sign-text="Sit down.">Please be seated (on a chair).</p><p>Wait&nbsp;“here”.</p></main>`;

/** Folders by prefix, as any web server serves them. All except the elements are only for visitors who have got the page. */
async function serveFiles(t: TestContext, page: string, folders: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    asked.push(pathname);
    if (pathname === '/') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'set-cookie': 'member=1; HttpOnly; SameSite=Strict',
      });
      return void response.end(page);
    }
    const [, prefix = '', path = ''] = /^\/(\w+)\/([\w./-]+)$/.exec(pathname) ?? [];
    if (prefix !== 'elements' && request.headers.cookie !== 'member=1')
      return void response.writeHead(401).end();
    try {
      const content = readFileSync(join(folders[prefix] ?? 'none', path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(content);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>');
    }
  });
  const address = await listening(t, server);
  return { address: `${address}/`, asked };
}

test('a page on static hosting for members signs, highlights, goes on, replays and keeps its speed with no service at all', async (t) => {
  const service = await startSandbox({ render: { framesPerWord: 4, scale: 0.25 } });
  t.after(() => service.close());
  const source = await openSite(t);
  const out = temporaryFolder();
  source.files.set('/', { ...html(), body: `<!doctype html><html lang="en">${BODY}` });
  const ran = await run(['--resolution', '480p', '--out', out, `${source.address}/`], service);
  await service.close();
  assert.equal(ran.status, 0, ran.warned);
  const edition = await Edition.open(out, null);
  await edition.update((texts) => {
    for (const [hash, text] of texts) texts.set(hash, { ...text, state: 'approved' });
  });

  const element =
    '<sign-translate for="main" prepared="signs/signs.json only" idle-after="none" controls></sign-translate>';
  const load = '<script type="module" src="/elements/sign-elements.js"></script>';
  const site = await serveFiles(
    t,
    `<!doctype html><html lang="en"><title>Static</title><link rel="icon" href="data:,">${load}${element}${BODY}`,
    { elements: 'dist/cdn', signs: out },
  );
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(170_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(message.text());
  });
  await page.goto(site.address);
  const seen = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    const signer = document.querySelector('sign-translate')!;
    const started: [text: string, highlighted: string, label: string, ref: string][] = [];
    signer.addEventListener('sign-start', ({ detail: { ref, text } }) => {
      void signer.updateComplete.then(() => {
        const [range] = [...(CSS.highlights.get('sign-sentence') ?? [])] as Range[];
        const label = signer.shadowRoot!.querySelector('[part=label]')?.textContent ?? '';
        started.push([text, range?.toString() ?? '', label, ref]);
      });
    });
    signer.playbackRate = 2;
    const over = new Promise((resolve) => signer.addEventListener('ended', resolve, { once: true }));
    await signer.play();
    await over;
    const once = [...started];
    const { duration, playbackRate } = signer;
    const replayed = new Promise((resolve) => signer.addEventListener('sign-end', resolve, { once: true }));
    signer.replay();
    await replayed;
    return { once, again: started.slice(once.length), duration, playbackRate };
  });
  const reviewed = 'AI-generated, reviewed';
  assert.deepEqual(
    seen.once.map((one) => one.slice(0, 3)),
    [
      ['Hello.', 'Hello.', reviewed],
      ['Come in.', 'Come in.', reviewed],
      ['Sit down.', 'Please be seated (on a chair).', reviewed],
      ['Wait “here”.', 'Wait\u00a0“here”.', reviewed],
    ],
  );
  assert.deepEqual(
    seen.again.map(([text, , , ref]) => [text, ref]),
    [['Wait “here”.', seen.once[3]![3]]],
  );
  const seconds = edition.manifest.texts.reduce((sum, text) => sum + text.seconds, 0);
  assert.ok(Math.abs(seen.duration - seconds) < 0.1, `${seen.duration} s of ${seconds}`);
  assert.equal(seen.playbackRate, 2);
  assert.deepEqual(problems, []);
  const others = site.asked.filter((path) => !/^\/($|elements\/|signs\/(signs\.json|clips\/))/.test(path));
  assert.deepEqual(others, []);
});
