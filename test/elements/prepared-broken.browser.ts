// A page with a prepared edition whose clips are not what they should be.
import { expect } from '@open-wc/testing';
import { heard, inOrder, mount, unmountAll, until } from './harness.ts';

const pageFetch = window.fetch;
const clips = new Map<string, () => Response>();

before(() => {
  window.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const { pathname } = new URL(address, location.href);
    if (!pathname.startsWith('/broken/')) return pageFetch(input, init);
    return Promise.resolve(clips.get(pathname)?.() ?? new Response('', { status: 404 }));
  };
});

after(() => {
  window.fetch = pageFetch;
});

afterEach(async () => {
  document.querySelector('#part')?.remove();
  await unmountAll();
});

it('has the service sign a text whose clip is cut off, is a page of HTML, is empty, or is refused', async () => {
  const live = await mount();
  const result = heard(live.element, 'sign-result');
  void live.element.sign('One.').catch(() => {});
  const whole = await (await pageFetch((await result).url!)).blob();
  await unmountAll();

  const html = { headers: { 'content-type': 'text/html' } };
  const broken: Record<string, () => Response> = {
    'One.': () => new Response(whole.slice(0, whole.size / 2)),
    'Two.': () => new Response('<!doctype html><title>Not found</title>', html),
    'Three.': () => new Response(''),
    'Four.': () => new Response('', { status: 403 }),
  };
  const texts = Object.entries(broken).map(([text, answer], number) => {
    const file = `clips/${number}.mp4`;
    clips.set(`/broken/${file}`, answer);
    return { ...{ hash: String(number), text, file, state: 'approved' }, seconds: 1, bytes: whole.size };
  });
  const edition = { version: 1, signer: 'RAE', language: 'BSL', resolution: '480p', texts };
  clips.set('/broken/signs.json', () => Response.json(edition));
  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = Object.keys(broken)
    .map((text) => `<p>${text}</p>`)
    .join('');
  document.body.append(article);
  const { element, said } = await mount({ for: 'part', prepared: '/broken/signs.json' });
  element.playbackRate = 2;
  await element.play();
  await until(
    () => element.queue.length === 4 && element.queue.every(({ state }) => /signed|failed/.test(state)),
  );
  expect(element.queue.map(({ text, state }) => `${text} ${state}`)).to.deep.equal(
    Object.keys(broken).map((text) => `${text} signed`),
  );
  expect(inOrder(said, 'sign-start')).to.deep.equal(Object.keys(broken).map((text) => `sign-start ${text}`));
});
