// The page of a live event, from the demo alone: the site's own video and the signer of its session beside it. The tests read the
// frame stamps of both: those of the event count its frames, and those of the signer name the signed caption.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { clipId } from '../../demo/sandbox/index.ts';
import { sentence, SENTENCE_SECONDS, EVENT_CLIP } from '../../demo/event-source/event-content.ts';
import { ofLanguage } from '../docs/samples.ts';
import { until } from '../until.ts';
import { consoleOf } from './console-of.ts';
import { openDemo } from './demo-page.ts';
import { letReadStamps, type WithStamps } from './seen-stamps.ts';
import { untilPaused, untilPlaying } from './until-paused.ts';

const demo = await openDemo();
after(() => demo.close());

const FRAMES_PER_SECOND = 25;
/** The element counts up to 0.08 s as in step. The rest is for frames, which are painted two or three frames late. */
const IN_STEP_SECONDS = 0.2;
/** The sentence of each stamp that the signer may show, by its number. */
const sentences = Array.from({ length: 200 }, (_, n) => sentence(n));
const signed = new Map(sentences.map((text, n) => [clipId(text), n]));

/** The seconds of the event that both pictures show now; null while the signer shows none. */
interface Seen {
  readonly video: number;
  readonly signer: number | null;
  /** The text of the element's lag. */
  readonly lag: string;
}

async function look(page: Page): Promise<Seen> {
  const { event, signer, lag } = await until(
    () =>
      page.evaluate(async () => {
        const { stampOf } = globalThis as WithStamps;
        const player = document.querySelector('sign-live-player')!;
        const shown = player.shadowRoot?.querySelector('[part=lag]')?.textContent ?? '';
        const video = document.querySelector('video')!;
        return {
          event: await stampOf(video),
          signer: player.media && (await stampOf(player.media)),
          lag: shown,
        };
      }),
    // The video has no picture while its player seeks after a wait for bytes.
    ({ event }) => event !== null,
  );
  assert.equal(event?.clip, EVENT_CLIP, 'the video shows the event');
  const n = signer ? signed.get(signer.clip) : undefined;
  return {
    video: event.frame / FRAMES_PER_SECOND,
    signer: n === undefined ? null : n * SENTENCE_SECONDS + signer!.frame / FRAMES_PER_SECOND,
    lag,
  };
}

const rest = (page: Page): Promise<unknown> => page.evaluate(() => new Promise(requestAnimationFrame));

/** True when the element reports that it is in step. */
const reportsNoLag = ({ lag }: Seen): boolean =>
  Math.abs(parseFloat(/-?[\d.]+/.exec(lag)?.[0] ?? 'NaN')) <= IN_STEP_SECONDS;

/** Waits until both pictures have advanced together for half a second, and the element has reported no lag. */
async function untilInStep(page: Page): Promise<Seen> {
  let row: { readonly video: number; readonly behind: number }[] = [];
  for (;;) {
    const seen = await look(page);
    if (seen.signer === null || !reportsNoLag(seen)) row = [];
    else row.push({ video: seen.video, behind: seen.video - seen.signer });
    const behind = row.map((one) => one.behind);
    if (Math.max(...behind) - Math.min(...behind) > IN_STEP_SECONDS) row = [];
    if (row.length > 0 && row.at(-1)!.video - row[0]!.video >= 0.5) return seen;
    await rest(page);
  }
}

/** Waits until two readings are equal, and returns the last. */
async function untilStill(page: Page): Promise<Seen> {
  for (let before = await look(page); ;) {
    await rest(page);
    await rest(page);
    const now = await look(page);
    if (now.video === before.video && now.signer === before.signer) return now;
    before = now;
  }
}

/** True when the page's player requests the captions' playlist after it has the video's, for any order of the answers. */
const asksForCaptionsLast = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const of = (file: string): PerformanceResourceTiming =>
      asked.find(({ name }) => new URL(name).pathname.endsWith(`/page/${file}`))!;
    return of('captions.m3u8').startTime >= of('stream.m3u8').responseEnd;
  });

/** Waits for a sentence among the captions of the video, but not for the first one, which is over when playback begins late. */
async function untilCaptioned(page: Page): Promise<void> {
  const captioned = (all: string[]): boolean =>
    [...(document.querySelector('video')!.textTracks[0]?.cues ?? [])].some((cue) =>
      all.includes((cue as VTTCue).text),
    );
  try {
    await page.waitForFunction(captioned, {}, sentences);
  } catch (cause) {
    const requests = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => /captions|\.vtt/.test(name))
        .map(({ name, startTime, responseStatus }) => [name, startTime, responseStatus].join(' ')),
    );
    throw new Error(`no caption; requested: ${requests.join(', ')}`, { cause });
  }
}

const stateOf = (page: Page): Promise<string | null> =>
  page.$eval('#state', ({ textContent }) => textContent);

async function visit(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await demo.newPage();
  const { problems } = consoleOf(page);
  await page.goto(new URL(path, demo.address).href);
  return { page, problems };
}

test('the live example in the documentation begins an event, whose signer signs', async () => {
  const { page, problems } = await visit('docs/sign-live-player.html');
  await page.locator('.live button').click();
  await page.waitForSelector('.live sign-live-player:state(signing)');
  await page.waitForFunction(() =>
    /^A sentence is signed/.test(document.querySelector('.live [role=status]')!.textContent!),
  );
  assert.deepEqual(problems, []);
  await page.close();
});

/** The page of the event, once the video and the signer play. */
async function openEvent(): ReturnType<typeof visit> {
  const { page, problems } = await visit('event.html');
  await page.waitForFunction(() => document.querySelector('video')!.readyState >= 3);
  await page.waitForSelector('sign-live-player:state(signing)');
  return { page, problems };
}

test('the sample of docs/sign-live-player.md plays a session, and a manifest that follows the page’s video', async () => {
  const { page, problems } = await openEvent();
  const sample = ofLanguage('html').find(({ code }) => code.includes('sync-with="event-video"'))!;
  await page.$eval(
    'aside',
    (aside, code) => {
      const { session, currentSrc } = document.querySelector('sign-live-player')!;
      aside.innerHTML = code
        .replace('0b6f7c3e-…', session!)
        .replace('https://media.example.net/event.m3u8', currentSrc);
    },
    sample.code,
  );
  const signing = 'sign-live-player:state(signing)';
  await page.waitForSelector(`${signing}[session] ~ ${signing}[src]`);
  await page.$eval('video', (video) => video.pause());
  await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('sign-live-player[src]')!.paused);
  assert.ok(await page.$('sign-live-player[session]:state(signing)'), 'the session plays on');
  assert.deepEqual(problems, []);
  await page.close();
});

test('the signer stays in step with the page’s own video, pauses and plays with it, and shows its end', async () => {
  const { page, problems } = await openEvent();
  await letReadStamps(page);
  const inStep = await untilInStep(page);
  assert.ok(inStep.signer! < inStep.video, 'nothing is signed before it was said');
  assert.match(inStep.lag, /(Behind|Ahead of) the video/);
  await untilCaptioned(page);
  assert.ok(await asksForCaptionsLast(page));

  await page.$eval('video', (video) => video.pause());
  await untilPaused(page, 'sign-live-player');
  const held = await untilStill(page);
  await page.$eval('video', (video) => video.play());
  await untilPlaying(page, 'sign-live-player');
  for (let on = held; on.video <= held.video || !reportsNoLag(on); on = await look(page)) await rest(page);

  const stopped = await page.$eval('sign-live-player', ({ session }) => session ?? '');
  await fetch(new URL(`sign/v2/live/sessions/${stopped}`, demo.address), {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${demo.operatorToken}` },
  });
  await page.waitForSelector('sign-live-player:state(ended)');
  assert.equal(await stateOf(page), 'The signing is over.');
  await page.locator('#again').click();
  await page.waitForFunction(
    (old) => document.querySelector('sign-live-player')?.liveSession?.sessionId !== old,
    {},
    stopped,
  );
  await page.waitForSelector('sign-live-player:state(signing)');
  assert.deepEqual(problems, []);
  await page.close();
});
