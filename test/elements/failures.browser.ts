// What happens when something is wrong: the page gets a code and a rejected promise, the visitor a sentence in the element, and
// the other texts of the queue are not affected.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { addresses, setFaults, setLimits } from '../backend/client.ts';
import type { SignError } from '../../src/protocol/sign-error.ts';
import { heard, inOrder, mount, rejection, unmountAll, until } from './harness.ts';
import { messageOf } from './on-page.ts';

const { random } = Math;
const { WebSocket, setTimeout, fetch: platformFetch } = window;

afterEach(async () => {
  Math.random = random;
  window.setTimeout = setTimeout;
  window.WebSocket = WebSocket;
  window.fetch = platformFetch;
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

/** From now on a minute takes 0.6 s, because an element waits for a minute for a proxy or a service that does not answer. */
function speedUpClock(): void {
  window.setTimeout = ((run: TimerHandler, ms = 0, ...given: unknown[]) =>
    setTimeout(run, ms / 100, ...given)) as typeof setTimeout;
}

/** Signs `text` and returns the rejection, the event and the sentence. */
async function failing(
  element: SignTranslate,
  text: string,
): Promise<{ code: string | undefined; read: string }> {
  const reported = heard(element, 'sign-error', ({ error }) => error.severity !== 'warning');
  const error = await rejection(element.sign(text));
  expect((await reported).error.code).to.equal(error.code);
  return { code: error.code, read: await until(() => messageOf(element)) };
}

for (const [what, text] of [
  ['empty', ''],
  ['white space', ' \n\t '],
] as const) {
  it(`${what} text is refused at once`, async () => {
    const { element } = await mount();
    expect(await failing(element, text)).to.deep.equal({
      code: 'empty_text',
      read: 'There is no text to sign.',
    });
    expect(element.matches(':state(ready)')).to.equal(false);
  });
}

it('a signer who does not sign the language is refused before anything is sent', async () => {
  const { element } = await mount({ signer: 'RAE', language: 'ASL' });
  expect(await failing(element, 'Hello')).to.deep.equal({
    code: 'invalid_signer',
    read: 'This signer is not available here.',
  });
});

it('the service refuses an unknown signer, and a known one signs afterwards', async () => {
  const { element } = await mount({ signer: 'NOBODY' });
  expect(await failing(element, 'Hello')).to.deep.equal({
    code: 'invalid_session_start',
    read: 'This signer is not available here.',
  });
  element.signer = 'max';
  expect((await element.sign('Hello')).text).to.equal('Hello');
});

it('when the proxy does not answer, neither by WebSocket nor by REST, the text fails with proxy_unreachable and a sentence', async () => {
  // The code of both transports is loaded before that.
  const { element: other } = await mount({ transport: 'rest' });
  await other.sign('Hello');
  const { element } = await mount({ proxy: (await addresses()).nobody });
  speedUpClock();
  expect(await failing(element, 'Hello')).to.deep.equal({
    code: 'proxy_unreachable',
    read: 'The signing service is not there right now. Please try again later.',
  });
});

/** A socket as a page gets it from a proxy that does not reach the service. */
class ClosedSocket extends EventTarget {
  readonly readyState = 0;
  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new CloseEvent('close', { code: 1011 })));
  }
  close(): void {}
}

it('with transport="v3", after a minute of failed sessions it stops and rejects every waiting text', async () => {
  const { element, said } = await mount({ transport: 'v3' });
  Math.random = () => 0;
  speedUpClock();
  window.WebSocket = ClosedSocket as unknown as typeof WebSocket;
  const outcomes = await Promise.all(['One', 'Two'].map((text) => rejection(element.sign(text))));
  expect(outcomes.map(({ code }) => code)).to.deep.equal(['upstream_unreachable', 'upstream_unreachable']);
  expect(element.matches(':state(failed)')).to.equal(true);
  const severities = said
    .filter(({ name }) => name === 'sign-error')
    .map(({ detail }) => (detail.error as SignError).severity);
  expect(severities.filter((severity) => severity === 'warning').length).to.be.at.least(7);
  expect(severities.filter((severity) => severity === 'session')).to.have.length(1);
  expect(inOrder(said, 'sign-start')).to.deep.equal([]);
});

it('when the proxy does not serve pages of this origin, the text fails with origin_refused and a sentence', async () => {
  const { element } = await mount({ proxy: (await addresses()).refusing });
  expect(await failing(element, 'Hello')).to.deep.equal({
    code: 'origin_refused',
    read: 'Signing is not set up for this page.',
  });
});

it('when the proxy attribute is no address, the text fails with invalid_request', async () => {
  const { element } = await mount({ proxy: 'ftp://127.0.0.1/sign' });
  expect((await failing(element, 'Hello')).code).to.equal('invalid_request');
});

/** A body that is no video, and no HTML either, because HTML would be requested again for a minute. */
const noVideo = (): Response => new Response('no video', { headers: { 'content-type': 'video/mp4' } });

for (const [what, fetches, code, mediaError] of [
  ['media that is refused', 3, 'media_refused', MediaError.MEDIA_ERR_NETWORK],
  ['media that is no video', 1, 'media_error', MediaError.MEDIA_ERR_DECODE],
] as const) {
  it(`a text with ${what} fails with ${code}, and the next one is signed`, async () => {
    const { element } = await mount();
    await setFaults(fetches > 1 ? [{ fault: 'media_refused', count: 1000 }] : []);
    const { fetch } = window;
    let asked = 0;
    const errors: unknown[] = [];
    element.addEventListener('error', () => errors.push(element.error?.code));
    const first = failing(element, 'Broken');
    // The first text requests its media this often. The second one waits for it, and requests its own when the host works again.
    const isWell = first.then(() => setFaults([]));
    const second = await new Promise<{ signed: Promise<{ text: string }> }>((resolve) => {
      window.fetch = async (...request) => {
        if (!String(request[0]).includes('.mp4')) return fetch(...request);
        if (asked === fetches) await isWell;
        const answer = await (fetches === 1 && asked === 0 ? noVideo() : fetch(...request));
        if ((asked += 1) === fetches) resolve({ signed: element.sign('Whole') });
        return answer;
      };
    });
    expect(await first).to.deep.equal({ code, read: 'The video could not be shown.' });
    expect((await second.signed).text).to.equal('Whole');
    window.fetch = fetch;
    expect([errors, element.error]).to.deep.equal([[mediaError], null]);
    await element.updateComplete;
    expect(messageOf(element)).to.equal('');
  });
}

it('the button in the message tries the failed text again, by keyboard too', async () => {
  await setFaults([{ fault: 'error', text: 1, code: 'internal_error' }]);
  const { element } = await mount();
  await failing(element, 'Once more');
  const ended = heard(element, 'sign-end');
  element.shadowRoot!.querySelector<HTMLElement>('[part~=retry]')!.focus();
  await sendKeys({ press: 'Enter' });
  expect(document.activeElement === element).to.equal(true);
  expect((await ended).text).to.equal('Once more');
  expect(messageOf(element)).to.equal('');
});

it('an error of one text does not affect the texts before and after it', async () => {
  await setFaults([{ fault: 'error', text: 2, code: 'internal_error' }]);
  const { element } = await mount();
  const [first, second, third] = ['One', 'Two', 'Three'].map((text) => element.sign(text));
  expect((await rejection(second!)).code).to.equal('internal_error');
  expect([(await first)?.text, (await third)?.text]).to.deep.equal(['One', 'Three']);
});

it('an invalid result rejects its text with a code, without an exception', async () => {
  await setFaults([{ fault: 'malformed_frame', shape: 'wrong_fields', text: 1 }]);
  const { element } = await mount();
  const [first, second] = [failing(element, 'Garbled'), element.sign('Clear')];
  expect((await first).code).to.equal('protocol_error');
  expect((await second).text).to.equal('Clear');
});

it('frames of an unknown type are ignored', async () => {
  await setFaults([{ fault: 'unknown_frame' }]);
  const { element } = await mount();
  expect((await element.sign('Still here')).text).to.equal('Still here');
});

it('a refused autoplay is a pause with a button and no error; a press starts the signing', async () => {
  const { element } = await mount();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
  const errors: unknown[] = [];
  element.addEventListener('sign-error', (event) => errors.push(event));
  const outcome = element.sign('Hello');
  const button = (): HTMLButtonElement | null => element.shadowRoot!.querySelector('.start');
  await until(button);
  HTMLMediaElement.prototype.play = play;
  expect(element.paused).to.equal(true);
  button()!.click();
  expect((await outcome).text).to.equal('Hello');
  expect(errors).to.have.length(0);
  expect(button()).to.equal(null);
});

it('a rejection without a handler causes no unhandledrejection event', async () => {
  const unhandled: unknown[] = [];
  const listen = (event: PromiseRejectionEvent): void => void unhandled.push(event.reason);
  window.addEventListener('unhandledrejection', listen);
  const { element } = await mount();
  void element.sign('');
  void element.sign('Never shown');
  element.clear();
  element.remove();
  await until(() => !element.isConnected);
  await new Promise((resolve) => setTimeout(resolve));
  window.removeEventListener('unhandledrejection', listen);
  expect(unhandled).to.deep.equal([]);
});

it('when the page’s own fetch rejects, one text fails and the next is signed', async () => {
  const { element } = await mount();
  const { fetch } = window;
  const first = failing(element, 'Blocked');
  await new Promise<void>((blocked) => {
    window.fetch = (...request) => {
      if (!String(request[0]).includes('.mp4')) return fetch(...request);
      blocked();
      return Promise.reject(new Error('blocked here'));
    };
  });
  window.fetch = fetch;
  const second = element.sign('Let through');
  expect((await first).code).to.equal('media_error');
  expect((await second).text).to.equal('Let through');
});

it('an error message and the start button do not overlap, also on a phone', async () => {
  const { element } = await mount({ for: 'not-on-this-page' });
  element.style.setProperty('--sign-width', '300px');
  const start = element.shadowRoot!.querySelector('.start')!;
  (start as HTMLButtonElement).click();
  await until(() => messageOf(element) === 'There is no text to sign.');
  const sentence = element.shadowRoot!.querySelector('[part="message"]')!.getBoundingClientRect();
  expect(start.getBoundingClientRect().bottom).to.be.at.most(sentence.top);
});

it('uses the default proxy after its proxy attribute is removed', async () => {
  const { element } = await mount({ transport: 'v3' });
  element.removeAttribute('proxy');
  Math.random = () => 0;
  const { WebSocket: original } = window;
  const asked: string[] = [];
  window.WebSocket = function (url: string) {
    asked.push(url);
    throw new DOMException('no sockets here', 'SecurityError');
  } as unknown as typeof WebSocket;
  const { code } = await rejection(element.sign('Hello'));
  window.WebSocket = original;
  expect(code).to.equal('proxy_unreachable');
  expect(new Set(asked)).to.deep.equal(new Set([`ws://${location.host}/sign/ws/`]));
});
