// A live event from end to end, as its operator and its visitors use it: a session is made on the operator's page, Debian's FFmpeg
// pushes a picture into it, a visitor watches the signer and the composite, and the operator stops it. The test reads the frame
// stamps on screen.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { ffmpeg, stampedSource } from '../sandbox/live/media/stamped-source.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openDemo } from './demo-page.ts';
import { letReadStamps, type WithStamps } from './seen-stamps.ts';

const demo = await openDemo();
after(() => demo.close());

async function open(path: string): Promise<Page> {
  const page = await demo.newPage();
  page.setDefaultTimeout(170_000);
  await page.goto(new URL(path, demo.address).href);
  await page.waitForFunction(() => customElements.get('sign-live-player'));
  await letReadStamps(page);
  return page;
}

/** Resolves when this many frames with different stamps were on screen. */
const untilSigned = (page: Page, frames: number): Promise<unknown> =>
  page.waitForFunction(
    async (wanted) => {
      const seen = globalThis as WithStamps & { stamps?: Set<string> };
      const stamps = (seen.stamps ??= new Set());
      const video = document.querySelector('sign-live-player')?.media;
      const stamp = video && video.readyState >= 2 ? await seen.stampOf(video) : null;
      if (stamp) stamps.add(`${stamp.clip}.${stamp.frame}`);
      return stamps.size >= wanted;
    },
    { polling: 40 },
    frames,
  );

const stateOf = (page: Page, state: string): Promise<unknown> =>
  page.waitForFunction((name) => document.querySelector(`sign-live-player:state(${name})`), {}, state);

for (const [sourceType, format] of [
  ['RTMP_PUSH', 'flv'],
  ['SRT_PUSH', 'mpegts'],
] as const) {
  test(`a session of ${sourceType} is made by the operator, pushed to, watched as signer and as composite, and stopped`, async (t) => {
    const operator = await open('operator.html');
    await operator.type('#token', demo.operatorToken);
    await operator.click('#access button');
    await operator.waitForSelector('#sessions:not([hidden])');
    await operator.select('#sourceType', sourceType);
    await operator.click('#create > button');
    await operator.waitForSelector('#chosen:not([hidden]) code');
    const facts = await operator.$$eval('#facts code', (codes) => codes.map((one) => one.textContent ?? ''));
    const session = /session="([^"]+)"/.exec(facts[0] ?? '')?.[1] ?? '';
    const target = /'([^']+)'$/.exec(facts.at(-1) ?? '')?.[1] ?? '';
    const source = stampedSource(temporaryFolder(), 10);
    ffmpeg(t, ['-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', format, target]);

    const visitor = await open(`live.html?session=${session}`);
    await untilSigned(visitor, 10);
    const signer = await visitor.$eval('sign-live-player', ({ currentSrc }) => currentSrc);
    await visitor.select('#view', 'composite');
    await visitor.waitForFunction(
      (before) => document.querySelector('sign-live-player')!.currentSrc !== before,
      {},
      signer,
    );
    await visitor.evaluate(() => Reflect.deleteProperty(globalThis, 'stamps'));
    await untilSigned(visitor, 10);

    await operator.evaluate(() => {
      const stop = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Stop');
      stop?.click();
    });
    await stateOf(visitor, 'ended');
    assert.match(await visitor.$eval('#state', ({ textContent }) => textContent ?? ''), /over/);
    await visitor.close();
    await operator.close();
  });
}
