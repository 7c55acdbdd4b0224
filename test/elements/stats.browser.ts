// What an element counts: the property `stats` and the event `sign-stats`.
import { expect } from '@open-wc/testing';
import type { SignStats } from '../../src/index.ts';
import { heard, mount, unmountAll } from './harness.ts';

const { fetch } = window;

afterEach(async () => {
  window.fetch = fetch;
  await unmountAll();
});

/** Clips that are requested from now on come a second after `after` resolves. */
function delayClips(after: Promise<unknown>): void {
  const late = after.then(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  window.fetch = async (...request) => {
    if (String(request[0]).includes('.mp4')) await late;
    return fetch(...request);
  };
}

it('stats counts texts, a join, a stall where a clip came late, bytes, and the time to the first frame', async () => {
  const { element } = await mount();
  const reports: SignStats[] = [];
  document.body.addEventListener('sign-stats', ({ detail }) => reports.push(detail));
  expect(element.stats).to.equal(null);
  const begun = performance.now();
  const started = heard(element, 'sign-start');
  const ended = heard(element, 'sign-end');
  const one = element.sign('One');
  await started;
  delayClips(ended);
  await Promise.all([one, element.sign('Two'), element.sign('Three')]);
  const seconds = (performance.now() - begun) / 1000;

  const { timeToFirstFrame, bytes, stalls, joins, ...counts } = element.stats!;
  expect(counts).to.deep.equal({ texts: 3, latency: null });
  // On a slow machine the third clip comes late too.
  expect([stalls >= 1, stalls + joins]).to.deep.equal([true, 2]);
  expect(timeToFirstFrame).to.be.within(0.01, seconds);
  expect(bytes).to.be.above(3000);
  expect(reports.map(({ texts }) => texts)).to.deep.equal([0, 1, 1, 2, 2, 3]);
  expect(reports.at(-1)).to.deep.equal(element.stats);
  expect(reports[0]!.bytes).to.be.within(1000, bytes - 1000);
});
