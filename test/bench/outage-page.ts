// Outages in a visitor's Chromium, with `<sign-translate>` of the built script: each outage at each moment, by each transport, for
// each length.
// - Each cell has a page of its own, with a relay to the proxy and one to the media host (outage-relay.ts). The page loads its
//   code over the relay too. In the outage `offline` the browser is offline, and its relays refuse connections meanwhile.
// - Many cells run side by side, because most of their time is waiting. Those that take the longest begin first: half-open ones,
//   whose requests are given up after a minute, then those with the longest outage.
// - A cell is good when each text is signed once, in call order, two minutes after the outage at the latest.
//   By REST, a text whose request was sent and has no answer rejects on purpose: it may have been billed. It is counted apart.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { FAILURES as PROXY_FAILURES, SLOW } from './outage.ts';
import { Relay, type Failure } from './outage-relay.ts';

const FAILURES = {
  ...PROXY_FAILURES,
  'media away': 'closed',
  'media 502': 'gateway',
  'media half-open': 'silent',
} as const satisfies Record<string, Failure>;
const OUTAGES = Object.keys(FAILURES) as Outage[];
/** `stream`: `auto` in stream mode, where no text has a result of its own. */
const TRANSPORTS = ['v3', 'rest', 'auto', 'stream'] as const;
const MOMENTS = ['first', 'sent', 'accepted', 'result', 'playing'] as const;
const LONGEST_WAIT_MS = 120_000;
const SIDE_BY_SIDE = 48;

type Outage = keyof typeof FAILURES;
type Transport = (typeof TRANSPORTS)[number];
type Moment = (typeof MOMENTS)[number];

interface Seen {
  /** The refs of the texts that resolved, by text. */
  readonly refs: Readonly<Record<string, string>>;
  readonly rejected: Readonly<Record<string, string>>;
  /** Refs in the order in which they were first painted. */
  readonly started: readonly string[];
}

interface Signer extends HTMLElement {
  sign(text: string): Promise<{ ref: string }>;
}

/** A function of the page: signs the texts; `moment` resolves when it has come. */
interface Cell extends Window {
  begin(texts: readonly string[]): void;
  moment(name: Moment): Promise<void>;
  over: Promise<Seen>;
}

const TEXTS = ['One', 'Two', 'Three'];

/** Runs in the page before its scripts. */
function watch(transport: Transport, media: string, relayed: string): void {
  const page = window as unknown as Cell;
  const { fetch, WebSocket: Plain } = window;
  let resolveSent = (): void => {};
  const sent = new Promise<void>((resolve) => (resolveSent = resolve));
  window.fetch = async (input, init) => {
    if (init?.method === 'POST') setTimeout(resolveSent, 5);
    return fetch(String(input).replace(media, relayed), init);
  };
  const src = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src')!;
  Object.defineProperty(HTMLMediaElement.prototype, 'src', {
    ...src,
    set(url: string) {
      src.set!.call(this, url.replace(media, relayed));
    },
  });
  window.WebSocket = class extends Plain {
    override send(data: string): void {
      super.send(data);
      if (data.includes('"type":"text"')) resolveSent();
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    const signer = document.createElement('sign-translate') as Signer;
    signer.setAttribute('transport', transport === 'stream' ? 'auto' : transport);
    if (transport === 'stream') signer.setAttribute('mode', 'stream');
    signer.setAttribute('resolution', '480p');
    document.body.append(signer);
    const heard = (name: string): Promise<void> =>
      new Promise((resolve) => signer.addEventListener(name, () => resolve(), { once: true }));
    const moments = {
      sent,
      accepted: heard('sign-accepted'),
      result: heard('sign-result'),
      playing: heard('sign-start'),
    };
    const started: string[] = [];
    signer.addEventListener('sign-start', (event) =>
      started.push((event as CustomEvent<{ ref: string }>).detail.ref),
    );
    page.moment = async (name) => (name === 'first' ? undefined : moments[name]);
    page.begin = (texts) => {
      const refs: Record<string, string> = {};
      const rejected: Record<string, string> = {};
      const calls = texts.map((text) =>
        signer.sign(text).then(
          ({ ref }) => (refs[text] = ref),
          (error: Error & { code?: string }) =>
            (rejected[text] = `${error.code ?? error.name}: ${error.message}`),
        ),
      );
      page.over = Promise.all(calls).then(() => ({ refs, rejected, started }));
    };
  });
}

function resultOf(
  { refs, rejected, started }: Seen,
  seconds: number,
  transport: Transport,
): { cell: string; isGood: boolean } {
  const signed = TEXTS.filter((text) => refs[text]);
  const isBroken = (reason: string): boolean =>
    reason.includes('after the request was sent') || (transport !== 'v3' && reason.startsWith('no_answer:'));
  const broken = Object.values(rejected).filter(isBroken);
  const lost = Object.values(rejected).filter((reason) => !broken.includes(reason));
  const order = started.map((ref) => TEXTS.findIndex((text) => refs[text] === ref)).filter((at) => at >= 0);
  const isOrdered = order.every((at, i) => i === 0 || order[i - 1]! < at);
  const isTwice = new Set(started).size < started.length;
  const isShown = signed.every((text) => started.includes(refs[text]!));
  const cell = [
    `${signed.length} in ${Math.max(0, seconds).toFixed(1)} s`,
    ...(broken.length ? [`${broken.length} sent without an answer`] : []),
    ...(lost.length ? [`${lost.length} LOST (${lost[0]!})`] : []),
    ...(isTwice ? ['TWICE'] : []),
    ...(isOrdered ? [] : ['OUT OF ORDER']),
    ...(isShown ? [] : ['NOT SHOWN']),
  ].join(', ');
  return { cell, isGood: lost.length === 0 && !isTwice && isOrdered && isShown };
}

interface Harness {
  readonly browser: Browser;
  /** The address of a blank page whose script has this prefix. */
  readonly pageFor: (port: number) => string;
  readonly proxyPort: number;
  readonly media: URL;
}

async function cell(
  { browser, pageFor, proxyPort, media }: Harness,
  outage: Outage,
  ms: number,
  moment: Moment,
  transport: Transport,
): Promise<{ cell: string; isGood: boolean }> {
  const [proxy, clips] = [new Relay(proxyPort), new Relay(Number(media.port))];
  await Promise.all([proxy.up(), clips.up()]);
  const context = await browser.createBrowserContext();
  const page: Page = await context.newPage();
  page.setDefaultTimeout(600_000);
  try {
    await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
    await page.evaluateOnNewDocument(watch, transport, media.origin, `http://127.0.0.1:${clips.port}`);
    await page.goto(pageFor(proxy.port));
    await page.evaluate(async () => void (await customElements.whenDefined('sign-translate')));
    const begin = async (): Promise<void> =>
      page.evaluate((texts) => (window as unknown as Cell).begin(texts), TEXTS);
    if (moment !== 'first') await begin();
    await page.evaluate(async (name) => (window as unknown as Cell).moment(name), moment);
    const relays = outage.startsWith('media') ? [clips] : outage === 'offline' ? [proxy, clips] : [proxy];
    for (const relay of relays) relay.down(FAILURES[outage]);
    if (outage === 'offline') await page.setOfflineMode(true);
    if (moment === 'first') await begin();
    await sleep(ms);
    await Promise.all(relays.map(async (relay) => relay.up()));
    if (outage === 'offline') await page.setOfflineMode(false);
    const since = performance.now();
    const seen = await Promise.race([
      page.evaluate(async () => (window as unknown as Cell).over),
      sleep(LONGEST_WAIT_MS, null, { ref: false }),
    ]);
    if (!seen) return { cell: 'NEVER OVER', isGood: false };
    return resultOf(seen, (performance.now() - since) / 1000, transport);
  } catch (error) {
    return { cell: `FAILED: ${String(error)}`, isGood: false };
  } finally {
    await context.close();
    proxy.close();
    clips.close();
  }
}

/** The cells of one outage, which are printed when all of them have a result. */
class Table {
  readonly outage: Outage;
  readonly seconds: number;
  readonly cells = MOMENTS.flatMap((moment) =>
    TRANSPORTS.filter((transport) => transport !== 'stream' || moment !== 'result').map((transport) => ({
      table: this,
      moment,
      transport,
    })),
  );
  readonly #rows: Map<Moment, Record<string, string>>;
  #missing = this.cells.length;

  constructor(outage: Outage, seconds: number) {
    this.outage = outage;
    this.seconds = seconds;
    // The transports are the columns, in this order.
    const cells = Object.fromEntries(TRANSPORTS.map((transport) => [transport, '']));
    const row = (moment: Moment) => ({ outage: `${outage} ${seconds} s`, moment, ...cells });
    this.#rows = new Map(MOMENTS.map((moment) => [moment, row(moment)]));
  }

  get isHalfOpen(): boolean {
    return FAILURES[this.outage] === 'silent';
  }

  fill(moment: Moment, transport: Transport, text: string): void {
    this.#rows.get(moment)![transport] = text;
    this.#missing -= 1;
    if (this.#missing === 0) console.table([...this.#rows.values()]);
  }
}

/** @param longest of these outages, in seconds; all by default */
export async function benchOutagePage(longest = 40): Promise<void> {
  const server = createServer((request, response) => {
    const script = `http://127.0.0.1:${new URL(request.url ?? '/', 'http://page').searchParams.get('proxy')}/sign/elements.js`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><html lang="en"><title>Outage</title><body><script type="module" src="${script}"></script>`,
    );
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const backend = await startBackend([origin]);
  const browser = await openOwnBrowser();
  try {
    backend.sandbox.setFaults(SLOW);
    const harness: Harness = {
      browser,
      pageFor: (port) => `${origin}/?proxy=${port}`,
      proxyPort: Number(new URL(backend.addresses.proxy).port),
      media: new URL(backend.addresses.media),
    };
    let good = 0;
    const tables = [40, 15, 8, 3]
      .filter((each) => each <= longest)
      .flatMap((seconds) => OUTAGES.map((outage) => new Table(outage, seconds)))
      .toSorted((a, b) => Number(b.isHalfOpen) - Number(a.isHalfOpen));
    const waiting = tables.flatMap((table) => table.cells).values();
    const work = async (): Promise<void> => {
      for (const { table, moment, transport } of waiting) {
        const { outage, seconds } = table;
        const { cell: text, isGood } = await cell(harness, outage, seconds * 1000, moment, transport);
        if (isGood) good += 1;
        table.fill(moment, transport, text);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    console.log(
      `${good} of ${tables.flatMap(({ cells }) => cells).length} cells lost no text, none twice, none out of order`,
    );
  } finally {
    await browser.close();
    await backend.close();
    server.close();
    server.closeAllConnections();
  }
}
