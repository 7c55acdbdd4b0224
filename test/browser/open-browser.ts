// A Chromium for whole-page tests under `node --test`, started as web-test-runner starts its own.
import { launch, type Browser } from 'puppeteer-core';
import { launchFlags } from './launch-flags.mjs';
import { obtainChromium } from './obtain-chromium.mjs';

/** Longer than it takes on a machine with much else to do. */
const START_MS = 120_000;

/** Whoever opens it closes it. `flags` are added to the common ones. */
export const openBrowser = (flags: readonly string[] = []): Promise<Browser> =>
  launch({
    executablePath: obtainChromium(console.error),
    headless: true,
    timeout: START_MS,
    args: [...launchFlags, ...flags],
  });
