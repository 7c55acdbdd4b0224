// The words of the clip on screen, as a caption and for a screen reader, and the thanks to a visitor who reports them.
import { expect } from '@open-wc/testing';
import { setLimits } from '../backend/client.ts';
import { heard, mount, unmountAll, until } from './harness.ts';

afterEach(async () => {
  document.querySelector('#part')?.remove();
  await unmountAll();
  await setLimits({});
});

it('the caption and the screen reader text follow the parts of a sentence that is too long for one message', async () => {
  await setLimits({ max_text_length: 20 });
  const words = document.createElement('p');
  words.id = 'part';
  words.textContent = 'One two three four five six seven.';
  document.body.append(words);
  const { element } = await mount({ for: 'part', controls: 'caption' });
  element.playbackRate = 2;
  const shadow = element.shadowRoot!;
  const textOf = (place: string): string => shadow.querySelector(place)?.textContent ?? '';
  const seen: string[] = [];
  const spoken: string[] = [];
  const observer = new MutationObserver(() => {
    seen.push(textOf('p[part=caption]'));
    spoken.push(textOf('[role=status]'));
  });
  observer.observe(shadow, { childList: true, characterData: true, subtree: true });
  void element.play().catch(() => {});
  await heard(element, 'sign-start');
  // The first part must not be over before the test turns on the caption.
  element.pause();
  await until(() => shadow.querySelector('button[part~=caption]'));
  shadow.querySelector<HTMLElement>('button[part~=caption]')!.click();
  await until(() => textOf('p[part=caption]'));
  await element.play();
  await until(() => element.queue.every(({ state }) => state === 'signed'));
  observer.disconnect();
  const parts = ['One two three four', 'five six seven.'];
  expect([...new Set(seen)].filter(Boolean)).to.deep.equal(parts);
  expect([...new Set(spoken)].filter((text) => !text.includes('coming') && text)).to.deep.equal(parts);
});

it('the thanks for a report stay until the next sentence, and do not come back with the reported sentence', async () => {
  const words = document.createElement('p');
  words.id = 'part';
  words.textContent = 'One. Two.';
  document.body.append(words);
  const { element } = await mount({ for: 'part', controls: '' });
  const shadow = element.shadowRoot!;
  const part = (name: string): HTMLButtonElement | null => shadow.querySelector(`button[part~=${name}]`);
  const isThanked = (): boolean =>
    [...shadow.querySelectorAll('p')].some(
      ({ textContent }) => textContent === 'Thank you. It was passed on.',
    );
  // Each sentence waits for the visitor, who reports it or goes on.
  element.addEventListener('sign-start', () => element.pause());
  const go = (): void => void element.play().catch(() => {});
  go();
  await until(() => part('report')?.disabled === false);
  const status = shadow.querySelector('.notes [role=status]');
  expect(status?.textContent.trim(), 'known to screen readers before it says something').to.equal('');
  part('report')!.click();
  await until(isThanked);
  expect(status!.textContent.trim()).to.equal('Thank you. It was passed on.');
  go();
  await until(() => part('queue')!.textContent!.trim() === '2 of 2' && !isThanked());
  element.previous();
  go();
  await until(() => part('queue')!.textContent!.trim() === '1 of 2');
  expect(isThanked()).to.equal(false);
});
