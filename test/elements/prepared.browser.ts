// A page with a prepared edition: what plays from there, what is asked of the service, and what the picture says of it.
import { expect } from '@open-wc/testing';
import { heard, inOrder, misplaced, mount, runs, unmountAll, until, watchPicture } from './stage.ts';

const pageFetch = window.fetch;
/** What the site has under this address. */
const files = new Map<string, () => Response>();
const asked: string[] = [];

before(() => {
  window.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const { pathname } = new URL(address, location.href);
    if (!pathname.startsWith('/signs/')) return pageFetch(input, init);
    asked.push(pathname);
    return Promise.resolve(files.get(pathname)?.() ?? new Response('', { status: 404 }));
  };
});

after(() => {
  window.fetch = pageFetch;
});

afterEach(async () => {
  document.querySelector('#part')?.remove();
  await unmountAll();
});

const labelOf = (element: HTMLElement): string | undefined =>
  element.shadowRoot!.querySelector('[part=label]')?.textContent ?? undefined;

it('plays what is approved from the site, the rest and a missing clip from the service, in order', async () => {
  const live = await mount();
  const result = heard(live.element, 'sign-result');
  void live.element.sign('Two.').catch(() => {});
  const clip = await (await pageFetch((await result).url!)).blob();
  await unmountAll();

  const text = (words: string, name: string, state: string): object => {
    const rest = { seconds: 1, bytes: clip.size, note: '', date: '', pages: [] };
    return { hash: name, text: words, file: `clips/${name}.mp4`, state, ...rest };
  };
  const texts = [
    text('“Two.”', 'two', 'approved'),
    text('Three.', 'three', 'replaced'),
    text('One.', 'one', 'draft'),
  ];
  const edition = { version: 1, signer: 'rae', language: 'BSL', resolution: '480p', texts };
  files.set('/signs/signs.json', () => Response.json(edition));
  files.set('/signs/clips/two.mp4', () => new Response(clip));

  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = '<p>One.</p><p>"Two."</p><p>Three.</p>';
  document.body.append(article);
  const { element, said } = await mount({ for: 'part', prepared: '/signs/signs.json' });
  element.playbackRate = 2;
  const labels = new Map<string, string | undefined>();
  element.addEventListener('sign-sentence', ({ detail }) => {
    void element.updateComplete.then(() => labels.set(detail.text, labelOf(element)));
  });
  const shown = ['One.', 'Two.', 'Three.'];
  const painted = watchPicture(element, shown);
  await element.play();
  await until(() => element.queue.length === 3 && element.queue.every(({ state }) => state === 'signed'));
  const seen = await painted();
  expect([...new Set(runs(seen))]).to.deep.equal(shown);
  expect(misplaced(seen, shown)).to.deep.equal([]);
  expect(inOrder(said, 'sign-start', 'sign-result', 'sign-error')).to.have.members([
    'sign-result One.',
    'sign-start One.',
    'sign-start "Two."',
    'sign-start Three.',
  ]);
  expect(inOrder(said, 'sign-start')).to.deep.equal([
    'sign-start One.',
    'sign-start "Two."',
    'sign-start Three.',
  ]);
  expect([...labels]).to.deep.equal([
    ['One.', 'AI-generated'],
    ['"Two."', 'AI-generated, reviewed'],
    // Its clip is missing, so the service has made one.
    ['Three.', 'AI-generated'],
  ]);
  expect([...new Set(asked)].sort()).to.deep.equal([
    '/signs/clips/three.mp4',
    '/signs/clips/two.mp4',
    '/signs/signs.json',
  ]);
  element.remove();
  await unmountAll();

  // With `only` nothing is asked of the service.
  files.set('/signs/clips/three.mp4', () => new Response(clip));
  const alone = await mount({
    ...{ for: 'part', prepared: '/signs/signs.json only', proxy: 'https://nowhere.invalid/sign' },
  });
  alone.element.playbackRate = 2;
  const label = new Promise((resolve) => {
    alone.element.addEventListener('sign-sentence', ({ detail }) => {
      if (detail.text === 'Three.')
        void alone.element.updateComplete.then(() => resolve(labelOf(alone.element)));
    });
  });
  await alone.element.play();
  await until(() => alone.element.queue.at(-1)?.state === 'signed');
  expect(alone.element.queue.map(({ state }) => state)).to.deep.equal(['failed', 'signed', 'signed']);
  const errors = alone.said.flatMap(({ name, detail }) => (name === 'sign-error' ? [detail] : []));
  expect(errors.map(({ ref, error }) => [ref, (error as Error & { code: string }).code])).to.deep.equal([
    [alone.element.queue[0]!.ref, 'not_found'],
  ]);
  expect(await label).to.equal('Human signer');
});
