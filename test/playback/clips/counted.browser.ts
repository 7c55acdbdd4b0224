// The bytes that are counted of a clip to which a visitor goes while it is being fetched.
import { expect } from '@open-wc/testing';
import { clipUrl, closeServices } from './clip-urls.ts';
import { openPlayer, until } from './open-player.ts';

const { fetch } = window;
const opened = openPlayer();
after(async () => {
  window.fetch = fetch;
  await opened.close();
  closeServices();
});

it('are those of one download', async () => {
  const urls = [await clipUrl('One'), await clipUrl('Two')];
  let deliver = (): void => {};
  const delivered = new Promise<void>((resolve) => (deliver = resolve));
  window.fetch = async (input, init) => {
    if (input === urls[1]) await delivered;
    return fetch(input, init);
  };
  const [, second] = await opened.add('One', 'Two');
  await until(() => opened.said.includes('start One'));
  opened.player.goTo(second!);
  deliver();
  await opened.played();
  const files = await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()));
  const bytes = files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(opened.player.counts.bytes).to.equal(bytes);
});
