// A live player whose media is not there for longer than its tries last.
import { expect } from '@open-wc/testing';
import { setFaults } from '../../backend/client.ts';
import { answerLookups, ID, json, mount, openStream, session, unmountAll, until } from './live-harness.ts';

const { setTimeout } = window;
const { now } = performance;

afterEach(async () => {
  window.setTimeout = setTimeout;
  performance.now = now;
  await setFaults([]);
  await unmountAll();
});

for (const [what, code, fault] of [
  ['whose host is away', 'media_error', { fault: 'media_cut', after_bytes: 0 }],
  ['that has not begun', 'media_refused', { fault: 'media_error', status: 404 }],
] as const)
  it(`a stream ${what} for minutes fails, and plays when it is there`, async () => {
    const stream = await openStream();
    await setFaults([fault]);
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
    expect([...new Set(heard.errors.map(({ code }) => code))]).to.deep.equal([code]);
    await stream.end();
  });

/** A session whose stream answered 404 until the element failed. */
async function failedSession(): Promise<
  Omit<ReturnType<typeof mount>, 'player'> & { stream: Awaited<ReturnType<typeof openStream>> }
> {
  const stream = await openStream();
  await setFaults([{ fault: 'media_error', status: 404 }]);
  answerLookups(() => json(session({ manifests: { hls: stream.hls } })));
  // The waits between the tries are shorter.
  window.setTimeout = ((run: TimerHandler, ms = 0) =>
    setTimeout(run, ms >= 250 && ms <= 9000 ? 10 : ms)) as typeof window.setTimeout;
  const { heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  window.setTimeout = setTimeout;
  return { heard, stream };
}

it('a running session whose media is missing for minutes fails, and plays when it is there', async () => {
  const { heard, stream } = await failedSession();
  await setFaults([]);
  window.dispatchEvent(new Event('online'));
  await until(() => heard.states.at(-1) === 'signing');
  expect(heard.states).to.deep.equal(['connecting', 'failed', 'signing']);
  await stream.end();
});

it('a session that ends while its media is missing has ended', async () => {
  const { heard, stream } = await failedSession();
  answerLookups(() => json(session({ status: 'ended' })));
  window.dispatchEvent(new Event('online'));
  await until(() => heard.states.at(-1) === 'ended');
  await stream.end();
});
