// The built demo in a child process, as `npm start` runs it, and a real browser to open its page in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Page } from 'puppeteer-core';
import { openBrowser, type OpenBrowser } from '../browser/open-browser.ts';

interface DemoPage {
  readonly browser: OpenBrowser;
  /** Address of the demo page. */
  readonly address: string;
  /** The token that the operator's page needs. */
  readonly operatorToken: string;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export async function openDemo(): Promise<DemoPage> {
  const demo = spawn(process.execPath, ['dist/demo/main.js'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_STAMP: '1',
      SANDBOX_FRAMES_PER_WORD: '6',
      SANDBOX_SCALE: '0.5',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: demo.stdout })) if (lines.push(line) === 2) break;
  const [, address, operatorToken] = /(http:\S+)\n.*: (\S+)$/.exec(lines.join('\n')) ?? [];
  if (!address || !operatorToken) throw new Error(`the demo did not start: ${lines.join(' ')}`);
  const browser = await openBrowser();
  return {
    browser,
    address,
    operatorToken,
    async newPage() {
      const page = await browser.newPage();
      await page.setCacheEnabled(false);
      page.setDefaultTimeout(170_000);
      // The compiler of the tests names inner functions by this helper, which a page does not have.
      await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
      return page;
    },
    async close() {
      await browser.close();
      demo.kill();
      await once(demo, 'exit');
    },
  };
}
