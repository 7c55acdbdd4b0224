// A page keeps nothing in memory of elements that were removed before, while or after they played: no element, video, canvas
// or source. Of elements that the page itself still references it keeps only the element.
import { expect } from '@open-wc/testing';
import { openContexts } from '../playback/chroma-key/page-contexts.ts';
import {
  clear as clearAnnouncements,
  mount as mountAnnouncement,
} from './announcement/announcement-harness.ts';
import { comeAndGo, made, unwatch, watch } from './left-behind.ts';
import {
  ID,
  answerLookups,
  json,
  mount as mountPlayer,
  openStream,
  session,
  unmountAll as clearPlayers,
  type EndlessStream,
} from './live/live-harness.ts';
import { clear as clearLoops, mount as mountLoop } from './silence/silence-harness.ts';
import { mount as mountTranslate, unmountAll as clearTranslate, until } from './harness.ts';
import { frames } from './on-page.ts';

const BACKGROUND = '#10203f';

let streams: EndlessStream[] = [];

beforeEach(watch);
afterEach(async () => {
  unwatch();
  await Promise.all([clearLoops(), clearAnnouncements(), clearPlayers()]);
  await Promise.all(streams.splice(0).map((stream) => stream.end()));
  await clearTranslate();
});

it('twenty removed silence loops, every other one keyed, leave nothing in memory', async () => {
  await comeAndGo(async (n) => {
    const keyed = n % 2 ? { background: BACKGROUND } : {};
    const { element } = await mountLoop({ ...keyed, style: 'inline-size: 160px' });
    const harness = n % 5;
    if (harness > 0) await until(() => element.shadowRoot!.querySelector('video'));
    if (harness > 1) await until(() => element.currentTime > 0);
    if (harness > 2 && n % 2) await until(() => element.shadowRoot!.querySelector('canvas'));
    return element;
  });
  expect(openContexts()).to.deep.equal([]);
  const { video, canvas, source } = made();
  expect([video >= 16, canvas >= 4, source >= 2 * 12]).to.deep.equal([true, true, true]);
});

it('twenty removed announcements leave nothing in memory', async () => {
  await comeAndGo(async (n) => {
    const timing = `10${10 + (n % 3)}`;
    const { element, said } = await mountAnnouncement({ 'static-message': 'MIND_THE_GAP', timing });
    const harness = n % 5;
    if (harness > 0) await until(() => said.includes('sign-accepted'));
    if (harness > 1) await until(() => said.includes('sign-start'));
    if (harness > 3)
      await until(
        () => said.includes('sign-end'),
        Boolean,
        () => said,
      );
    return element;
  });
  const { video, source } = made();
  expect([video >= 12, source >= 2 * 12]).to.deep.equal([true, true]);
});

it('twenty removed live players of HLS and DASH, some of them during a change of view, leave nothing in memory', async () => {
  streams = await Promise.all([openStream(), openStream()]);
  const [{ hls, dash }, { hls: pip }] = streams as [EndlessStream, EndlessStream];
  answerLookups(() => json(session({ manifests: { hls, dash, pip } })));
  // These belong to this test, and are removed with it.
  unwatch();
  watch();
  await comeAndGo(async (n) => {
    const { player, heard } = mountPlayer({ session: ID, protocol: n % 2 ? 'dash' : 'hls' });
    const harness = (n >> 1) % 5;
    if (harness > 0) await until(() => player.shadowRoot?.querySelector('video'));
    if (harness > 1)
      await until(
        () => heard.states.includes('signing'),
        Boolean,
        () => heard.states,
      );
    if (harness > 2) await until(() => player.currentTime > 0 && !player.paused);
    if (harness > 3) player.setAttribute('view', 'composite');
    if (harness > 3) await frames(8);
    return player;
  });
  const { video, source, engine } = made();
  expect([video >= 16, source >= 2 * 12, engine >= 12]).to.deep.equal([true, true, true]);
});

it('twenty removed sign-translate over V3, over REST, with an idle signer and in stream mode leave nothing in memory', async () => {
  const ways = [
    {},
    { transport: 'rest' },
    { 'idle-after': '0' },
    { background: BACKGROUND },
    { mode: 'stream' },
  ];
  await comeAndGo(async (n) => {
    const { element, said } = await mountTranslate({ text: 'A', ...ways[n % 5] } as Record<string, string>);
    element.playbackRate = 2;
    const has = (name: string): Promise<unknown> =>
      until(
        () => said.some((one) => one.name === name),
        Boolean,
        () => said.map((one) => one.name),
      );
    const harness = Math.floor(n / 5);
    if (harness > 0) await has('sign-accepted');
    if (harness > 1) await has('sign-start');
    if (harness > 2) await has('sign-end');
    return element;
  });
  const { video, source, socket, engine } = made();
  expect([video >= 10, source >= 10, socket >= 10, engine >= 2]).to.deep.equal([true, true, true, true]);
});
