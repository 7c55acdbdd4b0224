// A panel that signs a page, in windows of any size.
import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { heard, until } from '../elements/harness.ts';
import { edges, inside, panel, testPage } from './panel-harness.ts';
import { frames } from '../elements/on-page.ts';

const page = testPage();

it('with the list of sentences open every button is in reach, the picture keeps its size, and no text of the page shows through', async () => {
  page.id = 'listed';
  page.innerHTML = '<p>One is here.</p>'.repeat(20);
  const element = await panel({ for: 'listed' });
  void element.play();
  await heard(element, 'sign-start');
  await until(() => inside(element, '[part~=queue]') !== null);
  inside(element, '[part~=queue]').click();
  await until(() => inside(element, '.list') !== null);
  for (const [width, height] of [
    [1280, 560],
    [844, 390],
    [320, 256],
  ] as const) {
    await setViewport({ width, height });
    await frames(2);
    const size = `at ${width} by ${height}`;
    for (const name of ['toggle', 'next', 'close']) {
      const [left = 0, top = 0, right = 0, bottom = 0] = edges(inside(element, `[part~=${name}]`));
      const hit = element.shadowRoot!.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      expect(Boolean(hit?.closest(`[part~=${name}]`)), `${name} ${size}`).to.equal(true);
    }
    expect(inside(element, '.list').offsetHeight, size).to.be.above(60);
    expect(getComputedStyle(inside(element, '.reading')).backgroundColor, size).to.match(/^rgb\(/);
    if (height > 420) expect(inside(element, '.box').offsetHeight, size).to.be.at.least(280);
  }
  page.removeAttribute('id');
});

it('in a low window the whole caption is visible between the picture and the bar, and the picture keeps its size', async () => {
  page.id = 'article';
  page.innerHTML =
    '<p>The library is open from nine in the morning until five in the afternoon, and is closed on all public holidays. Two.</p>';
  const element = await panel({ for: 'article', controls: 'play stop caption' });
  element.addEventListener('sign-start', () => element.pause());
  const first = heard(element, 'sign-start');
  void element.play().catch(() => {});
  await first;
  await until(() => inside(element, 'button[part~=caption]') !== null);
  inside(element, 'button[part~=caption]').click();
  await until(() => inside(element, 'p[part=caption]') !== null);
  const heights: number[] = [];
  for (const [width, height] of [
    [640, 320],
    [844, 390],
  ] as const) {
    await setViewport({ width, height });
    await frames(2);
    const size = `at ${width} by ${height}`;
    const caption = inside(element, 'p[part=caption]');
    const [left = -1, top = -1, right = Infinity, bottom = Infinity] = edges(caption);
    expect([left >= 0, right <= width], size).to.deep.equal([true, true]);
    expect(top, size).to.be.at.least(edges(inside(element, '.box'))[3]!);
    expect(bottom, size).to.be.at.most(edges(inside(element, '.controls'))[1]!);
    expect(caption.scrollHeight, size).to.equal(caption.clientHeight);
    for (const seen of ['p[part=caption]', '[part~=toggle]', '[part~=stop]']) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = edges(inside(element, seen));
      for (const y of [y1 + 2, y2 - 2])
        expect(
          Boolean(element.shadowRoot!.elementFromPoint((x1 + x2) / 2, y)?.closest(seen)),
          seen + size,
        ).to.equal(true);
    }
    heights.push(inside(element, '.box').offsetHeight);
    expect(heights.at(-1), size).to.be.at.least(height / 3);
  }
  inside(element, 'button[part~=report]').click();
  await until(() => inside(element, '.notes [role=status] p') !== null);
  // WebKitGTK rounds each line of words to a whole pixel.
  expect(inside(element, '.box').offsetHeight, 'with thanks').to.be.closeTo(heights.at(-1)!, 1);
  void element.play().catch(() => {});
  await until(() => inside(element, 'p[part=caption]').textContent === 'Two.');
  expect(inside(element, '.box').offsetHeight).to.equal(heights.at(-1));
  page.removeAttribute('id');
});

for (const [width, size] of [
  [360, 16],
  [360, 32],
  [328, 16],
  [320, 16],
  [320, 32],
] as const)
  it(`on a phone of ${width} px the bar keeps its height when a reading begins, with letters of ${size} px`, async () => {
    await setViewport({ width, height: 740 });
    page.id = 'rows';
    page.innerHTML = '<p>One is here.</p>'.repeat(120);
    document.documentElement.style.fontSize = `${size}px`;
    const element = await panel({ for: 'rows' });
    const bar = inside(element, '.controls');
    const atRest = bar.offsetHeight;
    const first = heard(element, 'sign-start');
    void element.play().catch(() => {});
    await first;
    await until(() => inside(element, '[part~=queue]')?.textContent?.trim() === '1 of 120');
    expect(bar.offsetHeight).to.equal(atRest);
    // One row of buttons below the line of the position.
    if (size === 16) expect(atRest).to.be.below(2 * 44 + 28);
    // The button for full screen is in the head of the panel, so the bar has none.
    for (const one of bar.querySelectorAll<HTMLElement>('button:not([part~=fullscreen]), select')) {
      expect(one.offsetWidth, one.title).to.be.at.least(38);
      expect(one.scrollWidth, one.title).to.be.at.most(one.offsetWidth);
    }
    document.documentElement.style.fontSize = '';
    page.removeAttribute('id');
  });

/** A panel that signs the first sentence of a long page, from which the reader has scrolled away. */
async function scrolledAway(options: Parameters<typeof panel>[0] = {}): ReturnType<typeof panel> {
  page.id = 'long';
  page.innerHTML = '<p>One is here.</p>'.repeat(60);
  const element = await panel({ for: 'long', ...options });
  scrollTo(0, 0);
  element.addEventListener('sign-start', () => element.pause());
  const first = heard(element, 'sign-start');
  void element.play().catch(() => {});
  await first;
  dispatchEvent(new WheelEvent('wheel'));
  scrollTo(0, 600);
  await until(() => inside(element, '.rejoin')?.classList.contains('shown'));
  return element;
}

for (const placement of ['top-right', 'bottom-right', 'inline'])
  it(`on a phone the button back to the sentence is in sight and covers nothing of a signer that is ${placement}`, async () => {
    await setViewport({ width: 390, height: 844 });
    const controls = 'play previous next stop seek queue caption speed pip fullscreen';
    const element = await scrolledAway({ placement, controls });
    const [, top = 0, , bottom = 0] = edges(inside(element, '.rejoin'));
    const [, from = 0, , to = 0] = edges(element);
    expect([top >= 0, bottom <= 844, bottom <= from || top >= to], `${top} to ${bottom}`).to.not.include(
      false,
    );
    page.removeAttribute('id');
  });

it('on a phone that is held sideways the button back to the sentence is on screen, and the signer gets its focus when the button disappears', async () => {
  await setViewport({ width: 844, height: 390 });
  const element = await scrolledAway();
  const [, top = -1, , bottom = 0] = edges(inside(element, '.rejoin'));
  expect([top >= 0, bottom <= 390], `${top} to ${bottom}`).to.not.include(false);
  inside(element, '.rejoin').focus();
  await sendKeys({ press: 'Enter' });
  await until(() => !inside(element, '.rejoin').classList.contains('shown'));
  expect(document.activeElement).to.equal(element);
  page.removeAttribute('id');
});

it('on a phone of any width the picture fills its box, and the panel has no handles for its size', async () => {
  page.id = 'phone';
  page.innerHTML = '<p>One is here.</p>';
  const element = await panel({ for: 'phone' });
  void element.play();
  await heard(element, 'sign-start');
  for (const width of [320, 360, 430]) {
    await setViewport({ width, height: 740 });
    await frames(2);
    const video = element.shadowRoot!.querySelector('video, canvas')!;
    expect(getComputedStyle(video).objectFit, `${width} px`).to.equal('cover');
    for (const handle of element.shadowRoot!.querySelectorAll('.edge, .head .size'))
      expect(getComputedStyle(handle).display, `${width} px`).to.equal('none');
  }
  page.removeAttribute('id');
});

it('the panel moves away from the last sentences of a page, which no scroll can uncover, but not while it is being used, and back when everything is signed', async () => {
  await setViewport({ width: 390, height: 844 });
  page.id = 'long';
  page.innerHTML = `${'<p style="height: 60px">One is here.</p>'.repeat(20)}<p id="last">Last is here.</p>`;
  const element = await panel({ for: 'long' });
  const last = document.getElementById('last')!;
  const home = edges(element);
  const isSeen = (): boolean => {
    const [left = 0, top = 0, , bottom = 0] = edges(last);
    return document.elementFromPoint(left + 10, (top + bottom) / 2) === last;
  };
  element.addEventListener('sign-start', () => element.pause());
  const begun = heard(element, 'sign-start');
  await element.read(last);
  void element.play().catch(() => {});
  await begun;
  for (let presses = 0; presses < 40; presses += 1) {
    element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    await frames(1);
  }
  expect(edges(element), 'a panel that is being used').to.deep.equal(home);
  await until(isSeen);
  expect(edges(element)).to.not.deep.equal(home);
  const ended = heard(element, 'sign-end');
  void element.play().catch(() => {});
  await ended;
  await until(() => edges(element).join() === home.join());
  page.removeAttribute('id');
  await setViewport({ width: 1280, height: 800 });
});
