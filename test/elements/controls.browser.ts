// What a visitor uses: keyboard, buttons, their names and their language.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { render } from 'lit';
import { liveControls } from '../../src/elements/live-view.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { en } from '../../src/strings/en.ts';
import { liveEn } from '../../src/strings/live.ts';
import { heard, inOrder, mount, rejection, unmountAll, until } from './harness.ts';

afterEach(unmountAll);

const named = (element: SignTranslate, name: string): HTMLButtonElement | null =>
  element.shadowRoot!.querySelector(`button[aria-label="${name}"]`);

it('Space and K pause and play, and pausing holds across a join', async () => {
  const pressed: { key: string; element: SignTranslate; outcome: Promise<unknown> }[] = [];
  for (const key of [' ', 'k']) {
    const { element } = await mount();
    // Slow, because on a busy machine a press takes as long as a text at full speed.
    element.playbackRate = 0.25;
    const outcome = element.sign('Long enough to be paused in the middle of it');
    await heard(element, 'sign-start');
    element.focus();
    await sendKeys({ press: key });
    expect(element.paused, key).to.equal(true);
    pressed.push({ key, element, outcome });
  }
  const outcomes: Promise<unknown>[] = [];
  for (const { key, element, outcome } of pressed) {
    await until(() => element.media!.paused);
    const at = element.currentTime;
    const behind = element.sign('Behind');
    await heard(element, 'sign-result', ({ text }) => text === 'Behind');
    expect(element.paused, key).to.equal(true);
    expect(element.currentTime, key).to.equal(at);
    element.focus();
    await sendKeys({ press: key });
    expect(element.paused, key).to.equal(false);
    element.playbackRate = 2;
    outcomes.push(outcome, behind);
  }
  await Promise.all(outcomes);
});

it('R signs the last text again, both while the text plays and after it', async () => {
  const { element, said } = await mount();
  element.playbackRate = 0.25;
  const outcome = element.sign('Once more');
  await heard(element, 'sign-start');
  await until(() => element.currentTime > 0.7);
  element.focus();
  const again = heard(element, 'sign-start').then(() => element.currentTime);
  await sendKeys({ press: 'r' });
  expect(await again).to.be.below(0.7);
  element.playbackRate = 1;
  await outcome;
  const ended = heard(element, 'sign-end');
  await sendKeys({ press: 'r' });
  await ended;
  expect(inOrder(said, 'sign-start')).to.have.length(3);
});

const waysToPlay: Readonly<Record<string, (element: SignTranslate) => Promise<unknown>>> = {
  K: () => sendKeys({ press: 'k' }),
  Space: () => sendKeys({ press: ' ' }),
  'the play button': async (element) => named(element, 'Play')!.click(),
  'play()': (element) => element.play(),
};

/** Presses play on each element, each in another way. */
async function playEach(elements: readonly SignTranslate[]): Promise<void> {
  for (const [at, press] of Object.values(waysToPlay).entries()) {
    elements[at]!.focus();
    await press(elements[at]!);
  }
}

const ways = Object.keys(waysToPlay);
const each = `${ways.slice(0, -1).join(', ')} and ${ways.at(-1)} each`;

it(`${each} sign all texts again after the last one, and the promises of a later text still settle`, async () => {
  const all = await Promise.all(ways.map(() => mount({ controls: '' })));
  const elements = all.map(({ element }) => element);
  await Promise.all(
    elements.map(async (element) => {
      element.playbackRate = 2;
      await Promise.all([element.sign('One'), element.sign('Two')]);
      await until(() => element.ended);
    }),
  );
  const signedAgain = elements.map((element) => heard(element, 'sign-end', ({ text }) => text === 'Two'));
  await playEach(elements);
  await Promise.all(signedAgain);
  await until(() => elements.every(({ ended }) => ended));
  const later = await Promise.all(elements.map((element) => element.sign('Three')));
  expect(later.map(({ text }) => text)).to.deep.equal(ways.map(() => 'Three'));
  const starts = ['One', 'Two', 'One', 'Two', 'Three'].map((text) => `sign-start ${text}`);
  for (const [at, { said }] of all.entries())
    expect(inOrder(said, 'sign-start'), ways[at]).to.deep.equal(starts);
});

it(`with \`for\`, ${each} sign the whole part of the page again after its end, with its present words`, async () => {
  const article = document.createElement('article');
  article.id = 'read-again';
  document.body.append(article);
  // One after the other, because a reading that begins pauses another.
  for (const [way, press] of Object.entries(waysToPlay)) {
    article.innerHTML = '<p>One</p><p>Two</p>';
    const { element, said } = await mount({ for: article.id, controls: '' });
    element.playbackRate = 4;
    for (const last of ['Two', 'Three']) {
      article.lastElementChild!.textContent = last;
      const signed = heard(element, 'sign-end', ({ text }) => text === last);
      element.focus();
      await press(element);
      await signed;
      await until(() => element.ended);
    }
    const starts = ['One', 'Two', 'One', 'Three'].map((text) => `sign-start ${text}`);
    expect(inOrder(said, 'sign-start'), way).to.deep.equal(starts);
  }
  article.remove();
});

it('Escape pauses what plays, and a dialog around the element closes too', async () => {
  const { element } = await mount();
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  dialog.append(element);
  dialog.showModal();
  element.playbackRate = 0.25;
  const outcome = element.sign('Long enough to be paused in the middle of it');
  await heard(element, 'sign-start');
  element.focus();
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve));
  await sendKeys({ press: 'Escape' });
  expect(element.paused).to.equal(true);
  await closed;
  dialog.remove();
  expect((await rejection(outcome)).name).to.equal('AbortError');
});

it('ignores keys with modifiers and keys that the page has handled', async () => {
  const { element } = await mount();
  const outcome = element.sign('Undisturbed');
  await heard(element, 'sign-start');
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    const event = new KeyboardEvent('keydown', { key: 'k', bubbles: true, cancelable: true, ...init });
    element.dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(false);
  }
  expect(element.paused).to.equal(false);
  await outcome;
});

it('ignores keys that are typed into the idle slot', async () => {
  const { element } = await mount();
  const field = document.createElement('input');
  field.slot = 'idle';
  element.append(field);
  field.focus();
  await sendKeys({ type: 'kr k' });
  expect(field.value).to.equal('kr k');
});

it('with `controls` the element has a bar of pause, sign again and speed, each a named control of 44 px', async () => {
  const { element } = await mount({ controls: '' });
  expect(named(element, 'Sign it again')!.disabled).to.equal(true);
  const outcome = element.sign('With buttons');
  await heard(element, 'sign-start');
  await element.updateComplete;
  named(element, 'Pause')!.click();
  await element.updateComplete;
  expect(element.paused).to.equal(true);
  const speed = element.shadowRoot!.querySelector('select')!;
  expect(speed.ariaLabel).to.equal('Speed');
  speed.value = '0.75';
  speed.dispatchEvent(new Event('change'));
  await element.updateComplete;
  expect(element.playbackRate).to.equal(0.75);
  named(element, 'Play')!.click();
  await outcome;
  expect(element.media!.playbackRate).to.equal(0.75);
  await until(() => element.ended);
  await element.updateComplete;
  named(element, 'Sign it again')!.click();
  await heard(element, 'sign-end');
  for (const button of element.shadowRoot!.querySelectorAll('button, select')) {
    const { width, height } = button.getBoundingClientRect();
    expect(Math.min(width, height)).to.be.at.least(44);
  }
});

it('is accessible before, during and after signing, with and without controls', async () => {
  const { element } = await mount({ controls: '' });
  await expect(element).to.be.accessible();
  const outcome = element.sign('Read by a screen reader');
  const status = element.shadowRoot!.querySelector('[role="status"]')!;
  await until(() => status.textContent === 'The signs are coming…');
  await heard(element, 'sign-start');
  await element.updateComplete;
  expect(element.shadowRoot!.querySelector('[part=label]')!.textContent).to.equal('AI-generated');
  expect(status.textContent).to.equal('Read by a screen reader');
  await expect(element).to.be.accessible();
  await outcome;
  element.controls = false;
  await element.updateComplete;
  await expect(element).to.be.accessible();
});

it('never cuts off the signer, whatever shape the box has', async () => {
  const { element } = await mount();
  element.style.setProperty('--sign-aspect-ratio', '1 / 1');
  await element.sign('Square');
  expect(getComputedStyle(element.media!).objectFit).to.equal('contain');
});

it('the play button signs the content that `for` names, block by block', async () => {
  const article = document.createElement('article');
  article.id = 'words';
  article.innerHTML =
    '<p>First block.</p><p data-sign-skip>Not this.</p><p data-sign-text="Plain.">Fancy.</p>';
  document.body.append(article);
  const { element, said } = await mount({ for: 'words' });
  const button = element.shadowRoot!.querySelector<HTMLButtonElement>('.start')!;
  expect(button.textContent?.trim()).to.equal('Sign this text');
  button.click();
  await heard(element, 'sign-end', ({ text }) => text === 'Plain.');
  expect(inOrder(said, 'sign-start')).to.deep.equal(['sign-start First block.', 'sign-start Plain.']);
  article.remove();
});

it('an element shows its texts in the language of the page, or in the language of its own lang attribute', async () => {
  document.documentElement.lang = 'fr-FR';
  const { element } = await mount({ controls: '' });
  await until(() => named(element, 'Lire'));
  element.lang = 'es';
  await until(() => named(element, 'Reproducir'));
  element.removeAttribute('lang');
  document.documentElement.lang = 'de';
  await until(() => named(element, 'Abspielen'));
  // There are no Dutch texts, so `lang` tells a screen reader that these are English.
  document.documentElement.lang = 'nl';
  await until(() => named(element, 'Play'));
  expect(element.shadowRoot!.querySelector('[part=controls]')!.getAttribute('lang')).to.equal('en');
  document.documentElement.lang = 'en';
});

it('invalid attributes read as their defaults', async () => {
  const { element } = await mount({ resolution: 'huge', placement: 'middle', mode: 'x', language: 'LSF' });
  expect(element.resolution).to.equal('720p');
  expect(element.placement).to.equal('inline');
  expect(element.mode).to.equal('translate');
  expect(element.language).to.equal(undefined);
});

it('the start button disappears when it is pressed, and the focus stays in the element', async () => {
  const words = document.createElement('p');
  words.id = 'pressed';
  words.textContent = 'Pressed with Enter, and long enough to be paused in the middle of it';
  document.body.append(words);
  const { element } = await mount({ for: 'pressed' });
  // On a busy machine the second press takes as long as the text at full speed.
  element.playbackRate = 0.25;
  element.shadowRoot!.querySelector<HTMLButtonElement>('.start')!.focus();
  const started = heard(element, 'sign-start');
  await sendKeys({ press: 'Enter' });
  await started;
  await element.updateComplete;
  expect(element.shadowRoot!.querySelector('.start')).to.equal(null);
  expect(document.activeElement === element).to.equal(true);
  await sendKeys({ press: 'k' });
  expect(element.paused).to.equal(true);
  words.remove();
});

it('after two changes of language the last one stays, whichever language is loaded first', async () => {
  const { element } = await mount({ controls: '' });
  element.lang = 'fr';
  element.lang = 'en';
  // The French texts are loaded when another element shows them.
  const { element: other } = await mount({ controls: '', lang: 'fr' });
  await until(() => named(other, 'Lire'));
  await element.updateComplete;
  expect(named(element, 'Play')).to.not.equal(null);
});

it('a delay is shown in tenths of a second, and one below zero is shown as ahead', () => {
  const bar = document.createElement('div');
  const goLive = (): void => {};
  const words = [-0.04, 0.04, -0.26, 2].map((lag) => {
    render(liveControls({ strings: en, paused: false, latency: null, late: NaN, lag, goLive }), bar);
    return bar.textContent?.trim();
  });
  const { behindVideo: behind, aheadOfVideo: ahead } = liveEn;
  expect(words).to.deep.equal([`${behind} 0.0 s`, `${behind} 0.0 s`, `${ahead} 0.3 s`, `${behind} 2.0 s`]);
});
