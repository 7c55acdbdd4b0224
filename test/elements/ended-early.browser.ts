// A reading that is ended before it has begun, so that nothing of the page is signed later, or that is paused.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { inOrder, mount, unmountAll, until } from './harness.ts';

const article = document.createElement('article');

afterEach(async () => {
  article.remove();
  await unmountAll();
});

/** A signer and the sentence that it reads. */
function reading(): ReturnType<typeof mount> {
  article.id = 'part';
  article.innerHTML = '<p>One.</p>';
  document.body.append(article);
  return mount({ for: 'part' });
}

const ends: Record<string, (element: SignTranslate) => unknown> = {
  'stop()': (element) => element.stop(),
  'clear()': (element) => element.clear(),
  'end()': (element) => element.end(),
};
for (const [how, end] of Object.entries(ends))
  for (const start of ['read', 'play'] as const)
    it(`${how} right after ${start}()`, async () => {
      const { element, said } = await reading();
      const begun = element[start]();
      end(element);
      await begun;
      await element.sign('Hello.');
      expect([element.queue.length, ...inOrder(said, 'sign-start')]).to.deep.equal([0, 'sign-start Hello.']);
    });

it('pause() right after read() stays in force, and a later read() ends the pause', async () => {
  const { element } = await reading();
  void element.read();
  element.pause();
  await until(() => element.queue[0]?.state === 'signing');
  expect(element.paused).to.equal(true);
  await element.read();
  await until(() => element.queue[0]?.state === 'signed');
});
