// Whole pages as sites have them: an article, a long page of a government, a page with hostile style sheets, an app that changes
// its route, a page under Trusted Types, a phone. A visitor starts the signer on each, with a mouse or a finger.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page, Viewport } from 'puppeteer-core';
import { openSite, type OpenPage } from './site.ts';
import { press } from './press-button.ts';

const site = await openSite();
after(() => site.close());
const script = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;
const room = '<link rel="stylesheet" href="/dist/cdn/sign-elements.css">';
const phone: Viewport = { width: 390, height: 844, hasTouch: true, isMobile: true };

// Under the policy of the site a page has scripts and styles only in files.
site.scripts.set(
  '/notes.js',
  `window.texts = []; window.violations = []; window.shift = 0;
   addEventListener('sign-start', ({ detail }) => texts.push(detail.text));
   addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => violations.push(violatedDirective + sample));
   new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
     .observe({ type: 'layout-shift', buffered: true });`,
);
interface Notes {
  /** The signed texts, in order. */
  readonly texts: string[];
  readonly violations: string[];
  /** Sum of the layout shifts (CLS counts those of one burst). */
  readonly shift: number;
}

async function open(html: string, viewport?: Viewport): Promise<OpenPage> {
  const opened = await site.open(`<head><meta name="viewport" content="width=device-width">
    <script src="/notes.js"></script>${room}</head>${html}`);
  if (viewport) await opened.page.setViewport(viewport);
  await opened.page.waitForFunction(() => customElements.get('sign-translate'));
  return opened;
}

const notes = (page: Page): Promise<Notes> =>
  page.evaluate(() => {
    const { texts, violations, shift } = globalThis as unknown as Notes;
    return { texts, violations, shift };
  });

const untilSigned = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction((n) => (globalThis as unknown as Notes).texts.length >= n, {}, count);

test('the sentences of an article are signed in order and marked where they are written, and nothing on the page moves', async () => {
  site.scripts.set(
    '/article.css',
    `body { font: 18px/1.6 Georgia, serif; margin: 0 } header { position: sticky; top: 0; background: #fff }
     main { display: grid; grid-template-columns: 1fr 24rem; gap: 2rem; max-width: 70rem; margin: auto }
     .cookies { position: fixed; inset: auto 0 0; background: #eee; padding: 1rem }`,
  );
  const { page, problems } = await open(`<link rel="stylesheet" href="/article.css"><body>
    <header><nav><a href="#">News</a> <a href="#">Sport</a></nav></header>
    <main><article id="story"><h1>Library stays open</h1><p class="by">By <a href="#">A. Writer</a></p>
    <p>The library will stay open. Mr. Green said so on <time>Monday</time>.</p>
    <figure><svg width="40" height="40"></svg><figcaption>The library in May</figcaption></figure></article>
    <aside><sign-translate for="story" controls resolution="480p"></sign-translate></aside></main>
    <div class="cookies">We use cookies. <button>Fine</button></div>${script}</body>`);
  await page.waitForSelector('sign-translate >>> [part~=start]');
  assert.equal((await notes(page)).shift, 0, 'when the script comes');
  const places = (): Promise<number[]> =>
    page.$$eval('#story > *, aside, .cookies', (all) => all.map((one) => one.getBoundingClientRect().top));
  const before = await places();
  // The third sentence must not be over before the test has checked it.
  await page.$eval('sign-translate', (signer) =>
    signer.addEventListener('sign-start', ({ detail }) => {
      if (detail.text === 'The library will stay open.') signer.pause();
    }),
  );
  await press(page, 'start');
  await untilSigned(page, 3);
  const marked = await page.evaluate(() => [...CSS.highlights.get('sign-sentence')!].map(String).join());
  const { texts } = await notes(page);
  assert.deepEqual(texts, ['Library stays open', 'By A. Writer', 'The library will stay open.']);
  assert.equal(marked, 'The library will stay open.');
  assert.deepEqual(await places(), before, 'while it signs');
  assert.deepEqual(problems, []);
  await page.close();
});

test('on a long page of a government no menu and no closed details are read, and a paragraph far down is scrolled into view', async () => {
  const section = (n: number): string =>
    `<section id="s${n}"><h2>${n}. Part of the law</h2><p>You must apply by day ${n}. You may appeal.</p>
     <details><summary>Exceptions</summary><p>Folded text of ${n}.</p></details>
     <table><tr><th>Fee</th><td>£${n}</td></tr></table></section>`;
  const { page, problems } = await open(`<body><a href="#main">Skip to main content</a>
    <nav aria-label="Breadcrumb"><a href="#">Home</a> <a href="#">Benefits</a></nav>
    <main id="main"><h1>Apply for a permit</h1>
    ${Array.from({ length: 150 }, (_, index) => section(index + 1)).join('')}</main>
    <footer>© Crown copyright</footer>
    <sign-translate for="main" placement="bottom-right" remember="none" controls resolution="480p"></sign-translate>${script}</body>`);
  await press(page, 'start');
  await untilSigned(page, 1);
  const read = await page.evaluate(async () => {
    const signer = document.querySelector('sign-translate')!;
    const sentence = new Promise<string>((resolve) => {
      signer.addEventListener('sign-sentence', ({ detail }) => resolve(detail.text));
    });
    await signer.read(document.querySelector('#s140 p')!);
    return { first: await sentence, all: signer.queue.map(({ text }) => text) };
  });
  assert.equal((await notes(page)).texts[0], 'Apply for a permit');
  assert.deepEqual(read.all.slice(0, 6), [
    'You must apply by day 140.',
    'You may appeal.',
    'Exceptions',
    'Fee, £140',
    '141. Part of the law',
    'You must apply by day 141.',
  ]);
  assert.equal(read.first, read.all[0]);
  assert.equal(
    read.all.find((text) => /Home|Skip|Folded|Crown/.test(text)),
    undefined,
  );
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('#s140 p')!.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.deepEqual(problems, []);
  await page.close();
});

test('on a page with hostile CSS the signer keeps its size, its buttons and `hidden`, and changes nothing of the page', async () => {
  site.scripts.set(
    '/hostile.css',
    `html { font-size: 62.5% } * { all: unset } body { letter-spacing: 1em; text-transform: uppercase; text-indent: 5em } head, script { display: none }
     main, p, .bar { display: block !important; color: rgb(1, 2, 3) !important } svg { fill: red !important; width: 5px }
     button { font-size: 3px !important; transform: scale(0.2); pointer-events: none }
     .bar { position: fixed !important; inset: auto 0 0; z-index: 2147483647; height: 60px }`,
  );
  const { page, problems } = await open(`<link rel="stylesheet" href="/hostile.css"><body>
    <main id="main"><p>Our shop opens at nine.</p></main><p><button id="own">Own</button></p>
    <sign-translate for="main" controls resolution="480p"></sign-translate>
    <sign-translate id="gone" hidden></sign-translate><p class="bar">Cookies</p>${script}</body>`);
  await page.waitForSelector('sign-translate >>> [part~=start]');
  const seen = await page.evaluate(() => {
    const [signer, gone] = document.querySelectorAll('sign-translate');
    const buttons = [...signer!.shadowRoot!.querySelectorAll('button:not([popover])')].map((one) =>
      one.getBoundingClientRect(),
    );
    const { width, height } = signer!.shadowRoot!.querySelector('[part=box]')!.getBoundingClientRect();
    const style = getComputedStyle(document.querySelector('#own')!);
    const inner = getComputedStyle(signer!.shadowRoot!.querySelector('[part=box]')!);
    return {
      box: [width, height],
      small: buttons.filter((one) => one.width < 44 || one.height < 44).length,
      font: parseFloat(getComputedStyle(signer!.shadowRoot!.querySelector('[part~=start]')!).fontSize),
      icon: signer!.shadowRoot!.querySelector('[part~=start] svg')!.getBoundingClientRect().width,
      texts: [inner.letterSpacing, inner.textTransform, inner.textIndent],
      gone: gone!.getBoundingClientRect().width,
      own: [style.fontSize, style.pointerEvents, getComputedStyle(document.querySelector('p')!).color],
    };
  });
  assert.deepEqual(seen, {
    box: [512, 288],
    small: 0,
    font: 16,
    icon: 20,
    texts: ['normal', 'none', '0px'],
    gone: 0,
    own: ['3px', 'none', 'rgb(1, 2, 3)'],
  });
  await press(page, 'start');
  await untilSigned(page, 1);
  assert.deepEqual((await notes(page)).texts, ['Our shop opens at nine.']);
  assert.deepEqual(problems, []);
  await page.close();
});

test('in an app that changes its route the new text is signed, and 50 signers that were added and removed have no effect', async () => {
  site.scripts.set(
    '/router.js',
    `window.go = (name) => {
       history.pushState(null, '', '#' + name);
       const main = document.createElement('main');
       main.id = 'view';
       main.append(Object.assign(document.createElement('p'), { textContent: 'This is ' + name + '.' }));
       document.querySelector('main').replaceWith(main);
     };`,
  );
  const { page, problems } =
    await open(`<script src="/router.js"></script><body><main id="view"><p>This is home.</p></main>
    <div id="place"><sign-translate for="view" controls resolution="480p"></sign-translate></div>${script}</body>`);
  await press(page, 'start');
  await untilSigned(page, 1);
  await page.evaluate(async () => {
    const { go } = globalThis as unknown as { go(name: string): void };
    const signer = document.querySelector('sign-translate')!;
    const over = new Promise((resolve) => signer.addEventListener('sign-end', resolve, { once: true }));
    await over;
    for (let route = 0; route < 50; route += 1) {
      go(`route ${route}`);
      const next = document.createElement('sign-translate');
      next.setAttribute('for', 'view');
      next.resolution = '480p';
      document.querySelector('#place')!.replaceChildren(next);
      if (route % 10 === 0) void next.connect().catch(() => {});
      await new Promise(requestAnimationFrame);
    }
    await document.querySelector('sign-translate')!.read();
  });
  await untilSigned(page, 2);
  assert.deepEqual((await notes(page)).texts, ['This is home.', 'This is route 49.']);
  await page.evaluate(() => document.querySelector('sign-translate')!.remove());
  assert.deepEqual(problems, []);
  await page.close();
});

test('under Trusted Types, with the whole interface of the signer open, the page reports no violation', async () => {
  const { page, problems } = await open(`<meta http-equiv="Content-Security-Policy"
      content="require-trusted-types-for 'script'; trusted-types sign-elements"><body>
    <main id="main"><p>Our shop opens at nine. It closes at six.</p></main>
    <sign-translate for="main" placement="bottom-right" remember="none" launcher resolution="480p"
      controls="play previous next stop queue caption speed fullscreen"></sign-translate>${script}</body>`);
  await press(page, 'launcher');
  await press(page, 'start');
  await untilSigned(page, 1);
  await press(page, 'queue');
  await page.waitForSelector('sign-translate >>> li');
  await untilSigned(page, 2);
  assert.deepEqual((await notes(page)).violations, []);
  assert.deepEqual(problems, []);
  await page.close();
});

test('on a phone the signer takes a third of the screen, a link above it can be pressed, and in landscape all of it is in sight', async () => {
  const { page, problems } = await open(
    `<body><main id="main"><h1>Opening times</h1><p><a href="#here">Find us</a></p></main>
    <sign-translate for="main" placement="bottom-right" remember="none" launcher controls resolution="480p"></sign-translate>${script}</body>`,
    phone,
  );
  await press(page, 'launcher', 'tap');
  await press(page, 'start', 'tap');
  await untilSigned(page, 1);
  const share = await page.$eval(
    'sign-translate >>> [part=box]',
    (box) => box.getBoundingClientRect().height / innerHeight,
  );
  assert.ok(share >= 1 / 3, `${share} of the screen`);
  await page.tap('a');
  assert.equal(await page.evaluate(() => location.hash), '#here');
  await page.setViewport({ ...phone, width: 844, height: 390, isLandscape: true });
  await page.waitForFunction(() => {
    const { top, bottom, left, right } = document.querySelector('sign-translate')!.getBoundingClientRect();
    return innerWidth > innerHeight && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  });
  assert.deepEqual(problems, []);
  await page.close();
});

test('on a phone with the signer between the paragraphs a third of the screen is left for reading while the list of sentences is open', async () => {
  const words = Array.from({ length: 30 }, (_, n) => `<p>Paragraph ${n} is here.</p>`).join('');
  const { page, problems } = await open(
    `<body><sign-translate for="main" controls resolution="480p"></sign-translate><main id="main">${words}</main>${script}</body>`,
    phone,
  );
  await press(page, 'start', 'tap');
  await untilSigned(page, 1);
  await press(page, 'queue', 'tap');
  await page.waitForSelector('sign-translate >>> .list li');
  const [share, shown, all] = await page.$eval('sign-translate', (signer) => {
    const list = signer.shadowRoot!.querySelector('.list')!;
    return [signer.offsetHeight / innerHeight, list.clientHeight, list.scrollHeight] as const;
  });
  assert.ok(share < 2 / 3, `${share} of the screen`);
  assert.ok(shown >= 100 && all > shown, `${shown} of ${all} px`);
  assert.deepEqual(problems, []);
  await page.close();
});
