// The prepared page of the demo with its service worker: after one visit it signs with no site, no proxy and no service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import test, { after } from 'node:test';
import { openBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { manifestIn, run } from '../proxy/prepare/prepare-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const browser = await openBrowser();
after(() => browser.close());

const PAGE = 'demo/pages/prepared.html';
const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' },
  ...{ '.json': 'application/json', '.mp4': 'video/mp4' },
};

test('the demo’s article, prepared by demo:prepare, signs in order when the site is gone, after one visit', async (t) => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ['demo/prepare.mjs', folder], {
    stdio: 'ignore',
    env: { ...process.env, SANDBOX_FRAMES_PER_WORD: '3', SANDBOX_SCALE: '0.25' },
  });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const { texts } = manifestIn(folder);
  const prepared = texts.flatMap(({ text, pages }) => (pages.includes(PAGE) ? [text] : []));
  assert.ok(prepared.length > 5);
  // The long article, too, has all its sentences, with the words of its glossary.
  const glossary = ['--glossary', 'demo/pages/glossary.json'];
  const check = await run(['check', '--out', folder, ...glossary, 'demo/pages/reading.html'], {
    addresses: { apiUrl: '' } as never,
  });
  assert.match(check.printed, /^\d\d texts, 0 not ready$/);

  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    asked.push(pathname);
    const file = pathname.startsWith('/signs/')
      ? `${folder}/${pathname.slice(7)}`
      : pathname.startsWith('/sign/')
        ? `dist/cdn/${pathname.slice(6).replace(/^elements/, 'sign-elements')}`
        : `demo/pages${pathname}`;
    try {
      const content = readFileSync(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)]!, 'cache-control': 'no-store' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  const port = await listen(server);
  const closeServer = (): void => {
    server.close();
    server.closeAllConnections();
  };
  t.after(closeServer);
  const address = `http://127.0.0.1:${port}/prepared.html`;

  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(170_000);
  await page.goto(address);
  await page.waitForSelector('html[data-offline=ready]');
  /** Signs the whole article, and resolves with the signed texts and the addresses that did not load. */
  const sign = (texts: number): Promise<string[]> =>
    page.evaluate(async (wanted) => {
      await customElements.whenDefined('sign-translate');
      const signer = document.querySelector('sign-translate')!;
      const signed: string[] = [];
      const over = new Promise<void>((resolve) => {
        signer.addEventListener('sign-end', ({ detail }) => {
          signed.push(detail.text);
          if (signed.length === wanted) resolve();
        });
        signer.addEventListener('sign-error', ({ detail }) => {
          signed.push(`error ${detail.error.code}`);
          resolve();
        });
      });
      signer.playbackRate = 2;
      await signer.play();
      await over;
      signer.stop();
      return signed;
    }, texts);
  assert.equal((await sign(1)).length, 1);

  closeServer();
  await once(server, 'close');
  const before = asked.length;
  await page.reload();
  const signed = await sign(prepared.length);
  assert.deepEqual([...signed].sort(), [...prepared].sort());
  assert.match(signed[0]!, /^Your first visit/);
  assert.deepEqual(
    await page.evaluate(() => [
      document.querySelector<HTMLElement>('#made')!.hidden,
      document.querySelector<HTMLElement>('#missing')!.hidden,
    ]),
    [false, true],
  );
  assert.equal(asked.length, before);
  assert.deepEqual(
    asked.filter((path) => /\/(v1|v2|api|ws)\//.test(path)),
    [],
  );
});
