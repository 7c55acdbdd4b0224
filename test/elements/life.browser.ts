// What an element does when it is moved, removed, put back or restored with its page, and what it leaves behind.
import { expect } from '@open-wc/testing';
import { openSockets, proxyAddress } from '../backend/client.ts';
import { heard, mount, rejection, unmountAll, until } from './harness.ts';
import { frames } from './on-page.ts';

afterEach(unmountAll);

it('an element goes on playing when it is moved', async () => {
  const { element } = await mount();
  const place = document.createElement('section');
  document.body.append(place);
  const outcome = element.sign('Moved while playing');
  await heard(element, 'sign-start');
  place.append(element);
  expect((await outcome).text).to.equal('Moved while playing');
  place.remove();
});

it('a removed element ends its session and rejects waiting texts; put back, it is idle and signs again', async () => {
  const { element, said } = await mount({ text: 'Set by attribute' });
  await heard(element, 'sign-start');
  const waiting = rejection(element.sign('Waiting'));
  element.remove();
  expect((await waiting).name).to.equal('AbortError');
  await until(async () => (await openSockets()) === 0);
  expect(element.media).to.equal(null);
  expect(element.matches(':state(idle)')).to.equal(true);
  document.body.append(element);
  await element.updateComplete;
  expect((await element.sign('Back')).text).to.equal('Back');
  const starts = said.filter(({ name }) => name === 'sign-start').map(({ detail }) => detail.text);
  expect(starts).to.deep.equal(['Set by attribute', 'Back']);
});

it('leaving the page ends the session, and a page restored from the cache works', async () => {
  const { element } = await mount();
  const outcome = rejection(element.sign('Left behind'));
  await heard(element, 'sign-accepted');
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  expect((await outcome).name).to.equal('AbortError');
  await until(async () => (await openSockets()) === 0);
  expect((await element.sign('Restored')).text).to.equal('Restored');
});

it('an element sends nothing before it is connected to a page, and signs after that', async () => {
  const { element } = await mount();
  element.remove();
  await frames(4);
  const outcome = element.sign('Asked for early');
  expect(await openSockets()).to.equal(0);
  document.body.append(element);
  expect((await outcome).text).to.equal('Asked for early');
});

it('connect() opens a session before the first text, but not before the element is on a page', async () => {
  const { element, said } = await mount();
  element.remove();
  await frames(4);
  const connected = element.connect();
  await frames(4);
  expect(await openSockets()).to.equal(0);
  document.body.append(element);
  await connected;
  expect(await openSockets()).to.equal(1);
  expect(element.matches(':state(ready)')).to.equal(true);
  await element.sign('Connected before');
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(1);
});

it('connect() and end() in one task leave no session open, whether there was one or not', async () => {
  const { element, said } = await mount();
  await element.connect();
  for (const isOpen of [true, false]) {
    expect(await openSockets()).to.equal(isOpen ? 1 : 0);
    const connected = rejection(element.connect());
    await element.end();
    expect((await connected).name).to.equal('AbortError');
    await until(async () => (await openSockets()) === 0);
  }
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(1);
});

it('two elements have a session each and do not affect one another', async () => {
  const [one, two] = [await mount(), await mount()];
  const outcomes = [one.element.sign('On the left'), two.element.sign('On the right')];
  const sessions = await Promise.all(
    [one, two].map(async ({ element }) => (await heard(element, 'sign-ready')).sessionId),
  );
  expect(new Set(sessions).size).to.equal(2);
  expect((await Promise.all(outcomes)).map(({ text }) => text)).to.deep.equal([
    'On the left',
    'On the right',
  ]);
});

it('properties set before the definition survive it', async () => {
  // An element of another document has no definition until this one adopts it.
  const elsewhere = document.implementation.createHTMLDocument();
  const element = elsewhere.createElement('sign-translate');
  Object.assign(element, { signer: 'JAY', resolution: '1080p', playbackRate: 1.5, loop: true, muted: false });
  expect('sign' in element).to.equal(false);
  document.body.append(element);
  await element.updateComplete;
  expect(element.signer).to.equal('JAY');
  expect(element.resolution).to.equal('1080p');
  expect([element.playbackRate, element.loop, element.muted]).to.deep.equal([1.5, true, false]);
  element.playbackRate = 9;
  expect(element.playbackRate).to.equal(2);
  element.proxy = await proxyAddress();
  const ready = heard(element, 'sign-ready');
  void element.sign('With the properties of before');
  expect((await ready).config).to.include({ digital_signer: 'JAY', language: 'ASL', resolution: '1080p' });
});

it('a new element that is put straight into another document has its styles there, and signs', async () => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const element = document.createElement('sign-translate');
  element.proxy = await proxyAddress();
  frame.contentDocument!.body.append(element);
  await element.updateComplete;
  expect(getComputedStyle(element).display).to.equal('flex');
  expect((await element.sign('In a window of its own')).text).to.equal('In a window of its own');
  frame.remove();
});

it('works where the browser accepts CSS states with dashes only', async () => {
  const { add } = CustomStateSet.prototype;
  CustomStateSet.prototype.add = function (this: CustomStateSet, state: string) {
    if (!state.startsWith('--')) throw new DOMException('as Chromium before 125', 'SyntaxError');
    return add.call(this, state);
  };
  try {
    const { element } = await mount();
    expect((await element.sign('Signed all the same')).text).to.equal('Signed all the same');
  } finally {
    CustomStateSet.prototype.add = add;
  }
});

it('two elements removed 20 times leave no video, socket or listener behind', async () => {
  const listening = new Map<string, number>();
  const targets = [window, document] as const;
  const originals = targets.map((target) => [target.addEventListener, target.removeEventListener] as const);
  const count = (type: string, by: number): void => void listening.set(type, (listening.get(type) ?? 0) + by);
  for (const target of targets) {
    const { addEventListener, removeEventListener } = target;
    target.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
      count(type, 1);
      options?.signal?.addEventListener('abort', () => count(type, -1), { once: true });
      addEventListener.call(target, type, listener, options);
    };
    target.removeEventListener = (type: string, listener: EventListener) => {
      count(type, -1);
      removeEventListener.call(target, type, listener);
    };
  }
  const videos = new Set<HTMLVideoElement>();
  const { createElement } = document;
  document.createElement = function (this: Document, ...args: Parameters<Document['createElement']>) {
    const made = createElement.apply(this, args);
    if (made instanceof HTMLVideoElement) videos.add(made);
    return made;
  } as Document['createElement'];

  const pair = [(await mount()).element, (await mount()).element];
  try {
    for (let round = 0; round < 20; round++) {
      for (const element of pair) document.body.append(element);
      await Promise.all(
        pair.map(async (element) => {
          void element.sign('Round and round');
          await heard(element, 'sign-start');
        }),
      );
      for (const element of pair) element.remove();
      await until(() => pair.every((element) => element.matches(':state(idle)')));
    }
    await until(async () => (await openSockets()) === 0);
  } finally {
    document.createElement = createElement;
    targets.forEach((target, at) => {
      [target.addEventListener, target.removeEventListener] = originals[at]!;
    });
  }
  expect(videos.size).to.be.greaterThan(20);
  const held = [...videos].filter((video) => video.isConnected || video.hasAttribute('src') || !video.paused);
  expect(held).to.deep.equal([]);
  expect([...listening.entries()].filter(([, left]) => left !== 0)).to.deep.equal([]);
}).timeout(120_000);
