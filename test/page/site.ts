// A site as its owner runs it: pages of one origin under a strict content security policy, the proxy and the
// media on others, and a browser to open the pages in.
// - One site for each test file, closed when the file's tests are over.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Page } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { openBrowser, type OpenBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { consoleOf, type PageConsole } from './console-of.ts';

export interface OpenPage extends PageConsole {
  readonly page: Page;
}

export interface Site {
  readonly origin: string;
  readonly backend: Awaited<ReturnType<typeof startBackend>>;
  readonly browser: OpenBrowser;
  /** Scripts of the test itself, by path. */
  readonly scripts: Map<string, string>;
  /**
   * Opens a page with this HTML in its head and body. `/dist/…` on it are the files of dist/.
   * Resolves at its load event, which waits for its script tags and not for their later imports.
   */
  open(html: string): Promise<OpenPage>;
  close(): Promise<void>;
}

/** The policy of docs/security-policy.md, for a proxy on another origin. */
const policyFor = (proxy: string, media: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${proxy}`,
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${proxy} ${proxy.replace(/^http/, 'ws')} ${media}`,
    `media-src blob: ${media}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/plain';

/** @param opening the browser, one that all tests share by default */
export async function openSite(opening: () => Promise<OpenBrowser> = openBrowser): Promise<Site> {
  const pages = new Map<string, string>();
  const scripts = new Map<string, string>();
  let policy = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const page = pages.get(pathname);
    const file = /^\/(dist\/[\w/.-]+)$/.exec(pathname)?.[1];
    if (page !== undefined) {
      const head = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
      response.writeHead(200, head).end(page);
    } else if (scripts.has(pathname)) {
      response.writeHead(200, { 'content-type': typeOf(pathname) }).end(scripts.get(pathname));
    } else if (file !== undefined && !file.includes('..')) {
      response.writeHead(200, { 'content-type': typeOf(file) }).end(readFileSync(file));
    } else {
      response.writeHead(404).end();
    }
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;

  const backend = await startBackend([origin]);
  policy = policyFor(new URL(backend.addresses.proxy).origin, backend.addresses.media);
  const browser = await opening();

  return {
    origin,
    backend,
    browser,
    scripts,
    async open(html) {
      const path = `/page-${pages.size + 1}`;
      pages.set(path, `<!doctype html><html lang="en"><link rel="icon" href="data:,">${html}</html>`);
      const page = await browser.newPage();
      page.setDefaultTimeout(170_000);
      const seen = consoleOf(page);
      await page.goto(origin + path);
      return { page, ...seen };
    },
    async close() {
      await browser.close();
      await backend.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
