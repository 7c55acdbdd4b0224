// A visitor goes through the demo pages by Tab in small windows (400 % zoom, a phone), forwards and backwards, and always sees the
// focused element.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openDemo } from './demo-page.ts';

const demo = await openDemo();
after(() => demo.close());

/**
 * The focused element two frames later, and whether a visitor sees half of it or a part as large as a finger. Null for the page
 * itself.
 */
const look = (page: Page): Promise<{ what: string; isSeen: boolean } | null> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body) return null;
    const deepAt = (x: number, y: number): Element | null => {
      let found = document.elementFromPoint(x, y);
      for (let inner = found; inner?.shadowRoot; found = inner ?? found) {
        const next: Element | null = inner.shadowRoot.elementFromPoint(x, y);
        inner = next === inner ? null : next;
      }
      return found;
    };
    const owners = [at, ...((at as HTMLInputElement).labels ?? [])];
    const isSeen = owners.some((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const enough = Math.min(24 * 24, (width * height) / 2);
      let seen = 0;
      for (let x = 1; x < 16; x += 2)
        for (let y = 1; y < 16; y += 2) {
          const found = deepAt(left + (width * x) / 16, top + (height * y) / 16);
          if (owners.some((owner) => owner.contains(found) || (found?.contains(owner) && owner !== at)))
            seen++;
          if ((seen / 64) * width * height >= enough) return true;
        }
      return false;
    });
    return {
      what: `${at.localName} ${at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 30)}`,
      isSeen,
    };
  });

for (const [width, height] of [
  [320, 256],
  [390, 844],
] as const) {
  for (const name of ['', 'reading.html', 'docs/sign-translate.html']) {
    test(`by Tab, forwards and backwards, the focused element on /${name} is always in sight at ${width} by ${height}`, async () => {
      const page = await demo.newPage();
      await page.setViewport({ width, height });
      await page.goto(new URL(name, demo.address).href);
      const hidden: string[] = [];
      for (const back of [false, true]) {
        if (back) await page.keyboard.down('Shift');
        for (let presses = 0; presses < 120; presses++) {
          await page.keyboard.press('Tab');
          const seen = await look(page);
          if (!seen) break;
          if (!seen.isSeen) hidden.push(`${seen.what}${back ? ', back' : ''}`);
        }
      }
      await page.keyboard.up('Shift');
      assert.deepEqual(hidden, []);
      await page.close();
    });
  }
}
