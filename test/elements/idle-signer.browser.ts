// The idle signer between texts, from the proxy's silence route: when it is requested, shown and hidden.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { stampOf } from '../page/read-stamp.ts';
import { mount, runs, unmountAll, until, watchPicture } from './harness.ts';

const { fetch } = window;

afterEach(async () => {
  window.fetch = fetch;
  await unmountAll();
  await setFaults([]);
});

/** Addresses of all silence requests from now on, and of the answered ones. */
function watchSilence(): { asked: string[]; answered: string[] } {
  const [asked, answered]: [string[], string[]] = [[], []];
  window.fetch = async (input, init) => {
    if (!String(input).includes('/v1/silence')) return fetch(input, init);
    asked.push(String(input));
    const response = await fetch(input, init);
    void response
      .clone()
      .text()
      .then(() => answered.push(String(input)));
    return response;
  };
  return { asked, answered };
}

/** Whether a video of the element beside the video of the texts shows the idle signer, whose stamp is clip 0. */
async function atRest(element: SignTranslate): Promise<boolean> {
  const videos = [...element.shadowRoot!.querySelectorAll('video')].filter(
    (video) => video !== element.media,
  );
  const stamps = await Promise.all(videos.filter((video) => !video.paused).map(stampOf));
  return stamps.some((stamp) => stamp?.clip === 0);
}

it('the idle signer appears after idle-after seconds, disappears with the next text, and is requested once for each signer', async () => {
  const { asked } = watchSilence();
  const { element } = await mount({ 'idle-after': '0.2', signer: 'JAY' });
  const texts = ['Before the rest', 'After the rest'];
  const picture = watchPicture(element, texts);
  await element.sign(texts[0]!);
  await until(() => atRest(element));
  await element.sign(texts[1]!);
  expect(runs(await picture())).to.deep.equal(texts);
  await until(() => atRest(element));
  const { element: other } = await mount({ 'idle-after': '0.2', signer: 'jay' });
  await other.sign('On another element');
  await until(() => atRest(other));
  expect(asked).to.have.length(1);
  const query = new URL(asked[0]!).searchParams;
  expect(Object.fromEntries(query)).to.deep.equal({ language: 'asl', signer: 'jay', format: 'mp4' });
}).timeout(90_000);

it('an idle signer whose media host has refused it appears after a later text', async () => {
  const files = new Set<string>();
  let refusals = 0;
  window.fetch = async (input, init) => {
    if (files.has(String(input)) && refusals < 3) {
      refusals += 1;
      return new Response('', { status: 410 });
    }
    const response = await fetch(input, init);
    if (String(input).includes('/v1/silence')) {
      for (const [file] of (await response.clone().text()).matchAll(/https?:[^"]+/g)) files.add(file);
    }
    return response;
  };
  const { element } = await mount({ 'idle-after': '0' });
  await element.sign('Then nothing');
  await until(() => refusals === 3);
  await element.sign('Then the rest');
  await until(() => atRest(element));
}).timeout(90_000);

it('after Escape the idle signer does not come back, and later texts are played as before', async () => {
  const { element } = await mount({ 'idle-after': '0' });
  await element.sign('Before the rest');
  await until(() => atRest(element));
  element.focus();
  await sendKeys({ press: 'Escape' });
  await until(async () => !(await atRest(element)));
  expect((await element.sign('After the rest')).text).to.equal('After the rest');
  expect(await atRest(element)).to.equal(false);
}).timeout(90_000);

it('after Escape while nothing moves, before the first text or after one, the next text is played', async () => {
  const { element } = await mount();
  for (const text of ['Hello.', 'Hello again.']) {
    element.focus();
    await sendKeys({ press: 'Escape' });
    expect((await element.sign(text)).text).to.equal(text);
  }
}).timeout(90_000);

it('an idle signer that is not available causes no error, and the last frame stays', async () => {
  await setFaults([{ fault: 'rest_error', operation: 'silence', status: 400 }]);
  const { asked, answered } = watchSilence();
  const { element, said } = await mount({ 'idle-after': '0', signer: 'MAX' });
  await element.sign('Then nothing');
  // A text that comes before the answer ends the request.
  await until(() => answered.length > 0);
  await element.sign('And again');
  await element.sign('And once more');
  expect(asked).to.have.length(1);
  expect(await atRest(element)).to.equal(false);
  expect(said.filter(({ name }) => name === 'sign-error')).to.have.length(0);
});

it('the property has the value that the attribute means', async () => {
  const { element } = await mount();
  const read = ['2', '0.2', 'None', '-3', 'soon'].map((value) => {
    element.setAttribute('idle-after', value);
    return element.idleAfter;
  });
  element.removeAttribute('idle-after');
  expect([...read, element.idleAfter]).to.deep.equal([2, 0.2, 'none', 1.5, 1.5, 1.5]);
});

it('idle-after is seconds or none, and an invalid value reads as 1.5', () => {
  const element = document.createElement('sign-translate');
  const read = ['2', '0', ' none ', 'NONE', '', 'soon', '-1'].map((value) => {
    element.setAttribute('idle-after', value);
    return element.idleAfter;
  });
  expect(read).to.deep.equal([2, 0, 'none', 'none', 1.5, 1.5, 1.5]);
  element.removeAttribute('idle-after');
  expect(element.idleAfter).to.equal(1.5);
});
