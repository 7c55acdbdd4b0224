// A live player on an HLS stream with an end and a hole of 0.08 s between two segments, as discontinuities of B-frames have it.
import { expect } from '@open-wc/testing';
import { addressOf, bytesOf, endedStream } from './ended-stream.ts';
import { removeAllPlayers, listened, livePlayer, until, watchFrames } from './harness.ts';

const SECONDS = 3;
const FRAMES_PER_SECOND = 25;
/** In ticks, of which the sandbox's segments have 90,000 a second. */
const HOLE_TICKS = 7200;

afterEach(removeAllPlayers);

/** Moves the decode times (`tfdt` with 64 bits) of a segment. */
function delay(bytes: Uint8Array<ArrayBuffer>, ticks: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  for (const { index } of letters.matchAll(/tfdt/g)) {
    view.setBigUint64(index + 8, view.getBigUint64(index + 8) + BigInt(ticks));
  }
  return bytes;
}

/** The same stream, whose segments from the second one on are late. */
async function streamWithHole(): Promise<string> {
  const { init, segments } = await endedStream(SECONDS);
  const addresses = await Promise.all(
    segments.map(async (segment, at) =>
      addressOf(delay(await bytesOf(segment), at > 0 ? HOLE_TICKS : 0), 'video/mp4'),
    ),
  );
  const text = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:1',
    `#EXT-X-MAP:URI="${addressOf(await bytesOf(init), 'video/mp4')}"`,
    ...addresses.map((address) => `#EXTINF:1,\n${address}`),
    '#EXT-X-ENDLIST',
  ];
  return addressOf(text.join('\n'), 'application/vnd.apple.mpegurl');
}

it('plays a stream with a small hole to its last frame, and ends', async () => {
  const player = livePlayer();
  const source = listened({ hls: await streamWithHole() });
  const { seen, stop } = watchFrames(player);
  player.show(source);
  const { reports } = source;
  await until(
    () => reports.ended + reports.failed.length > 0,
    Boolean,
    () => [reports, player.currentTime, seen.at(-1)?.frame],
  );
  await until(() => seen.at(-1)?.frame === SECONDS * FRAMES_PER_SECOND - 1);
  stop();
  expect(reports.failed).to.deep.equal([]);
});
