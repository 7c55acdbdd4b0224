// The review page of sign-prepare in a real browser, by keyboard alone.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Edition } from '../../proxy/prepare/edition.ts';
import { serveReview } from '../../proxy/prepare/review-server.ts';
import { openBrowser } from '../browser/open-browser.ts';
import {
  manifestIn,
  newFolder,
  openService,
  openSite,
  page as html,
  run,
} from '../proxy/prepare/prepare-stage.ts';

const browser = await openBrowser();
after(() => browser.close());

test('a reviewer approves, loops, slows down and rejects with the keyboard, and hears what another has done', async (t) => {
  const service = await openService(t);
  const site = await openSite(t);
  const out = newFolder(t);
  site.files.set('/a', html('Come in.', 'Sit down.', 'Wait here.'));
  await run(['--out', out, `${site.address}/a`], service);
  const edition = await Edition.open(out, null);
  const review = await serveReview(edition, null, 0);
  t.after(() => review.close());

  const page = await browser.newPage();
  page.setDefaultTimeout(100_000);
  t.after(() => page.close());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(review.address);
  const shows = (selector: string, words: string): Promise<unknown> =>
    page.waitForFunction(
      (at, text) => document.querySelector(at)?.textContent?.includes(text),
      {},
      selector,
      words,
    );
  const textOf = (selector: string): Promise<string> =>
    page.$eval(selector, (element) => element.textContent ?? '');
  await shows('#count', '3 of 3 to be judged');

  const first = await textOf('#text');
  await page.keyboard.press('l');
  await page.keyboard.press('h');
  await page.waitForFunction(() => {
    const clip = document.querySelector('video')!;
    return clip.loop && clip.playbackRate === 0.5 && clip.readyState === 4;
  });
  await page.keyboard.press('a');
  await shows('#count', '2 of 3 to be judged');

  const second = await textOf('#text');
  await page.keyboard.press('r');
  await page.keyboard.type('Unclear.');
  await page.keyboard.press('Enter');
  await shows('#count', '1 of 3 to be judged');

  const third = await textOf('#text');
  await edition.update((texts) => {
    const other = [...texts.values()].find(({ text }) => text === third)!;
    texts.set(other.hash, { ...other, state: 'approved', date: new Date().toISOString() });
  });
  await page.keyboard.press('a');
  await shows('#message', 'another reviewer has changed this text');
  await shows('#state', 'approved');

  const states = new Map(
    manifestIn(out).texts.map(({ text, state, note }) => [text, `${state} ${note}`.trim()]),
  );
  assert.deepEqual(
    [first, second, third].map((text) => states.get(text)),
    ['approved', 'rejected Unclear.', 'approved'],
  );
  assert.deepEqual(problems, []);
});
