// Presses a button of the signer of a page, as a visitor does.
import type { Page } from 'puppeteer-core';

/** Waits until the button with this part is visible, because a click on an invisible button of the tree is lost. */
export async function press(page: Page, part: string, by: 'click' | 'tap' = 'click'): Promise<void> {
  const button = await page.waitForSelector(`sign-translate >>> [part~=${part}]`, { visible: true });
  await button![by]();
}
