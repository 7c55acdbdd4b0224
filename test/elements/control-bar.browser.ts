// The control bar: what is in it, the position, the speeds, the picture as a button, and a column of 200 px.
import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { heard, mount, unmountAll, until } from './harness.ts';
import { frames, middleOf } from './on-page.ts';

afterEach(async () => {
  await unmountAll();
  await setFaults([]);
});

const inside = <Found extends HTMLElement = HTMLElement>(element: SignTranslate, selector: string): Found =>
  element.shadowRoot!.querySelector<Found>(selector)!;
const slider = (element: SignTranslate): HTMLInputElement => inside(element, 'input[part=seek]');
const speed = (element: SignTranslate): HTMLSelectElement => inside(element, 'select[part~=speed]');

/** The contents of the bar, by the names of their parts. */
const bar = (element: SignTranslate): string[] =>
  [...element.shadowRoot!.querySelectorAll('.controls :is(button, select, input)')].map((one) =>
    one.getAttribute('part')!.replace('button ', ''),
  );

it('`controls` alone shows the usual controls, words choose some, and without a known word it shows the usual ones', async () => {
  const { element } = await mount({ controls: '' });
  const usual = ['seek', 'toggle', 'replay', 'speed', 'fullscreen'];
  const pip = document.pictureInPictureEnabled ? ['pip'] : [];
  expect(bar(element)).to.deep.equal(usual);
  for (const [words, chosen] of [
    ['play speed', ['toggle', 'replay', 'speed']],
    ['FULLSCREEN  pip', [...pip, 'fullscreen']],
    ['seek', ['seek']],
    ['controls', usual],
  ] as const) {
    element.setAttribute('controls', words);
    await element.updateComplete;
    expect(bar(element), words).to.deep.equal(chosen);
  }
  element.removeAttribute('controls');
  await element.updateComplete;
  expect(bar(element)).to.deep.equal([]);
});

it('the Tab key goes through the bar as it is drawn, line by line from left to right', async () => {
  const { element } = await mount({ controls: '' });
  element.innerHTML = '<button slot="controls">Help</button>';
  element.playbackRate = 0.5;
  void element.sign('A text with a position');
  await heard(element, 'sign-start');
  await until(() => !slider(element).disabled && inside(element, '[part~=reset]') !== null);
  element.pause();
  const help = element.querySelector('button')!;
  const [before, after] = [document.createElement('button'), document.createElement('button')];
  element.before(before);
  // After the last stop of a page the Tab key moves the focus to the browser, and Firefox then gives it to no page of the window
  // again.
  element.after(after);
  before.focus();
  const places: { name: string; line: number; left: number }[] = [];
  for (;;) {
    await sendKeys({ press: 'Tab' });
    const at = document.activeElement === help ? help : element.shadowRoot!.activeElement;
    const name = at === help ? 'help' : at?.getAttribute('part')?.replace('button ', '');
    if (!at || !name) break;
    const { top, bottom, left } = at.getBoundingClientRect();
    places.push({ name, line: Math.round((top + bottom) / 2), left });
  }
  expect(document.activeElement === after).to.equal(true);
  before.remove();
  after.remove();
  const drawn = places.toSorted((a, b) =>
    Math.abs(a.line - b.line) > 10 ? a.line - b.line : a.left - b.left,
  );
  expect(places.map(({ name }) => name)).to.deep.equal(drawn.map(({ name }) => name));
  expect(places.map(({ name }) => name)).to.include.members([
    'seek',
    'toggle',
    'fullscreen',
    'help',
    'reset',
  ]);
});

it('a slider over all texts shows the position and seeks, and the arrow keys go 5 s back and on', async () => {
  const { element } = await mount({ controls: '' });
  expect(slider(element).disabled).to.equal(true);
  element.playbackRate = 2;
  await Promise.all([element.sign('The first text'), element.sign('The second text')]);
  await until(() => element.ended);
  const { duration } = element;
  await until(
    () =>
      Math.abs(Number(slider(element).max) - duration) < 0.001 &&
      Number(slider(element).value) > duration - 0.1,
  );
  const whole = `0:${String(Math.floor(duration)).padStart(2, '0')}`;
  expect(slider(element).getAttribute('aria-valuetext')).to.equal(`${whole} / ${whole}`);
  expect(inside(element, '[part=time]').textContent).to.equal(`${whole} / ${whole}`);
  element.pause();
  slider(element).value = '1';
  slider(element).dispatchEvent(new Event('input'));
  await until(() => Math.abs(element.currentTime - 1) < 0.1);
  await until(() => slider(element).getAttribute('aria-valuetext') === `0:01 / ${whole}`);
  inside(element, '[part~=toggle]').focus();
  await sendKeys({ press: 'ArrowRight' });
  await until(
    () => element.currentTime,
    (seen) => Math.abs(seen - Math.min(6, duration)) < 0.1,
    () => [duration, element.seeking, document.hasFocus(), element.shadowRoot?.activeElement?.outerHTML],
  );
  await sendKeys({ press: 'ArrowLeft' });
  await until(() => element.currentTime < 1.1);
  await expect(element).to.be.accessible();
});

it('at the end of the texts the slider’s position is valid, whatever the sum of their lengths', async () => {
  const { element } = await mount({ controls: '' });
  const length = 7.199999999999999;
  for (const name of ['duration', 'currentTime']) Object.defineProperty(element, name, { value: length });
  element.dispatchEvent(new Event('durationchange'));
  expect(slider(element).value).to.equal('7.2');
  expect(slider(element).validity.valid).to.equal(true);
});

it('the bar has six speeds, one press goes back to the normal speed, and Space on the choice of speeds does not play', async () => {
  const { element } = await mount({ controls: '' });
  const choice = speed(element);
  expect([...choice.options].map(({ value }) => Number(value))).to.deep.equal([0.5, 0.75, 1, 1.25, 1.5, 2]);
  expect([choice.value, inside(element, '[part~=reset]')]).to.deep.equal(['1', null]);
  const placesOf = (): number[] =>
    ['toggle', 'speed', 'fullscreen'].map((part) => inside(element, `[part~=${part}]`).offsetLeft);
  const places = placesOf();
  const pressed: [key: string, isUsed: boolean][] = [];
  choice.focus();
  await sendKeys({ press: 'ArrowUp' });
  await until(() => element.playbackRate === 0.75);
  element.addEventListener('keydown', ({ key, defaultPrevented }) => pressed.push([key, defaultPrevented]));
  await sendKeys({ press: ' ' });
  await until(() => pressed.length > 0);
  expect(pressed).to.deep.equal([[' ', false]]);
  expect(element.paused).to.equal(true);
  element.playbackRate = 1.1;
  await element.updateComplete;
  expect(choice.value).to.equal('1.1');
  expect(placesOf()).to.deep.equal(places);
  inside(element, '[part~=reset]').click();
  await element.updateComplete;
  expect([element.playbackRate, choice.value]).to.deep.equal([1, '1']);
  expect(element.shadowRoot!.activeElement === choice).to.equal(true);
});

it('with a bar a click on the picture pauses and plays, and a button on the picture keeps its clicks', async () => {
  const { element } = await mount({ controls: '' });
  element.playbackRate = 0.25;
  void element.sign('Long enough to be paused in the middle of it');
  await heard(element, 'sign-start');
  const picture = (): [number, number] => middleOf(inside(element, '.box'));
  await sendMouse({ type: 'click', position: picture() });
  expect(element.paused).to.equal(true);
  await sendMouse({ type: 'click', position: picture() });
  expect(element.paused).to.equal(false);
  element.controls = 'speed';
  await element.updateComplete;
  await sendMouse({ type: 'click', position: picture() });
  expect(element.paused).to.equal(false);
  element.controls = true;
  element.slot = 'media';
  await element.updateComplete;
  await sendMouse({ type: 'click', position: picture() });
  expect(element.paused).to.equal(false);
});

it('a video by a person is heard, with a button for its sound, and a clip of the service is joined without its silent track', async () => {
  await setFaults([{ fault: 'encoding', sound: { track: 'first' } }]);
  const isThere = (element: SignTranslate): boolean => bar(element).some((name) => /mute/.test(name));
  const { element } = await mount({ controls: 'mute', for: 'part' });
  const result = heard(element, 'sign-result');
  await element.sign('Of the service');
  expect(isThere(element)).to.equal(false);
  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = `<p data-sign-src="${(await result).url}">By a person</p><p>And one more.</p>`;
  document.body.append(article);
  try {
    const began = heard(element, 'sign-start', ({ text }) => text === 'By a person');
    const over = heard(element, 'sign-end', ({ text }) => text === 'And one more.');
    await element.read();
    await began;
    await until(() => isThere(element));
    inside(element, '[part~=mute]').click();
    expect(element.media!.muted).to.equal(false);
    await over;
  } finally {
    article.remove();
  }
});

it('fits a column of 200 px, and a message leaves most of the signer in sight', async () => {
  const { element } = await mount({ controls: 'play seek speed pip fullscreen' });
  element.style.width = '200px';
  await setFaults([{ fault: 'media_slow', ms: 3000 }]);
  void element.sign('Late').catch(() => {});
  await until(() => inside(element, '.message'));
  const box = inside(element, '.box').getBoundingClientRect();
  const message = inside(element, '.over').getBoundingClientRect();
  expect(message.height / box.height).to.be.below(0.25);
  for (const one of element.shadowRoot!.querySelectorAll('.controls :not(option, slot)')) {
    const { left, right } = one.getBoundingClientRect();
    expect([left >= box.left - 0.5, right <= box.right + 0.5], one.outerHTML).to.deep.equal([true, true]);
  }
});

it('the choice of speed grows with the text size of the page, so that a speed in text twice as large is not cut off', async () => {
  const { element } = await mount({ controls: '' });
  element.style.fontSize = '16px';
  await until(() => speed(element) !== null);
  const width = speed(element).offsetWidth;
  element.style.fontSize = '32px';
  expect(speed(element).offsetWidth).to.equal(2 * width);
});

it('the element sets no attribute on itself, and focus() goes to its first button, or to its box where there is no bar', async () => {
  const before = document.createElement('button');
  document.body.append(before);
  const { element } = await mount({ controls: '' });
  const written = element.getAttributeNames().join();
  const box = inside(element, '.box');
  await until(() => box.tabIndex === -1);
  before.focus();
  await sendKeys({ press: 'Tab' });
  expect(element.shadowRoot!.activeElement === inside(element, '[part~=toggle]')).to.equal(true);
  before.focus();
  element.focus();
  expect(element.shadowRoot!.activeElement === inside(element, '[part~=toggle]')).to.equal(true);
  element.controls = false;
  await until(() => box.tabIndex === 0);
  before.focus();
  await sendKeys({ press: 'Tab' });
  expect([document.activeElement === element, element.shadowRoot!.activeElement === box]).to.deep.equal([
    true,
    true,
  ]);
  expect([box.role, box.ariaLabel]).to.deep.equal(['application', 'Sign language video (AI-generated)']);
  element.controls = true;
  // The box had the focus when the bar came.
  await until(() => element.shadowRoot!.activeElement === inside(element, '[part~=toggle]'));
  expect([box.role, element.getAttributeNames().join()]).to.deep.equal([null, written]);
  before.remove();
  await frames(1);
});

it('a `tabindex` of the page stays, and is the only Tab stop', async () => {
  const { element } = await mount({ tabindex: '0' });
  element.focus();
  const box = inside(element, '.box');
  expect([element.matches(':focus'), box.tabIndex, element.tabIndex]).to.deep.equal([true, -1, 0]);
});
