// Chromium itself refuses sound before the visitor has touched the page; in the other tests it lets everything play. All four
// elements are on one page. The browser's own mouse presses the buttons, because a click that a script makes is no gesture.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import type { SignElement } from '../../src/elements/sign-element.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { manifestUrlOf } from '../players/stream-session.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { until } from '../until.ts';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { openSite } from './site.ts';

const site = await openSite(() => openOwnBrowser(['--autoplay-policy=document-user-activation-required']));
after(() => site.close());
const { proxy } = site.backend.addresses;

const client = await new V3Client(proxy.replace(/^http/, 'ws')).opened();
client.start({ digital_signer: 'RAE', resolution: '480p' }, 'stream');
const manifest = manifestUrlOf(await client.next());
after(() => client.socket.close());

const names = ['sign-translate', 'sign-live-player', 'sign-silence-loop', 'sign-announcement'] as const;
type Name = (typeof names)[number];

interface Standing {
  /** `paused` of the element and of its video; false when the element does not wait for the visitor. */
  readonly paused: false | readonly unknown[];
  /** `muted` of the element and of its video. */
  readonly muted: readonly unknown[];
  /** The text of the button in the box; null without one. */
  readonly button: string | null;
}

type Heard = { errors: string[]; settled: string[] };

interface OpenPage {
  readonly page: Page;
  readonly problems: readonly string[];
  /** Runs a function in the page without a gesture, because puppeteer's own `evaluate` counts as a gesture of the visitor. */
  run<Args extends readonly unknown[], Value>(
    what: (...args: Args) => Value | Promise<Value>,
    ...args: Args
  ): Promise<Value>;
}

async function openPage(): Promise<OpenPage> {
  const { page, problems } = await site.open(`<script type="module" src="${proxy}/elements.js"></script>`);
  const session = await page.createCDPSession();
  const run: OpenPage['run'] = async (what, ...args) => {
    const expression = `(${String(what)})(...${JSON.stringify(args)})`;
    const order = { expression, awaitPromise: true, returnByValue: true, userGesture: false };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', order);
    assert.equal(exceptionDetails?.exception?.description, undefined);
    return result.value as never;
  };
  await run(() => {
    const heard: Heard = { errors: [], settled: [] };
    Object.assign(window, { heard });
    addEventListener('unhandledrejection', ({ reason }) => heard.errors.push(`unheard: ${String(reason)}`));
  });
  return { page, problems, run };
}

/** Puts an element of each kind on the page, and signs a text. */
const mount = ({ run }: OpenPage, muted: boolean): Promise<void> =>
  run(
    async (tags, prefix, src, isMuted) => {
      const { heard } = window as unknown as { heard: Heard };
      const attributes: Record<string, Record<string, string>> = {
        'sign-translate': { 'idle-after': 'none', resolution: '480p' },
        'sign-live-player': { src },
        'sign-silence-loop': { format: 'mp4' },
        'sign-announcement': { destination: 'EUS', timing: '1000' },
      };
      for (const tag of tags) {
        await customElements.whenDefined(tag);
        const element = document.createElement(tag);
        element.proxy = prefix;
        element.muted = isMuted;
        element.style.inlineSize = '240px';
        for (const [name, value] of Object.entries(attributes[tag]!)) element.setAttribute(name, value);
        element.addEventListener('sign-error', ({ detail }) =>
          heard.errors.push(`${tag}: ${detail.error.code}`),
        );
        document.body.append(element);
        if (!('sign' in element)) continue;
        void element.sign('Good morning').then(
          () => heard.settled.push('signed'),
          () => heard.settled.push('rejected'),
        );
      }
    },
    names,
    proxy,
    manifest,
    muted,
  );

/** The state of an element, as soon as its picture has moved and it has no button, or, with `waits`, as soon as it has one. */
const standing = ({ run }: OpenPage, name: Name, waits = false): Promise<Standing | null> =>
  until(() =>
    run(
      (tag, isAwaited) => {
        const element = document.querySelector<SignElement>(tag)!;
        const { media, paused, muted, currentTime } = element;
        const button = element.shadowRoot?.querySelector('[part~=start]')?.textContent?.trim() ?? null;
        if (!media || (button !== null) !== isAwaited || (!isAwaited && currentTime === 0)) return null;
        // A short video may have ended by now.
        return { paused: isAwaited && [paused, media.paused], muted: [muted, media.muted], button };
      },
      name,
      waits,
    ),
  );

const heardOn = ({ run }: OpenPage): Promise<Heard> =>
  run(() => (window as unknown as { heard: Heard }).heard);

/** Presses the button in an element's box, as a visitor does. */
async function press({ page, run }: OpenPage, name: Name): Promise<void> {
  const [x, y] = await run((tag) => {
    const button = document.querySelector(tag)!.shadowRoot!.querySelector('[part~=start]')!;
    button.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  }, name);
  await page.mouse.click(x, y);
}

const plays = (muted: boolean): Standing => ({
  paused: false,
  muted: [muted, muted],
  button: null,
});
const waits: Standing = { paused: [true, true], muted: [false, false], button: 'Play' };

test('muted elements play by themselves; sound without a gesture mutes a live stream again and pauses the others, with a button', async () => {
  const opened = await openPage();
  await mount(opened, true);
  for (const name of names) assert.deepEqual([name, await standing(opened, name)], [name, plays(true)]);
  await until(async () => (await heardOn(opened)).settled.length > 0);
  const begun = await opened.run(() => {
    const player = document.querySelector('sign-live-player')!;
    player.muted = false;
    return player.currentTime;
  });
  const goesOn = await until(() =>
    opened.run((from) => {
      const { muted, paused, currentTime } = document.querySelector('sign-live-player')!;
      return muted && !paused && currentTime > from + 0.5;
    }, begun),
  );
  assert.equal(goesOn, true);
  const row = 'sign-translate';
  await opened.run((tag) => {
    const element = document.querySelector<SignTranslate>(tag)!;
    element.addEventListener('sign-start', () => (element.muted = false), { once: true });
    void element.sign('A text that is on screen for some seconds when its sound is put on');
  }, row);
  assert.deepEqual(await standing(opened, row, true), waits);
  const loop = 'sign-silence-loop';
  await opened.run((tag) => void (document.querySelector<SignElement>(tag)!.muted = false), loop);
  assert.deepEqual(await standing(opened, loop, true), waits);
  assert.deepEqual([await heardOn(opened), opened.problems], [{ errors: [], settled: ['signed'] }, []]);
  await opened.page.close();
});

test('with sound each element shows a button and no error, and a live stream plays muted, until the visitor presses', async () => {
  const opened = await openPage();
  const { run } = opened;
  await mount(opened, false);
  const buttons = names.filter((name) => name !== 'sign-live-player');
  for (const name of buttons) assert.deepEqual([name, await standing(opened, name, true)], [name, waits]);
  assert.deepEqual(await standing(opened, 'sign-live-player'), plays(true));
  const refusals = await run(
    (tags) =>
      Promise.all(
        tags.map((tag) =>
          document
            .querySelector<SignElement>(tag)!
            .play()
            .catch(({ name }: Error) => name),
        ),
      ),
    buttons,
  );
  assert.deepEqual(
    refusals,
    buttons.map(() => 'NotAllowedError'),
  );
  assert.deepEqual(await heardOn(opened), { errors: [], settled: [] });

  for (const name of buttons) {
    await press(opened, name);
    assert.deepEqual([name, await standing(opened, name)], [name, plays(false)]);
  }
  const isHeard = await run(() => {
    const player = document.querySelector('sign-live-player')!;
    player.muted = false;
    return !player.muted && !player.paused && !player.media!.paused;
  });
  assert.equal(isHeard, true);
  await until(async () => (await heardOn(opened)).settled.length > 0);
  assert.deepEqual([await heardOn(opened), opened.problems], [{ errors: [], settled: ['signed'] }, []]);
  await opened.page.close();
});
