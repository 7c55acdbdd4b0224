// Clips over a network that is slower than the service.
// - The media requests of the page are held, so that the test sees how many are under way at a time.
import { expect } from '@open-wc/testing';
import { inOrder, mount, unmountAll, until } from './harness.ts';
import { frames } from './on-page.ts';

const { fetch } = window;

afterEach(async () => {
  window.fetch = fetch;
  await unmountAll();
});

for (const transport of ['v3', 'rest']) {
  it(`over ${transport} at most three of eight clips that are ready are fetched at a time, and all are signed in order`, async () => {
    const { element, said } = await mount({ transport });
    element.playbackRate = 2;
    element.pause();
    let results = 0;
    element.addEventListener('sign-result', () => (results += 1));
    let [underWay, most] = [0, 0];
    window.fetch = async (input, init) => {
      if (!String(input).includes('.mp4')) return fetch(input, init);
      underWay += 1;
      most = Math.max(most, underWay);
      await until(() => results === 8);
      await frames(3);
      return fetch(input, init).finally(() => (underWay -= 1));
    };
    const texts = Array.from({ length: 8 }, (_, at) => `Text ${at}`);
    const signed = Promise.all(texts.map((text) => element.sign(text)));
    await until(() => results === 8);
    void element.play();
    await signed;
    expect(most).to.be.within(1, 3);
    expect(inOrder(said, 'sign-start')).to.deep.equal(texts.map((text) => `sign-start ${text}`));
  });
}
