// Waits until an element of a page is paused, or plays.
import type { Page } from 'puppeteer-core';

type Player = 'sign-translate' | 'sign-live-player';

const untilIs = (page: Page, tag: Player, isPaused: boolean): Promise<unknown> =>
  page.waitForFunction((name, is) => document.querySelector(name)?.paused === is, {}, tag, isPaused);

export const untilPaused = (page: Page, tag: Player): Promise<unknown> => untilIs(page, tag, true);

export const untilPlaying = (page: Page, tag: Player): Promise<unknown> => untilIs(page, tag, false);
