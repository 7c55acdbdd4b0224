// The messages on the console of a page, and its errors.
import type { ConsoleMessage, Page } from 'puppeteer-core';

/** Media that a busy machine has not encoded in time gets 503, as HLS demands, and players request it again. */
const isLateMedia = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 503') && /\/streams\//.test(message.location().url ?? '');

export interface PageConsole {
  /** Errors on the console, which includes violations of the page's policy, and uncaught exceptions. */
  readonly problems: string[];
  /** All messages. */
  readonly said: string[];
}

/** Records from now on. Messages about late media are left out. */
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
