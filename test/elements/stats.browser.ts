// What an element counts: the property `stats` and the event `sign-stats`.
import { expect } from '@open-wc/testing';
import type { SignStats } from '../../src/index.ts';
import { setFaults } from '../backend/client.ts';
import { mount, unmountAll } from './stage.ts';

afterEach(async () => {
  await unmountAll();
  await setFaults([]);
});

it('counts texts, a join, a stall where a clip came late, bytes, and the time to the first frame', async () => {
  const { element } = await mount();
  const told: SignStats[] = [];
  document.body.addEventListener('sign-stats', ({ detail }) => told.push(detail));
  expect(element.stats).to.equal(null);
  await setFaults([{ fault: 'latency', ms: 2500, text: 2 }]);
  const begun = performance.now();
  await Promise.all(['One', 'Two', 'Three'].map((text) => element.sign(text)));
  const seconds = (performance.now() - begun) / 1000;

  const { timeToFirstFrame, bytes, ...counts } = element.stats!;
  expect(counts).to.deep.equal({ texts: 3, stalls: 1, joins: 1, latency: null });
  expect(timeToFirstFrame).to.be.within(0.01, seconds);
  expect(bytes).to.be.above(3000);
  expect(told.map(({ texts }) => texts)).to.deep.equal([0, 1, 1, 2, 2, 3]);
  expect(told.at(-1)).to.deep.equal(element.stats);
  expect(told[0]!.bytes).to.be.within(1000, bytes - 1000);
});
