// A video of the page's own (`data-sign-src`) on a host that no script may read, so that the `<video>` itself loads it.
import { expect } from '@open-wc/testing';
import { setFaults } from '../backend/client.ts';
import { clipUrl, closeServices } from '../playback/clips/clip-urls.ts';
import { heard, inOrder, mount, unmountAll, until } from './harness.ts';

afterEach(async () => {
  document.querySelector('#part')?.remove();
  await setFaults([]);
  await unmountAll();
});

/** A signer for a page whose first sentence has a video of its own, and the name of this video's file. */
async function mountPage() {
  const url = await clipUrl('By a person, who signs for some seconds');
  closeServices();
  const { element, said } = await mount({ for: 'part' });
  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = `<p data-sign-src="${url}">By a person</p><p>And one more.</p>`;
  document.body.append(article);
  const isOver = (): boolean =>
    element.queue.length === 2 && element.queue.every(({ state }) => /signed|failed/.test(state));
  return { element, said, address: new URL(url).pathname.split('/').at(-1)!, isOver };
}

it('plays on after its connection broke in the middle of it', async () => {
  const { element, said, address, isOver } = await mountPage();
  await setFaults([{ fault: 'media_host', address, cors: false }]);
  const begun = heard(element, 'sign-start', ({ text }) => text === 'By a person');
  await element.read();
  await begun;
  await until(() => element.media!.currentTime > 0.5);
  const { src } = element.media!;
  expect(src).to.contain(address);
  // In place of a connection that breaks: that fires `error` too, but at no moment that a test can choose.
  element.media!.src = 'data:video/mp4,';
  await until(isOver);
  expect(element.queue.map(({ state }) => state)).to.deep.equal(['signed', 'signed']);
  expect(inOrder(said, 'sign-error')).to.deep.equal([]);
  expect(inOrder(said, 'sign-start')).to.deep.equal(['sign-start By a person', 'sign-start And one more.']);
});

it('fails at once when it is not there, and the next sentence is signed', async () => {
  const { element, address, isOver } = await mountPage();
  await setFaults([
    { fault: 'media_host', address, cors: false },
    { fault: 'media_refused', address },
  ]);
  const refused = heard(element, 'sign-error');
  await element.read();
  await until(isOver);
  expect(element.queue.map(({ state }) => state)).to.deep.equal(['failed', 'signed']);
  expect((await refused).error.code).to.equal('media_refused');
});
