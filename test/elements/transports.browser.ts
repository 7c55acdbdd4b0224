// Texts by REST alone, and with transport="auto", through the real proxy and the real sandbox.
import { expect } from '@open-wc/testing';
import { addresses, openSockets, setFaults } from '../backend/client.ts';
import { widthOf } from '../backend/painting.ts';
import { heard, inOrder, mount, rejection, runs, unmountAll, watchPicture } from './harness.ts';

const { random } = Math;
const { WebSocket: Socket, fetch, setTimeout: wait } = window;

afterEach(async () => {
  Math.random = random;
  Object.assign(window, { WebSocket: Socket, fetch, setTimeout: wait });
  await unmountAll();
  await setFaults([]);
});

/** From now on no socket opens, and tries follow each other without backoff. */
async function refuseSockets(): Promise<void> {
  Math.random = () => 0;
  const nobody = (await addresses()).nobody.replace(/^http/, 'ws');
  window.WebSocket = class extends Socket {
    constructor() {
      super(`${nobody}/ws/`);
    }
  };
}

/** The bodies of all translation requests from now on. */
function watchRequests(): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  window.fetch = (input, init) => {
    if (String(input).endsWith('/v2/generate')) {
      bodies.push(JSON.parse(init?.body as string) as Record<string, unknown>);
    }
    return fetch(input, init);
  };
  return bodies;
}

it('transport="rest" signs texts in call order with the same events, and opens no socket', async () => {
  const { element, said } = await mount({ transport: 'rest' });
  const texts = ['First by REST', 'Second by REST'];
  const picture = watchPicture(element, texts);
  const outcomes = await Promise.all(texts.map((text) => element.sign(text)));
  expect(runs(await picture())).to.deep.equal(texts);
  expect(outcomes.map(({ text }) => text)).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(inOrder(said, 'sign-accepted').sort()).to.deep.equal(texts.map((text) => `sign-accepted ${text}`));
  const results = said.filter(({ name }) => name === 'sign-result').map(({ detail }) => detail);
  expect(results).to.have.length(2);
  for (const { url, expiresAt, pipelineMs } of results) {
    expect(url).to.match(/^http:.*\.mp4/);
    expect([expiresAt, pipelineMs]).to.deep.equal([null, null]);
  }
  expect(await openSockets()).to.equal(0);
  expect(await element.end()).to.equal(null);
});

it('a request has the signer, language and resolution of the attributes, and the options that the page adds', async () => {
  const bodies = watchRequests();
  const { element } = await mount({ transport: 'rest', signer: 'jay', resolution: '720p' });
  element.generateOptions = {
    content: { data: 'not this' },
    output: { delivery: { config: { wordDetailPanel: true } } },
    context: { location: 'Leeds' },
  };
  await element.sign('With options');
  expect(bodies).to.deep.equal([
    {
      content: { type: 'text', data: 'With options' },
      output: {
        format: 'mp4',
        delivery: {
          method: 'download',
          config: { digitalSigner: 'JAY', language: 'ASL', resolution: '1280x720', wordDetailPanel: true },
        },
      },
      context: { application: 'sign-elements', location: 'Leeds' },
    },
  ]);
  expect(element.videoWidth).to.equal(widthOf('720p'));
});

it('after a 500 there is a warning and another try; after a 400 the text fails', async () => {
  Math.random = () => 0;
  await setFaults([{ fault: 'rest_error', operation: 'generate', status: 500, count: 1 }]);
  const { element, said } = await mount({ transport: 'rest' });
  expect((await element.sign('Tried again')).text).to.equal('Tried again');
  const warnings = said.filter(({ name }) => name === 'sign-error').map(({ detail }) => detail.error);
  expect(warnings).to.have.length(1);
  expect(warnings[0]).to.include({ severity: 'warning' });
  await setFaults([{ fault: 'rest_error', operation: 'generate', status: 400, count: 1 }]);
  expect((await rejection(element.sign('Refused'))).code).to.equal('validation_error');
  expect((await element.sign('Signed')).text).to.equal('Signed');
});

it('when a video is refused, its text is requested once more and shown', async () => {
  await setFaults([{ fault: 'media_refused', count: 1 }]);
  const { element, said } = await mount({ transport: 'rest' });
  const picture = watchPicture(element, ['Renewed']);
  await element.sign('Renewed');
  expect(runs(await picture())).to.deep.equal(['Renewed']);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(['sign-start Renewed', 'sign-end Renewed']);
});

it('auto uses REST while V3 is not available, in order and without an error, and returns to V3', async () => {
  await refuseSockets();
  const bodies = watchRequests();
  const { element, said } = await mount();
  const texts = ['One', 'Two'];
  const picture = watchPicture(element, texts);
  const byRest = heard(element, 'sign-statechange', ({ state }) => state === 'ready');
  const outcomes = Promise.all(texts.map((text) => element.sign(text)));
  await byRest;
  // From here on sockets open. The first probe is due 30 s after the change, and the test does not wait for it.
  window.WebSocket = Socket;
  window.setTimeout = ((run: () => void, ms = 0, ...rest: unknown[]) =>
    wait(run, ms > 20_000 && ms <= 30_000 ? 50 : ms, ...rest)) as typeof setTimeout;
  const back = heard(element, 'sign-ready');
  await outcomes;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start')).to.deep.equal(texts.map((text) => `sign-start ${text}`));
  expect(bodies).to.have.length(2);
  await back;
  expect((await element.sign('Three')).text).to.equal('Three');
  expect(bodies).to.have.length(2);
  expect(said.filter(({ name }) => name === 'sign-error')).to.have.length(0);
});

it('auto uses REST without an error where the page’s policy forbids WebSockets', async () => {
  const bodies = watchRequests();
  window.WebSocket = function () {
    throw new DOMException('refused by the policy of this page', 'SecurityError');
  } as unknown as typeof WebSocket;
  const { element, said } = await mount();
  expect((await element.sign('Without a socket')).text).to.equal('Without a socket');
  expect(bodies).to.have.length(1);
  expect(said.filter(({ name }) => name === 'sign-error')).to.have.length(0);
});

it('auto uses REST in stream mode too, with a stream for each text', async () => {
  await refuseSockets();
  const { element } = await mount({ mode: 'stream' });
  const texts = ['Streamed', 'By REST'];
  const picture = watchPicture(element, texts);
  await Promise.all(texts.map((text) => element.sign(text)));
  expect(runs(await picture())).to.deep.equal(texts);
}).timeout(90_000);
