// A page of a bench that loads this repository's sources as they are: a server on loopback turns TypeScript into
// JavaScript as it is asked for, so that a page's own script is a typed file beside the bench. The real sandbox and
// proxy answer behind it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import ts from 'typescript';
import { startBackend } from '../backend/backend.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';

interface SourcePage {
  readonly page: Page;
  readonly backend: Awaited<ReturnType<typeof startBackend>>;
  close(): Promise<void>;
}

/** Modules of the page that are ours; `node_modules` is not served. */
const ownModule = /^\/((?:src|test|demo)\/[\w/.-]+\.(?:ts|mjs))$/;

const compile = (path: string): string =>
  ts.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;

/** Opens an empty page; whoever opens it closes it. */
export async function openSourcePage(): Promise<SourcePage> {
  const answer: { value?: SourcePage['backend']['addresses'] } = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const path = ownModule.exec(pathname)?.[1];
    if (path && !path.includes('..')) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(compile(path));
    } else if (pathname === '/backend/addresses') {
      // As test/backend/client.ts asks for it.
      response.end(JSON.stringify(answer));
    } else if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html lang="en">');
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
