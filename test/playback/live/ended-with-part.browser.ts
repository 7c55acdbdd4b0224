// A live player on a low-latency stream whose last playlist brings its last part and its end together.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from '../../elements/changed-playlists.ts';
import { growingStream, listened, playedAtLive, removeAllPlayers, until, watchFrames } from './harness.ts';

afterEach(() => {
  restorePlaylists();
  removeAllPlayers();
});

/** From now on the stream ends with the next playlist whose newest part is the last one of its segment. */
function endWithPart(): void {
  let last = '';
  changePlaylists((text) => {
    if (!text.includes('#EXTINF')) return text;
    const [whole] = /^[^]*#EXTINF.*\n.*\n/.exec(text) ?? [''];
    if (!last && !text.slice(whole.length).includes('#EXT-X-PART:')) last = `${whole}#EXT-X-ENDLIST\n`;
    return last || text;
  });
}

it('shows the last part of a stream that ends with it', async () => {
  const { hls } = await growingStream();
  const source = listened({ hls });
  const player = await playedAtLive(source);
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 20);
  endWithPart();
  await until(
    () => source.reports.ended && player.duration - seen.at(-1)!.time < 0.1,
    Boolean,
    () => [source.reports, player.duration, player.media?.readyState, seen.at(-1)?.time],
  );
  stop();
  expect(source.reports.failed).to.deep.equal([]);
});
