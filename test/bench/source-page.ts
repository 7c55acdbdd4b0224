// A page of a bench that loads this repository's sources from a server on loopback (source-module.ts), with the real sandbox
// and proxy. `node_modules` is not served.
import { createServer } from 'node:http';
import type { Page } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { sourceModule } from './source-module.ts';

interface SourcePage {
  readonly page: Page;
  readonly backend: Awaited<ReturnType<typeof startBackend>>;
  close(): Promise<void>;
}

/** Opens an empty page, which the caller closes. */
export async function openSourcePage(): Promise<SourcePage> {
  const answer: { value?: SourcePage['backend']['addresses'] } = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const script = sourceModule(pathname);
    if (script !== null) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (pathname === '/backend/addresses') {
      // Answers the request of test/backend/client.ts.
      response.end(JSON.stringify(answer));
    } else if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html lang="en">');
    } else {
      response.writeHead(404).end();
    }
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const backend = await startBackend([origin]);
  answer.value = backend.addresses;
  const browser = await openOwnBrowser();
  const page = await browser.newPage();
  await page.goto(origin);
  return {
    page,
    backend,
    async close() {
      await browser.close();
      await backend.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
