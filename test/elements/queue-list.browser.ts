// The list of sentences of a reading, used with the keyboard.
import { expect, fixture, html } from '@open-wc/testing';
import { renderQueue } from '../../src/elements/reading/queue-view.ts';
import type { QueueEntry, QueueState } from '../../src/elements/sign-events.ts';
import { type Severity, SignError } from '../../src/protocol/sign-error.ts';
import { en } from '../../src/strings/en.ts';
import { readingEn } from '../../src/strings/reading.ts';
import { heard, mount, unmountAll, until } from './harness.ts';

afterEach(unmountAll);

const NUMBERS = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** The sentences of a page; the one with this number is on screen. */
const queueAt = (current: number): QueueEntry[] =>
  NUMBERS.map((text, at) => {
    const state: QueueState = at < current ? 'signed' : at === current ? 'signing' : 'waiting';
    return { ref: text, text, state, element: document.body };
  });

it('a button keeps the focus and its sentence while the list moves on', async () => {
  const box = await fixture<HTMLElement>(html`<div></div>`);
  const root = box.attachShadow({ mode: 'open' });
  const list = document.createElement('div');
  root.append(list);
  const skipped: string[] = [];
  const host = Object.assign(box, {
    queue: queueAt(3),
    skip: (ref: string) => skipped.push(ref),
    retry: () => {},
  });
  const show = (current: number): void => {
    host.queue = queueAt(current);
    renderQueue(list, host, true, { ...en, ...readingEn }, () => {});
  };
  show(3);
  list.querySelector<HTMLElement>('[aria-label="Skip: Eight"]')!.focus();
  for (const current of [4, 5]) show(current);
  const focused = root.activeElement as HTMLElement;
  expect(focused.ariaLabel).to.equal('Skip: Eight');
  focused.click();
  expect(skipped).to.deep.equal(['Eight']);
});

it('after a skip the focus is at the next sentence, so that a visitor need not go through the bar again', async () => {
  const article = await fixture<HTMLElement>(html`<article id="part"><p>One. Two. Three.</p></article>`);
  const { element } = await mount({ for: article.id, controls: '' });
  const started = heard(element, 'sign-start');
  void element.read();
  await started;
  element.pause();
  const root = element.shadowRoot!;
  const skip = (text: string): HTMLElement =>
    root.querySelector<HTMLElement>(`[aria-label="Skip: ${text}"]`)!;
  root.querySelector<HTMLElement>('button[part~=queue]')!.click();
  await until(() => skip('Two.') !== null);
  skip('Two.').focus();
  skip('Two.').click();
  await until(() => skip('Two.') === null);
  expect(root.activeElement).to.equal(skip('Three.'));
});

it('a sentence whose video cannot be shown once more has failed and can be tried again; a retry of its video changes nothing', async () => {
  const article = await fixture<HTMLElement>(html`<article id="part"><p>One. Two.</p></article>`);
  const { element } = await mount({ for: article.id, controls: '' });
  await element.read();
  await until(() => element.queue.length === 2 && element.queue.every(({ state }) => state === 'signed'));
  await until(() => element.ended);
  await element.play();
  await until(() => element.queue[1]!.state === 'ready');
  // The clips of a short page are still in memory, so this is the report of a clip that was dropped and is gone.
  const report = (severity: Severity): void => {
    const detail = { error: new SignError('media_error', 'gone', { severity }), ref: element.queue[1]!.ref };
    element.dispatchEvent(new CustomEvent('sign-error', { detail }));
  };
  report('warning');
  expect(element.queue[1]!.state).to.equal('ready');
  report('message');
  expect(element.queue[1]!.state).to.equal('failed');
  const root = element.shadowRoot!;
  root.querySelector<HTMLElement>('button[part~=queue]')!.click();
  await until(() => root.querySelector('[aria-label="Try again: Two."]') !== null);
});
