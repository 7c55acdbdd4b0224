// Keyboard, buttons, names, language: what a visitor uses.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { render } from 'lit';
import { liveControls } from '../../src/elements/live-view.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { en } from '../../src/strings/en.ts';
import { liveEn } from '../../src/strings/live.ts';
import { heard, inOrder, mount, rejection, unmountAll, until } from './stage.ts';

afterEach(unmountAll);

const named = (element: SignTranslate, name: string): HTMLButtonElement | null =>
  element.shadowRoot!.querySelector(`button[aria-label="${name}"]`);

for (const key of [' ', 'k']) {
  it(`${key === ' ' ? 'Space' : 'K'} pauses and plays, and pausing holds across a join`, async () => {
    const { element } = await mount();
    // A press may take as long as a text at full speed.
    element.playbackRate = 0.5;
    const outcome = element.sign('Long enough to be paused in the middle of it');
    await heard(element, 'sign-start');
    element.focus();
    await sendKeys({ press: key });
    expect(element.paused).to.equal(true);
    await until(() => element.media!.paused);
    const at = element.currentTime;
    const behind = element.sign('Behind');
    await heard(element, 'sign-result', ({ text }) => text === 'Behind');
    expect(element.paused).to.equal(true);
    expect(element.currentTime).to.equal(at);
    await sendKeys({ press: key });
    expect(element.paused).to.equal(false);
    element.playbackRate = 2;
    await Promise.all([outcome, behind]);
  });
}

it('R signs the last text again, during it and after it', async () => {
  const { element, said } = await mount();
  element.playbackRate = 0.5;
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

for (const [way, press] of Object.entries(waysToPlay)) {
  it(`${way} signs all texts again after the last, and the promises of a later text still settle`, async () => {
    const { element, said } = await mount({ controls: '' });
    element.playbackRate = 2;
    await Promise.all([element.sign('One'), element.sign('Two')]);
    await until(() => element.ended);
    element.focus();
    const signedAgain = heard(element, 'sign-end', ({ text }) => text === 'Two');
    await press(element);
    await signedAgain;
    await until(() => element.ended);
    expect((await element.sign('Three')).text).to.equal('Three');
    const starts = ['One', 'Two', 'One', 'Two', 'Three'].map((text) => `sign-start ${text}`);
    expect(inOrder(said, 'sign-start')).to.deep.equal(starts);
  });
}

for (const [way, press] of Object.entries(waysToPlay)) {
  it(`with \`for\`, ${way} signs the whole part of the page again after its end, as it is by then`, async () => {
    const article = document.createElement('article');
    article.id = 'read-again';
    article.innerHTML = '<p>One</p><p>Two</p>';
    document.body.append(article);
    const { element, said } = await mount({ for: article.id, controls: '' });
    element.playbackRate = 2;
    element.focus();
    const signed = heard(element, 'sign-end', ({ text }) => text === 'Two');
    await press(element);
    await signed;
    await until(() => element.ended);
    article.lastElementChild!.textContent = 'Three';
    const signedAgain = heard(element, 'sign-end', ({ text }) => text === 'Three');
    await press(element);
    await signedAgain;
    article.remove();
    const starts = ['One', 'Two', 'One', 'Three'].map((text) => `sign-start ${text}`);
    expect(inOrder(said, 'sign-start')).to.deep.equal(starts);
  });
}

it('Escape pauses what plays, and a dialog around the element closes all the same', async () => {
  const { element } = await mount();
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  dialog.append(element);
  dialog.showModal();
  element.playbackRate = 0.5;
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

it('with controls it has a bar of pause, sign again and speed, each a named button of 44 px', async () => {
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

it('never crops the signer, whatever shape the box has', async () => {
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

it('shows its texts in the language of the page, or in that of its own lang attribute', async () => {
  document.documentElement.lang = 'fr-FR';
  const { element } = await mount({ controls: '' });
  await until(() => named(element, 'Lire'));
  element.lang = 'es';
  await until(() => named(element, 'Reproducir'));
  element.removeAttribute('lang');
  document.documentElement.lang = 'de';
  await until(() => named(element, 'Abspielen'));
  // Nobody has written Dutch texts, so a screen reader is told that these are English.
  document.documentElement.lang = 'nl';
  await until(() => named(element, 'Play'));
  expect(element.shadowRoot!.querySelector('[part=controls]')!.getAttribute('lang')).to.equal('en');
  document.documentElement.lang = 'en';
});

it('junk attributes read as their defaults', async () => {
  const { element } = await mount({ resolution: 'huge', placement: 'middle', mode: 'x', language: 'LSF' });
  expect(element.resolution).to.equal('720p');
  expect(element.placement).to.equal('inline');
  expect(element.mode).to.equal('translate');
  expect(element.language).to.equal(undefined);
});

for (const [placement, edges] of [
  ['bottom-right', ['bottom', 'right']],
  ['top-left', ['top', 'left']],
] as const) {
  it(`placement="${placement}" keeps it in that corner of the window`, async () => {
    const { element } = await mount({ placement });
    const style = getComputedStyle(element);
    expect(style.position).to.equal('fixed');
    await until(() => style.visibility === 'visible');
    for (const edge of edges) expect(style[edge]).to.equal('16px');
  });
}

it('a placement is read in any case, also when it changes, and junk is inline', async () => {
  const { element } = await mount({ placement: 'top-left' });
  await until(() => getComputedStyle(element).visibility === 'visible');
  element.setAttribute('placement', 'Bottom-Right');
  await element.updateComplete;
  expect(getComputedStyle(element).bottom).to.equal('16px');
  element.setAttribute('placement', 'middle');
  await element.updateComplete;
  expect(getComputedStyle(element).position).to.equal('static');
});

it('the start button disappears when it is pressed, and the focus stays in the element', async () => {
  const words = document.createElement('p');
  words.id = 'pressed';
  words.textContent = 'Pressed with Enter, and long enough to be paused in the middle of it';
  document.body.append(words);
  const { element } = await mount({ for: 'pressed' });
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

it('after two changes of language the last one stays, whichever is loaded first', async () => {
  const { element } = await mount({ controls: '' });
  element.lang = 'fr';
  element.lang = 'en';
  // The French texts are there when another element speaks them.
  const { element: other } = await mount({ controls: '', lang: 'fr' });
  await until(() => named(other, 'Lire'));
  await element.updateComplete;
  expect(named(element, 'Play')).to.not.equal(null);
});

it('a delay is shown in tenths of a second, and one below zero is said to be ahead', () => {
  const bar = document.createElement('div');
  const goLive = (): void => {};
  const words = [-0.04, 0.04, -0.26, 2].map((lag) => {
    render(liveControls({ strings: en, paused: false, latency: null, late: NaN, lag, goLive }), bar);
    return bar.textContent?.trim();
  });
  const { behindVideo: behind, aheadOfVideo: ahead } = liveEn;
  expect(words).to.deep.equal([`${behind} 0.0 s`, `${behind} 0.0 s`, `${ahead} 0.3 s`, `${behind} 2.0 s`]);
});
