// An element that is moved into another document of the same site, a frame or a picture-in-picture window of a page's
// own: it drops its texts, and nothing else is lost.
import { expect, fixture, html } from '@open-wc/testing';
import {
  heard,
  inOrder,
  mount,
  rejection,
  stoppedAt,
  unmountAll,
  until,
  untilNobodyIsConnected,
} from './harness.ts';

afterEach(unmountAll);

it('a moved element drops its texts, is idle in the other document, and signs there and, moved back, in the first', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element, said } = await mount();
  const { height } = element.getBoundingClientRect();
  const playing = rejection(element.sign('Here.'));
  await heard(element, 'sign-start');

  for (const [place, text] of [
    [frame.contentDocument!.body, 'There.'],
    [document.body, 'Back.'],
  ] as const) {
    place.append(element);
    expect(element.media).to.equal(null);
    expect(getComputedStyle(element).display).to.equal('flex');
    expect((await element.sign(text)).text).to.equal(text);
  }
  expect((await playing).name).to.equal('AbortError');
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    'sign-start Here.',
    'sign-start There.',
    'sign-end There.',
    'sign-start Back.',
    'sign-end Back.',
  ]);
  expect(element.getBoundingClientRect().height).to.equal(height);
});

it('a click on the picture pauses the element once, also in another document', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element } = await mount({ controls: '' });
  const bar = (): Promise<unknown> => until(() => element.shadowRoot!.querySelector('[part~=toggle]'));
  await bar();
  frame.contentDocument!.body.append(element);
  await element.updateComplete;
  await bar();
  element.playbackRate = 0.25;
  void element.sign('This one is paused by a click').catch(() => {});
  await heard(element, 'sign-start');
  element.shadowRoot!.querySelector<HTMLElement>('.box')!.click();
  expect(element.paused).to.equal(true);
  element.remove();
});

/** Computed styles that show whether the style sheets of a reading and of its list are in force. */
const looks = (element: HTMLElement): string[] => {
  const style = (name: string): CSSStyleDeclaration =>
    getComputedStyle(element.shadowRoot!.querySelector(name)!);
  const { position } = getComputedStyle(element);
  return [style('.rejoin').display, style('.notes').flexShrink, style('.list').overflowY, position];
};

for (const order of ['before its first reading', 'after a reading'])
  it(`an element that is moved into a frame ${order} reads the page there, and again when it is moved back, with the styles of a reading`, async () => {
    const frame = await fixture<HTMLIFrameElement>(html`
      <iframe style="inline-size: 300px; block-size: 600px"></iframe>
    `);
    await fixture(html`<p id="part">One here. Two here.</p>`);
    const { element, said } = await mount({ for: 'part', controls: '' });
    if (order === 'after a reading') {
      await element.play();
      await heard(element, 'sign-start');
    }
    for (const [place, position] of [
      [frame.contentDocument!.body, 'sticky'],
      [document.body, 'static'],
    ] as const) {
      place.append(element);
      said.length = 0;
      // The reading stops at the sentence, so that it has not ended when the list is open, on a busy machine too.
      const stopped = stoppedAt(element, 'One here.');
      void element.play().catch(() => {});
      await stopped;
      if (!element.shadowRoot!.querySelector('.list'))
        (await until(() => element.shadowRoot!.querySelector<HTMLElement>('[part~=queue]')))!.click();
      await until(() => element.shadowRoot!.querySelector('.list'));
      expect(looks(element)).to.deep.equal(['none', '0', 'auto', position]);
      element.stop();
      await element.updateComplete;
      expect(getComputedStyle(element).position).to.equal('static');
      expect(inOrder(said, 'sign-start', 'sign-error')).to.deep.equal(['sign-start One here.']);
    }
  });

it('a page that a signer in another document reads scrolls to the sentence and has no button at a paragraph', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const part = await fixture(html`
    <div id="part">
      <p>One here.</p>
      <p style="margin-block: 200vh">Two here.</p>
    </div>
  `);
  const { element } = await mount({ for: 'part' });
  frame.contentDocument!.body.append(element);
  await element.play();
  const last = part.lastElementChild!;
  await until(() => {
    const { top, bottom } = last.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  last.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  const pick = element.shadowRoot!.querySelector<HTMLElement>('.pick')!;
  expect([pick.hidden, pick.classList.contains('shown')]).to.deep.equal([true, false]);
  document.body.append(element);
  await until(() => !pick.hidden);
});

it('the button of a closed panel is shown in another document, and again in the first one', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element } = await mount({ placement: 'bottom-right', launcher: '' });
  const look = async (): Promise<string> =>
    getComputedStyle((await until(() => element.shadowRoot!.querySelector('.launcher')))!).borderRadius;
  const first = await look();
  for (const place of [frame.contentDocument!.body, document.body]) {
    place.append(element);
    await element.updateComplete;
    expect(await look()).to.equal(first);
  }
});

it('in a document that is closed the element ends as on a page that the visitor leaves', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element } = await mount();
  frame.contentDocument!.body.append(element);
  const playing = rejection(element.sign('Here.'));
  await heard(element, 'sign-start');
  frame.remove();
  expect((await playing).name).to.equal('AbortError');
  await untilNobodyIsConnected();
  document.body.append(element);
  expect((await element.sign('Back.')).text).to.equal('Back.');
});
