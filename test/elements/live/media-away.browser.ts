// A live player whose media host is away for longer than its tries last.
import { expect } from '@open-wc/testing';
import { setFaults } from '../../backend/client.ts';
import { mount, openStream, unmountAll, until } from './live-harness.ts';

const { setTimeout } = window;
const { now } = performance;

afterEach(async () => {
  window.setTimeout = setTimeout;
  performance.now = now;
  await setFaults([]);
  await unmountAll();
});

it('a stream whose host is away for minutes fails, and plays when the host is back', async () => {
  const stream = await openStream();
  await setFaults([{ fault: 'media_cut', after_bytes: 0 }]);
  // The waits between the tries take no time, and a minute passes in a second.
  window.setTimeout = ((run: TimerHandler, ms = 0) =>
    setTimeout(run, ms >= 500 && ms <= 10_000 ? 0 : ms)) as typeof window.setTimeout;
  performance.now = () => 60 * now.call(performance);
  const { player, heard } = mount({ src: stream.hls });
  await new Promise((resolve) => player.addEventListener('sign-error', resolve));
  expect(heard.states).to.deep.equal(['connecting', 'failed']);
  performance.now = now;
  window.setTimeout = setTimeout;
  await setFaults([]);
  window.dispatchEvent(new Event('online'));
  await until(() => player.currentTime > 0 && heard.states.at(-1) === 'signing');
  expect(heard.states).to.deep.equal(['connecting', 'failed', 'signing']);
  expect([...new Set(heard.errors.map(({ code }) => code))]).to.deep.equal(['media_error']);
  await stream.end();
});
