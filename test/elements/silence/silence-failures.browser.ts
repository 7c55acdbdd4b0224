// A `<sign-silence-loop>` whose video cannot be loaded: its message, and when it tries again.
import { expect } from '@open-wc/testing';
import { addresses, setFaults } from '../../backend/client.ts';
import { clear, mount, watchFetch } from './silence-harness.ts';
import { until } from '../harness.ts';

const { random } = Math;

afterEach(async () => {
  Math.random = random;
  await clear();
  await setFaults([]);
});

it('shows what failed in a sentence, and plays again with a signer who signs the language', async () => {
  const { element, states, errors } = await mount({ signer: 'JAY', language: 'BSL' });
  await until(() => errors.length > 0);
  expect([states.at(-1), errors]).to.deep.equal(['failed', ['invalid_signer']]);
  const message = (): string | undefined =>
    element.shadowRoot!.querySelector('[part=message]')?.textContent?.trim();
  await until(() => message() === 'This signer is not available here.');
  element.signer = 'ZED';
  await until(() => message() === 'The video could not be shown.');
  expect(errors).to.deep.equal(['invalid_signer', 'invalid_request']);
  element.signer = 'JAY';
  element.language = 'ASL';
  await until(() => element.currentTime > 0);
  expect(message()).to.equal(undefined);
  expect(states.at(-1)).to.equal('ready');
});

it('a loop that has failed for some time is requested again at the event online', async () => {
  await setFaults([{ fault: 'media_error', status: 410, count: 3 }]);
  const { element, errors } = await mount();
  await until(() => errors.length > 0);
  expect(errors).to.deep.equal(['media_refused']);
  window.dispatchEvent(new Event('online'));
  await until(() => element.currentTime > 0);
});

it('a loop that was answered with a web page instead of JSON is requested again at the event online', async () => {
  let answers = 0;
  await watchFetch(({ pathname }) =>
    pathname.endsWith('/v1/silence') && (answers += 1) === 1 ? new Response('<h1>Please log in</h1>') : null,
  );
  const { element, states, errors } = await mount();
  await until(() => errors.length > 0);
  expect([states.at(-1), errors]).to.deep.equal(['failed', ['protocol_error']]);
  window.dispatchEvent(new Event('online'));
  await until(() => element.currentTime > 0);
});

const again = [2_000, 4_000, 8_000, 16_000, 30_000];

/** From now on these waits take no time. Returns those that were made, in order. */
function watchWaits(): number[] {
  const { setTimeout } = window;
  const waits: number[] = [];
  window.setTimeout = ((run: () => void, ms = 0) => {
    if (!again.includes(ms)) return setTimeout(run, ms);
    waits.push(ms);
    return setTimeout(run);
  }) as typeof window.setTimeout;
  return waits;
}

it('a loop whose proxy is away is requested again after 2 s, ever less often, and at the latest after 30 s', async () => {
  // Nor do the waits between the tries of one request take time.
  Math.random = () => 0;
  const waits = watchWaits();
  let isAway = true;
  const asked = await watchFetch(({ pathname }) =>
    pathname.endsWith('/v1/silence') && isAway ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : null,
  );
  const { element, states } = await mount();
  await until(() => waits.length >= 6);
  isAway = false;
  await until(() => element.currentTime > 0);
  expect(waits.slice(0, 6)).to.deep.equal([...again, 30_000]);
  expect(states.at(-1)).to.equal('ready');
  expect(asked.silence.length).to.be.greaterThan(6);
});

it('a loop that is loaded and does not play is requested again ever less often too, and leaves no listeners', async () => {
  const waits = watchWaits();
  const query = Object.assign(new EventTarget(), { matches: false });
  let listeners = 0;
  const { addEventListener } = EventTarget.prototype;
  query.addEventListener = (...args: Parameters<EventTarget['addEventListener']>) => {
    listeners += 1;
    addEventListener.apply(query, args);
  };
  const { matchMedia } = window;
  window.matchMedia = (words) =>
    words.includes('reduced-motion') ? (query as unknown as MediaQueryList) : matchMedia.call(window, words);
  const { media } = await addresses();
  let plays = false;
  await watchFetch(({ origin }) =>
    origin === media && !plays
      ? new Response('no video', { headers: { 'content-type': 'video/mp4' } })
      : null,
  );
  const { element } = await mount();
  await until(() => waits.length >= 6);
  plays = true;
  await until(() => element.currentTime > 0);
  expect(waits.slice(0, 6)).to.deep.equal([...again, 30_000]);
  expect(listeners).to.equal(1);
});

it('a screen reader hears an error once, however often the loop is requested again', async () => {
  let answers = 0;
  await watchFetch(({ pathname }) =>
    pathname.endsWith('/v1/silence') && (answers += 1) ? new Response('<h1>Please log in</h1>') : null,
  );
  const { element, errors } = await mount();
  const spoken = (): string | undefined => element.shadowRoot?.querySelector('[role=status]')?.textContent;
  await until(() => spoken() === 'The video could not be shown.');
  let changes = 0;
  new MutationObserver(() => (changes += 1)).observe(element.shadowRoot!.querySelector('[role=status]')!, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  for (const count of [2, 3]) {
    window.dispatchEvent(new Event('online'));
    await until(() => errors.length === count);
    await element.updateComplete;
  }
  expect(answers).to.equal(3);
  expect([spoken(), changes]).to.deep.equal(['The video could not be shown.', 0]);
});
