// What a page says on its console, and what goes wrong on it.
import type { ConsoleMessage, Page } from 'puppeteer-core';

/** What a busy machine has not encoded in time is answered with 503, as HLS asks, and players request it again. */
const isLateMedia = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 503') && /\/streams\//.test(message.location().url ?? '');

export interface PageConsole {
  /** Errors on the console, which includes violations of the page's policy, and uncaught exceptions. */
  readonly problems: string[];
  /** All messages. */
  readonly said: string[];
}

/** Records from now on. Media that are late are left out. */
export function consoleOf(page: Page): PageConsole {
  const problems: string[] = [];
  const said: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (isLateMedia(message)) return;
    said.push(message.text());
    if (message.type() === 'error') problems.push(message.text());
  });
  return { problems, said };
}
