// What a page keeps in memory of the files of a silence loop.
import { expect } from '@open-wc/testing';
import { loadSilence } from '../../../src/elements/silence-files.ts';
import { proxyAddress } from '../../backend/client.ts';
import { made, note, untilLeft, unwatch, watch } from '../left-behind.ts';

beforeEach(watch);
afterEach(unwatch);

it('no downloaded file of a silence loop stays in memory when its caller has dropped it', async () => {
  const asking = new AbortController();
  const ask = async (): Promise<void> => {
    const { playables } = await loadSilence(await proxyAddress(), { format: 'mp4' }, asking.signal);
    for (const playable of playables) if (typeof playable !== 'string') note('file', playable.bytes);
  };
  await ask();
  expect(made().file).to.equal(1);
  await untilLeft(0);
  asking.abort();
});
