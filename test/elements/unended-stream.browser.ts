// A text in a stream of its own whose service never writes that the stream has ended, in a real browser.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from './changed-playlists.ts';
import { heard, inOrder, mount, runs, unmountAll, until, watchPicture } from './harness.ts';

const now = performance.now.bind(performance);

afterEach(async () => {
  restorePlaylists();
  performance.now = now;
  await unmountAll();
});

/** From now on playlists have no end. Counts the read playlists that had one. */
function leaveOutEnds(): { ended: number } {
  const read = { ended: 0 };
  changePlaylists((text) => {
    if (!text.includes('#EXT-X-ENDLIST')) return text;
    read.ended += 1;
    return text.replace('#EXT-X-ENDLIST', '');
  });
  return read;
}

it('a text ends a minute after its stream last grew, and the next one is signed', async () => {
  const read = leaveOutEnds();
  const { element, said } = await mount({ mode: 'stream', transport: 'rest' });
  const texts = ['Hello there', 'Goodbye'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  const second = element.sign(texts[1]!);
  await heard(element, 'sign-start');
  await until(() => read.ended > 1);
  performance.now = () => now() + 60_000;
  await first;
  restorePlaylists();
  await second;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
}).timeout(90_000);
