// A live player on a low-latency stream that seeks back to before what it has loaded, while a segment grows.
import { expect } from '@open-wc/testing';
import { growingStream, listened, playedAtLive, removeAllPlayers, until } from './harness.ts';

afterEach(removeAllPlayers);

/** Seconds that this playlist lists in whole segments. */
const listedIn = async (hls: string): Promise<number> =>
  [...(await (await fetch(hls)).text()).matchAll(/^#EXTINF:([\d.]+)/gm)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  );

it('plays on from there to live, and leaves no hole where it had begun', async () => {
  const { hls } = await growingStream();
  await until(
    () => listedIn(hls),
    (seconds) => seconds > 4,
  );
  const source = listened({ hls });
  const player = await playedAtLive(source);
  const video = player.media!;
  const begin = video.buffered.start(0);
  const end = video.buffered.end(0);
  player.currentTime = begin - 1;
  await until(() => video.currentTime > begin - 2 && video.currentTime > end + 3);
  const ranges = Array.from({ length: video.buffered.length }, (_, at) => [
    video.buffered.start(at),
    video.buffered.end(at),
  ]);
  expect(ranges, `sought from ${begin}–${end}`).to.have.length(1);
  expect(source.reports.failed).to.deep.equal([]);
});
