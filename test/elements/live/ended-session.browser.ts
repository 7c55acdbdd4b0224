// A live session that has ended, whose stream has no end.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from '../changed-playlists.ts';
import { answerLookups, ID, json, mount, openStream, session, unmountAll, until } from './live-harness.ts';

const now = performance.now.bind(performance);

afterEach(async () => {
  restorePlaylists();
  performance.now = now;
  await unmountAll();
});

it('is over a minute after its stream has grown for the last time, and its playlist is read no more', async () => {
  let reads = 0;
  changePlaylists((text) => {
    if (!text.includes('#EXT-X-ENDLIST')) return text;
    reads += 1;
    return text.replace('#EXT-X-ENDLIST', '');
  });
  const stream = await openStream();
  let status = 'active';
  answerLookups(() => json(session({ status, manifests: { hls: stream.hls } })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing'));
  await stream.end();
  status = 'ended';
  await until(() => heard.states.includes('ended') && reads > 1);
  expect(player.ended).to.equal(false);
  performance.now = () => now() + 60_000;
  await until(() => player.ended);
  const before = reads;
  await until(() => player.streamType === 'on-demand');
  expect([reads, heard.states.at(-1), heard.errors]).to.deep.equal([before, 'ended', []]);
}).timeout(90_000);
