// A page with a prepared edition: which clips come from the edition, which from the service, and what the picture shows.
import { expect } from '@open-wc/testing';
import type { SignError } from '../../src/protocol/sign-error.ts';
import {
  heard,
  inOrder,
  misplaced,
  mount,
  rejection,
  runs,
  unmountAll,
  until,
  watchPicture,
} from './harness.ts';

const pageFetch = window.fetch;
/** The files of the site by address. */
const files = new Map<string, () => Response | Promise<Response>>();
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

let editions = 0;

/** A clip of this text, as the service makes it. */
async function clipOf(text: string): Promise<Blob> {
  const { element } = await mount();
  const result = heard(element, 'sign-result');
  void element.sign(text).catch(() => {});
  const clip = await (await pageFetch((await result).url!)).blob();
  await unmountAll();
  return clip;
}

/** Puts an edition on the site, whose clips all are of the text `Two.`. @returns its address, another one each time */
async function publish(
  list: readonly (readonly [words: string, name: string, state: string])[],
): Promise<string> {
  const clip = await clipOf('Two.');
  const rest = { seconds: 1, bytes: clip.size, note: '', date: '', pages: [] };
  const texts = list.map(([text, name, state]) => ({
    ...{ hash: name, text, file: `clips/${name}.mp4`, state, ...rest },
  }));
  const edition = { version: 1, signer: 'rae', language: 'BSL', resolution: '480p', texts };
  const folder = `/signs/${(editions += 1)}`;
  files.set(`${folder}/signs.json`, () => Response.json(edition));
  for (const [, name] of list) files.set(`${folder}/clips/${name}.mp4`, () => new Response(clip));
  asked.length = 0;
  return folder;
}

it('plays approved clips from the site, and all other texts from the service, in order', async () => {
  const folder = await publish([
    ['“Two.”', 'two', 'approved'],
    ['Three.', 'three', 'replaced'],
    ['One.', 'one', 'draft'],
  ]);
  files.delete(`${folder}/clips/three.mp4`);

  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = '<p>One.</p><p>"Two."</p><p>Three.</p>';
  document.body.append(article);
  const { element, said } = await mount({ for: 'part', prepared: `${folder}/signs.json` });
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
    // The clip of this text is missing, so the service has made one.
    ['Three.', 'AI-generated'],
  ]);
  expect([...new Set(asked)].sort()).to.deep.equal([
    `${folder}/clips/three.mp4`,
    `${folder}/clips/two.mp4`,
    `${folder}/signs.json`,
  ]);
  element.remove();
  await unmountAll();

  // With `only` nothing is requested from the service.
  files.set(`${folder}/clips/three.mp4`, files.get(`${folder}/clips/two.mp4`)!);
  const alone = await mount({
    ...{ for: 'part', prepared: `${folder}/signs.json only`, proxy: 'https://nowhere.invalid/sign' },
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

it('reaches the only prepared sentence at the end of a long page', async () => {
  const folder = await publish([['Two.', 'two', 'approved']]);
  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = `${'<p>One.</p>'.repeat(3000)}<p>Two.</p>`;
  document.body.append(article);
  const { element } = await mount({
    ...{ for: 'part', prepared: `${folder}/signs.json only`, proxy: 'https://nowhere.invalid/sign' },
  });
  element.playbackRate = 2;
  await element.play();
  await until(
    () => element.queue.at(-1)?.state,
    (state) => state === 'signed',
  );
  expect(element.queue.length).to.equal(3001);
});

for (const mode of ['translate', 'stream'])
  it(`texts of \`sign()\` and \`text\` are looked up in the edition as well, in call order, with mode="${mode}"`, async () => {
    const folder = await publish([
      ['Two.', 'two', 'approved'],
      ['Three.', 'three', 'draft'],
    ]);
    const { element, said } = await mount({ prepared: `${folder}/signs.json`, mode });
    const labels: Promise<string | undefined>[] = [];
    element.addEventListener('sign-start', () => {
      labels.push(element.updateComplete.then(() => labelOf(element)));
    });
    const first = element.sign('One.');
    const second = element.sign('Two.\u00a0');
    element.text = 'Three.';
    const third = heard(element, 'sign-end', ({ text }) => text === 'Three.');
    await Promise.all([first, second, third]);
    expect(inOrder(said, 'sign-start')).to.deep.equal([
      'sign-start One.',
      'sign-start Two.\u00a0',
      'sign-start Three.',
    ]);
    // A warning, such as that code is loaded again, ends no text.
    const errors = said.flatMap(({ name, detail }) =>
      name === 'sign-error' ? [(detail as { error: SignError }).error] : [],
    );
    expect(errors.filter(({ severity }) => severity !== 'warning').map(String)).to.deep.equal([]);
    expect(await Promise.all(labels)).to.deep.equal([
      'AI-generated',
      'AI-generated, reviewed',
      'AI-generated',
    ]);
    expect(asked).to.include(`${folder}/clips/two.mp4`);
    expect(said.filter(({ name }) => name === 'sign-accepted').length).to.equal(2);
  });

it('with `only` a text that is not prepared is not signed, and clear() drops a text whose list is still loading', async () => {
  const folder = await publish([['Two.', 'two', 'replaced']]);
  const { element, said } = await mount({
    ...{ prepared: `${folder}/signs.json only`, proxy: 'https://nowhere.invalid/sign' },
  });
  const unknown = element.sign('One.');
  const known = element.sign('Two.');
  expect((await rejection(unknown)).code).to.equal('not_found');
  expect((await known).text).to.equal('Two.');
  expect(labelOf(element)).to.equal('Human signer');
  const errors = said.flatMap(({ name, detail }) => (name === 'sign-error' ? [detail] : []));
  expect(
    errors.map(({ ref, error }) => [Boolean(ref), (error as Error & { code: string }).code]),
  ).to.deep.equal([[true, 'not_found']]);

  let answer: (response: Response) => void = () => {};
  files.set('/signs/other.json', () => new Promise((resolve) => (answer = resolve)));
  element.prepared = '/signs/other.json only';
  const dropped = element.sign('Two.');
  await until(() => asked.includes('/signs/other.json'));
  element.clear();
  expect((await rejection(dropped)).name).to.equal('AbortError');
  answer(new Response('{}'));
});

it('has the service sign a text whose clip is cut off, is a page of HTML, is empty, or is refused', async () => {
  const clip = await clipOf('One.');
  const html = { headers: { 'content-type': 'text/html' } };
  const broken: Record<string, () => Response> = {
    'One.': () => new Response(clip.slice(0, clip.size / 2)),
    'Two.': () => new Response('<!doctype html><title>Not found</title>', html),
    'Three.': () => new Response(''),
    'Four.': () => new Response('', { status: 403 }),
  };
  const folder = await publish(Object.keys(broken).map((text, at) => [text, String(at), 'approved']));
  for (const [at, answer] of Object.values(broken).entries()) files.set(`${folder}/clips/${at}.mp4`, answer);

  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = Object.keys(broken)
    .map((text) => `<p>${text}</p>`)
    .join('');
  document.body.append(article);
  const { element, said } = await mount({ for: 'part', prepared: `${folder}/signs.json` });
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
