// A live player that is paused as its stream ends, with a last playlist that lists little of what is buffered.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from '../../elements/changed-playlists.ts';
import { growingStream, listened, playedAtLive, removeAllPlayers, until } from './harness.ts';

afterEach(() => {
  restorePlaylists();
  removeAllPlayers();
});

/** The end of the stream: of this playlist only the last segment. */
function lastSegmentOf(playlist: string): string {
  const numberAt = (tag: RegExp): number => Number(tag.exec(playlist)?.[1] ?? 0);
  const segments = playlist.match(/^#EXTINF.*\n.*$/gm) ?? [];
  const first = numberAt(/MEDIA-SEQUENCE:(\d+)/) + numberAt(/SKIPPED-SEGMENTS=(\d+)/);
  return [
    '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first + segments.length - 1}`,
    /#EXT-X-MAP.*/.exec(playlist)?.[0],
    segments.at(-1),
    '#EXT-X-ENDLIST\n',
  ].join('\n');
}

/** From now on each playlist is the last one. */
const endStream = (): void =>
  changePlaylists((text) => (text.includes('#EXTINF') ? lastSegmentOf(text) : text));

it('stays where it was paused, and plays what is buffered', async () => {
  const { hls } = await growingStream();
  const source = listened({ hls });
  const player = await playedAtLive(source);
  player.pause();
  const { currentTime } = player;
  await until(() => player.media!.buffered.end(0) > currentTime + 5);
  endStream();
  await until(() => player.streamType === 'on-demand');
  expect(player.currentTime).to.be.closeTo(currentTime, 0.5);
  expect(source.reports.failed).to.deep.equal([]);
});
