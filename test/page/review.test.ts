// The review page of sign-prepare in a real browser, by keyboard alone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import type { Page } from 'puppeteer-core';
import { Edition } from '../../proxy/prepare/edition.ts';
import { personVideo } from '../../proxy/prepare/person-video.ts';
import { signTextWith, type SignText } from '../../proxy/prepare/sign-text.ts';
import { serveReview, type ReadOrder } from '../../proxy/prepare/review-server.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { manifestIn, openService, openSite, page as html, run } from '../proxy/prepare/prepare-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const browser = await openBrowser();
after(() => browser.close());

/** A reviewer's page of an edition, and readers of its content. */
async function openReview(t: TestContext, out: string, sign: SignText | null = null, order?: ReadOrder) {
  const edition = await Edition.open(out, null);
  const review = await serveReview(edition, sign, 0, order);
  t.after(() => review.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(170_000);
  await page.setViewport({ width: 1300, height: 850 });
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
  return { edition, page, problems, shows, textOf };
}

/** Whether both videos of the page play, beside each other. */
const comparesVideos = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const [clip, before] = [...document.querySelectorAll('video')].map((video) => ({
      isReady: video.readyState === 4 && video.videoWidth > 0,
      ...video.getBoundingClientRect().toJSON(),
    })) as [DOMRect & { isReady: boolean }, DOMRect & { isReady: boolean }];
    return clip.isReady && before.isReady && before.y === clip.y && before.x >= clip.right;
  });

test('a reviewer approves, loops, slows down and rejects with the keyboard, and sees what another reviewer has done', async (t) => {
  const service = await openService(t);
  const site = await openSite(t);
  const out = temporaryFolder();
  site.files.set('/a', html('Come in.', 'Sit down.', 'Wait here.'));
  await run(['--out', out, `${site.address}/a`], service);
  const { edition, page, problems, shows, textOf } = await openReview(t, out);
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
  await shows('#state', 'Approved');

  const states = new Map(
    manifestIn(out).texts.map(({ text, state, note }) => [text, `${state} ${note}`.trim()]),
  );
  assert.deepEqual(
    [first, second, third].map((text) => states.get(text)),
    ['approved', 'rejected Unclear.', 'approved'],
  );
  assert.deepEqual(problems, []);
});

test('a reviewer has other words signed, compares with the previous clip, and puts a video in its place, with the keyboard', async (t) => {
  const service = await openService(t);
  const site = await openSite(t);
  const out = temporaryFolder();
  site.files.set('/a', html('Sit down.'));
  await run(['--out', out, `${site.address}/a`], service);
  const [first] = manifestIn(out).texts;
  const { apiUrl, apiKey } = service.addresses;
  const sign = signTextWith({ apiUrl, apiKey }, manifestIn(out));
  const { page, problems, shows } = await openReview(t, out, sign);
  await shows('#text', 'Sit down.');
  await page.keyboard.press('w');
  await page.keyboard.type('Please take a chair.');
  await page.keyboard.press('Enter');
  await shows('#wording', 'Signed as: Please take a chair.');
  await page.keyboard.press('c');
  await comparesVideos(page);
  const worded = manifestIn(out).texts[0]!;
  assert.deepEqual([worded.state, worded.before], ['draft', first!.file]);

  const video = join(out, 'person.mp4');
  writeFileSync(video, await sign('A person signs this.', new AbortController().signal));
  const input = (await page.$('input#file'))!;
  const chosen = await input.evaluateHandle((file) => ({
    opened: new Promise<boolean>((resolve) => {
      // The file chooser is the browser's own, and a headless browser does not always report it.
      file.addEventListener('click', (event) =>
        resolve(navigator.userActivation.isActive && !event.defaultPrevented),
      );
    }),
  }));
  await page.keyboard.press('v');
  assert.equal(await chosen.evaluate(({ opened }) => opened), true);
  await input.uploadFile(video);
  await shows('#state', 'A video by a person');
  const now = manifestIn(out).texts[0]!;
  assert.deepEqual([now.state, now.before], ['replaced', worded.file]);

  const dropped = [...(await sign('Another person.', new AbortController().signal))];
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], 'other.mp4', { type: 'video/mp4' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, dropped);
  await page.waitForFunction((file) => !document.querySelector('video')!.src.endsWith(file), {}, now.file);
  const last = manifestIn(out).texts[0]!;
  const kept = personVideo(Uint8Array.from(dropped)).length;
  assert.deepEqual([last.state, last.before, last.bytes], ['replaced', now.file, kept]);
  assert.deepEqual(problems, []);
});

test('a held key judges one text, a judgement and a video can be undone, and texts come in the order of their page', async (t) => {
  const service = await openService(t);
  const site = await openSite(t);
  const out = temporaryFolder();
  const words = ['Come in.', 'Sit down.', 'Wait here.', 'Go home.'];
  site.files.set('/a', html(...words));
  await run(['--out', out, `${site.address}/a`], service);
  const byWords = new Map(manifestIn(out).texts.map((text) => [text.text, text.hash]));
  const { edition, page, problems, shows, textOf } = await openReview(t, out, null, () =>
    Promise.resolve(words.map((text) => byWords.get(text)!)),
  );
  await shows('#text', 'Come in.');
  await shows('#behind', 'Sit down.');
  // As the operating system repeats a key that is held.
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('a');
  await page.keyboard.up('a');
  await shows('#text', 'Sit down.');
  await shows('#count', '3 of 4 to be judged');
  assert.deepEqual([await textOf('#ahead'), await textOf('#behind')], ['Come in.', 'Wait here.']);
  await page.keyboard.press('u');
  await shows('#text', 'Come in.');
  await shows('#count', '4 of 4 to be judged');

  const before = edition.manifest.texts.find(({ text }) => text === 'Come in.')!;
  const clip = readFileSync(join(out, manifestIn(out).texts.find(({ text }) => text === 'Go home.')!.file));
  const video = join(out, 'person.mp4');
  writeFileSync(video, clip);
  await (await page.$('input#file'))!.uploadFile(video);
  await shows('#state', 'A video by a person');
  await page.keyboard.press('u');
  await shows('#state', 'To be judged');
  assert.equal(manifestIn(out).texts.find(({ text }) => text === 'Come in.')!.file, before.file);

  // The page shows what another reviewer does with other texts without a reload.
  await edition.update((texts) => {
    for (const text of texts.values())
      if (text.text !== 'Come in.')
        texts.set(text.hash, { ...text, state: 'approved', date: '2030-01-01T00:00:00Z' });
  });
  await shows('#count', '1 of 4 to be judged');
  await page.keyboard.press('a');
  await shows('#text', 'All is judged.');
  assert.deepEqual(problems, []);
});

test('the former text of a page is shown beside its present text, in the pages of two reviewers who judge both', async (t) => {
  const service = await openService(t);
  const site = await openSite(t);
  const out = temporaryFolder();
  site.files.set('/a', html('The desk is on the first floor.', 'Wait here.'));
  await run(['--out', out, `${site.address}/a`], service);
  site.files.set('/a', html('The desk is on the second floor.', 'Wait here.'));
  await run(['--out', out, `${site.address}/a`], service);
  const [one, two] = [await openReview(t, out), await openReview(t, out)];
  for (const { page, shows, textOf } of [one, two]) {
    await page.bringToFront();
    await shows('#count', '2 of 3 to be judged');
    if ((await textOf('#text')) === 'Wait here.') await page.keyboard.press('ArrowRight');
    await shows('#text', 'The desk is on the second floor.');
    await shows('#was', 'The page had before: The desk is on the first floor.');
    await shows('#text mark', 'second');
    await comparesVideos(page);
  }
  await one.page.bringToFront();
  await one.page.keyboard.press('a');
  await one.shows('#count', '1 of 3 to be judged');
  await two.page.bringToFront();
  await two.page.keyboard.press('r');
  await two.page.keyboard.type('No.');
  await two.page.keyboard.press('Enter');
  await two.shows('#message', 'another reviewer has changed this text');
  await two.shows('#state', 'Approved');
  const states = manifestIn(out).texts.map(({ text, state, stale }) => [text, state, stale ?? false]);
  assert.deepEqual(
    new Set(states.map(String)),
    new Set([
      'The desk is on the first floor.,draft,true',
      'The desk is on the second floor.,approved,false',
      'Wait here.,draft,false',
    ]),
  );
});
