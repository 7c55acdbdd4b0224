// From a click on the button at a paragraph to the first frame, without the time that the service takes for its answers.
// - Cold is the first click on a page whose files are in no cache. Warm is a click on another paragraph while the first is signed.
// - The service's time is from `session.start` to `session.ready`, and from the text to its result; all other
//   time, such as opening the socket and loading the clip, is ours.
import type { Page } from 'puppeteer-core';
import { openSite, type Site } from '../page/site.ts';
import { median } from './median.ts';

const ROUNDS = 10;

interface Click {
  readonly all: number;
  readonly service: number;
}

interface Noted {
  /** The times of the click, and of the frames that the service waits for and answers. */
  clickAt: number;
  startAt: number;
  readyAt: number;
  readonly sentAt: Map<string, number>;
  readonly resultAt: Map<string, number>;
  frameAt: number;
  /** The ref of the first text that is painted after the click. */
  ref: string;
}

/** Runs in the page before its scripts. */
function noteTimes(): void {
  const noted: Noted = {
    clickAt: 0,
    startAt: 0,
    readyAt: 0,
    sentAt: new Map(),
    resultAt: new Map(),
    frameAt: 0,
    ref: '',
  };
  Object.assign(globalThis, { noted });
  addEventListener('click', () => Object.assign(noted, { clickAt: performance.now(), frameAt: 0 }), true);
  addEventListener('sign-start', (event) => {
    const { ref } = (event as HTMLElementEventMap['sign-start']).detail;
    if (noted.clickAt && !noted.frameAt) Object.assign(noted, { frameAt: performance.now(), ref });
  });
  const Plain = WebSocket;
  globalThis.WebSocket = class extends Plain {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const { type, ref } = JSON.parse(data) as { type: string; ref?: string };
        if (type === 'session.ready') noted.readyAt = performance.now();
        if (type === 'result') noted.resultAt.set(ref!, performance.now());
      });
    }
    override send(data: string): void {
      const { type, id } = JSON.parse(data) as { type: string; id?: string };
      if (type === 'session.start') noted.startAt = performance.now();
      if (type === 'text') noted.sentAt.set(id!, performance.now());
      super.send(data);
    }
  };
}

/** Points at a paragraph, presses the button beside it, and waits for its first frame. */
async function click(page: Page, id: string): Promise<Click> {
  await page.hover(`#${id}`);
  const button = await page.waitForSelector('sign-translate >>> .pick.shown', { visible: true });
  await button!.click();
  await page.waitForFunction(() => (globalThis as unknown as { noted: Noted }).noted.frameAt);
  return page.evaluate(() => {
    const { noted } = globalThis as unknown as { noted: Noted };
    const { clickAt, startAt, readyAt, frameAt, ref } = noted;
    const opening = startAt >= clickAt ? readyAt - startAt : 0;
    // Texts that were sent ahead do not count for this click.
    const sent = Math.max(clickAt, noted.sentAt.get(ref)!);
    const signing = Math.max(0, noted.resultAt.get(ref)! - sent);
    return { all: frameAt - clickAt, service: opening + signing };
  });
}

async function round(site: Site, address: string): Promise<{ cold: Click; warm: Click }> {
  const context = await site.browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.evaluateOnNewDocument(noteTimes);
  await page.goto(address, { waitUntil: 'networkidle0' });
  const cold = await click(page, 'p1');
  const warm = await click(page, 'p8');
  await context.close();
  return { cold, warm };
}

export async function benchPageClick(): Promise<void> {
  const site = await openSite();
  const paragraphs = Array.from({ length: 9 }, (_, n) => `<p id="p${n}">Hello. You may come at ${n}.</p>`);
  try {
    site.scripts.set('/room.css', 'main { margin: 0 4rem; width: 20rem }');
    const { page } =
      await site.open(`<link rel="stylesheet" href="/room.css"><main id="main">${paragraphs.join('')}</main>
      <sign-translate for="main" placement="bottom-right" remember="none" controls></sign-translate>
      <script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`);
    const address = page.url();
    await page.close();
    // The sandbox makes its first clip slowly.
    await round(site, address);
    const rounds: { cold: Click; warm: Click }[] = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await round(site, address));
    const row = (kind: 'cold' | 'warm'): Record<string, number> => {
      const of = (read: (click: Click) => number): number =>
        Math.round(median(rounds.map((one) => read(one[kind]))));
      return {
        'median, ms': of(({ all }) => all),
        'of it the service, ms': of(({ service }) => service),
        'beyond it, ms': of(({ all, service }) => all - service),
      };
    };
    console.table({ 'first click on a page': row('cold'), 'click while another is signed': row('warm') });
  } finally {
    await site.close();
  }
}
