// A live player on a live stream whose playlist is a window: it plays the last seconds again after the end.
import { expect } from '@open-wc/testing';
import { addressOf, bytesOf, endedStream } from './ended-stream.ts';
import { removeAllPlayers, listened, livePlayer, until } from './harness.ts';

const { open } = XMLHttpRequest.prototype;

afterEach(() => {
  XMLHttpRequest.prototype.open = open;
  removeAllPlayers();
});

/** A live playlist of the first six segments; when it is read again, it has its end and lacks the first four. */
async function endingWindow(): Promise<string> {
  const { init, segments } = await endedStream(8);
  const map = addressOf(await bytesOf(init), 'video/mp4');
  const addresses = await Promise.all(
    segments.map(async (segment) => addressOf(await bytesOf(segment), 'video/mp4')),
  );
  const playlist = (from: number, to: number, end: string): string => {
    const listed = addresses.slice(from, to).map((address) => `#EXTINF:1,\n${address}`);
    const head = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:${from}\n#EXT-X-MAP:URI="${map}"`;
    return addressOf([head, ...listed, end].join('\n'), 'application/vnd.apple.mpegurl');
  };
  const [first, last] = [playlist(0, 6, ''), playlist(4, segments.length, '#EXT-X-ENDLIST')];
  let asked = 0;
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    open.call(this, method, String(url) === first && asked++ > 0 ? last : url, true);
  };
  return first;
}

it('plays a window that has ended again, from the first second that the playlist still has', async () => {
  const player = livePlayer();
  const source = listened({ hls: await endingWindow() });
  const { reports } = source;
  player.show(source);
  await until(
    () => reports.ended,
    Boolean,
    () => [reports, player.currentTime],
  );
  expect(player.seekable.start(0)).to.be.within(3.9, 4.1);
  void player.play();
  await until(
    () => reports.ended === 2,
    Boolean,
    () => [reports, player.currentTime, player.readyState],
  );
  expect(reports.failed).to.deep.equal([]);
});
