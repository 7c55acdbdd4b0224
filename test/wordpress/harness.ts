// A WordPress with the plugin, a proxy that requires its tickets, and windows of the people who use it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { createSignProxy, readConfig } from '../../dist/proxy/index.js';
import { startBackend } from '../backend/backend.mjs';
import { proxyVariables } from '../backend/proxy-variables.mjs';
import { freePort } from '../backend/free-port.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { obtainWordPress } from './obtain-wordpress.mjs';

export const KEY = 'key-of-the-tickets-of-this-blog';
const START_MS = 180_000;
/** PHP as WebAssembly takes a second a page, and several on a busy machine. */
const PAGE_MS = 120_000;

const work = mkdtempSync(join(tmpdir(), 'wordpress-'));
const site = join(work, 'site');
const cli = obtainWordPress(site, console.log);
cpSync(resolve('demo/wordpress/sign-elements'), join(site, 'wp-content/plugins/sign-elements'), {
  recursive: true,
});

const port = await freePort();
export const origin = `http://127.0.0.1:${port}`;
const backend = await startBackend([origin]);
const proxy = createSignProxy(
  readConfig({
    ...proxyVariables(backend.sandbox.addresses),
    ...{ SIGN_ALLOWED_ORIGINS: origin, SIGN_TICKETS: 'required', SIGN_TICKET_KEY: KEY },
  }),
);
export const prefix = `${await proxy.listen()}/sign`;
const server = spawn(
  process.execPath,
  [
    ...[cli, 'server', `--port=${port}`, `--site-url=${origin}`, '--php=8.1'],
    ...['--wordpress-install-mode=install-from-existing-files-if-needed'],
    ...['--mount-dir-before-install', site, '/wordpress'],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let said = '';
for (const stream of [server.stdout, server.stderr])
  stream.on('data', (data: Buffer) => (said += String(data)));
const ended = once(server, 'exit');
const browser = await openOwnBrowser();

export async function started(): Promise<void> {
  const end = Date.now() + START_MS;
  while (!(await fetch(`${origin}/wp-login.php`).catch(() => null))?.ok) {
    if (Date.now() > end || server.exitCode !== null) throw new Error(`WordPress does not start: ${said}`);
    await delay(500);
  }
}

/** Opens a window with cookies of its own, logged in when there is a name. */
export async function enter(name?: string, password?: string): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(PAGE_MS);
  if (!name || !password) return page;
  await page.goto(`${origin}/wp-login.php`);
  await page.waitForSelector('#user_login');
  await page.evaluate(
    (user, pass) => {
      document.querySelector<HTMLInputElement>('#user_login')!.value = user;
      document.querySelector<HTMLInputElement>('#user_pass')!.value = pass;
    },
    name,
    password,
  );
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  return page;
}

/** Sets fields of the form and sends it. */
export async function submit(
  page: Page,
  fields: Readonly<Record<string, string | boolean>>,
  button: string,
): Promise<void> {
  await page.evaluate((given) => {
    for (const [selector, value] of Object.entries(given)) {
      const field = document.querySelector<HTMLInputElement>(selector)!;
      if (typeof value === 'boolean') field.checked = value;
      else field.value = value;
    }
  }, fields);
  // The click is not at a position, because WordPress' own scripts move the button when they rate a password.
  const pressed = await page.waitForSelector(`${button}:enabled`);
  await Promise.all([
    page.waitForNavigation(),
    pressed!.evaluate((one) => (one as HTMLButtonElement).click()),
  ]);
}

export const settings = `${origin}/wp-admin/options-general.php?page=sign-elements`;

/**
 * Makes a post by the REST interface, as the editor does, and resolves with its address and the text that WordPress has stored.
 */
export function post(page: Page, title: string, content: string): Promise<{ link: string; raw: string }> {
  return page.evaluate(
    async (given) => {
      const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text();
      const answer = await fetch('/index.php?rest_route=/wp/v2/posts&context=edit', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-wp-nonce': nonce },
        body: JSON.stringify({ ...given, status: 'publish' }),
      });
      const body = (await answer.json()) as { link: string; content: { raw: string }; message?: string };
      if (!answer.ok) throw new Error(body.message);
      return { link: body.link, raw: body.content.raw };
    },
    { title, content },
  );
}

export async function end(): Promise<void> {
  await browser.close();
  server.kill();
  await ended;
  await proxy.close();
  await backend.close();
  rmSync(work, { recursive: true });
}
