// A `<sign-silence-loop>` whose file once did not load or play: after that its rounds are joined, as they are by default.
import { expect } from '@open-wc/testing';
import { addresses, setFaults } from '../../backend/client.ts';
import { until } from '../harness.ts';
import { clear, mount, watchFetch, watchLongTimers } from './silence-harness.ts';

const { setTimeout } = window;
const { now } = performance;

afterEach(async () => {
  performance.now = now;
  await clear();
  await setFaults([]);
});

type Loop = Awaited<ReturnType<typeof mount>>['element'];

/** The browser itself repeats a file that is not joined. */
const hasSeam = ({ media }: Loop): boolean | undefined => media?.loop;

it('after a minute without its media host', async () => {
  const { media } = await addresses();
  // The waits take no time, and each try of the file takes half a minute.
  window.setTimeout = ((run: TimerHandler, ms = 0) =>
    setTimeout(run, ms >= 500 && ms <= 4000 ? 0 : ms)) as typeof window.setTimeout;
  let ms = 0;
  performance.now = () => ms + now.call(performance);
  let isBack = (): void => {};
  const back = new Promise<void>((resolve) => (isBack = resolve));
  const asked = await watchFetch(({ origin }) => {
    if (asked.silence.length > 1) isBack();
    if (origin !== media || asked.silence.length > 1) return null;
    ms += 30_000;
    throw new TypeError('Failed to fetch');
  });
  const { element } = await mount();
  await back;
  performance.now = now;
  await until(() => element.currentTime > 0);
  expect(asked.silence).to.have.length(2);
  expect(hasSeam(element)).to.equal(false);
});

it('after its decoder was lost once, and not where it was lost at the start', async () => {
  let ms = 0;
  performance.now = () => ms + now.call(performance);
  const { element, errors } = await mount();
  await until(() => element.currentTime > 0);
  ms = 31_000;
  element.media!.dispatchEvent(new Event('error'));
  await until(() => element.media === null);
  await until(() => element.currentTime > 0);
  expect(hasSeam(element)).to.equal(false);
  element.media!.dispatchEvent(new Event('error'));
  await until(() => element.media === null);
  await until(() => element.currentTime > 0);
  expect([hasSeam(element), errors]).to.deep.equal([true, []]);
});

it('after its host broke off one answer, and the service does not say for how long an address is valid', async () => {
  const later = watchLongTimers();
  let answers = 0;
  const { media } = await addresses();
  await watchFetch(({ origin }, init) => {
    if (origin !== media || init?.mode === 'no-cors' || answers++ > 0) return null;
    throw new TypeError('Failed to fetch');
  });
  const { parse } = Date;
  Date.parse = () => NaN;
  const { element } = await mount();
  await until(() => element.currentTime > 0);
  Date.parse = parse;
  expect(hasSeam(element)).to.equal(true);
  const [again, ...others] = later();
  expect([again?.ms, others]).to.deep.equal([60_000, []]);
  again!.run();
  await until(() => hasSeam(element) === false);
});
