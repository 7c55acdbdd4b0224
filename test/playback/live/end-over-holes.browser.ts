// A live player on an HLS stream with an end and a hole of 0.08 s between two segments, as discontinuities of B-frames have it.
import { expect } from '@open-wc/testing';
import { operate } from '../../backend/client.ts';
import { removeAllPlayers, listened, livePlayer, until, watchFrames } from './harness.ts';

const SECONDS = 3;
const FRAMES_PER_SECOND = 25;
/** Of the 90,000 ticks a second that the sandbox's segments have. */
const HOLE_TICKS = 7200;

afterEach(removeAllPlayers);

/** The lines of the playlist of a stream of a text, once it has its end. */
async function endedPlaylist(): Promise<{ readonly lines: readonly string[]; readonly base: string }> {
  const config = { resolution: '426x240', hlsSegmentType: 'fmp4', hlsSegmentDuration: 1 };
  const { manifests } = (await operate('POST', '/v2/generate', {
    content: { type: 'text', data: 'A hole', duration: SECONDS },
    output: { format: 'hls', delivery: { method: 'stream', config } },
    context: { application: 'holes' },
  })) as { manifests: { hls: string } };
  let text = '';
  await until(async () => {
    text = await (await fetch(manifests.hls)).text();
    return text.includes('#EXT-X-ENDLIST');
  });
  return { lines: text.split('\n'), base: manifests.hls };
}

const bytesOf = async (url: string, base: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(new URL(url, base))).arrayBuffer());

/** Moves the decode times (`tfdt` with 64 bits) of a segment. */
function delay(bytes: Uint8Array<ArrayBuffer>, ticks: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  for (const { index } of letters.matchAll(/tfdt/g)) {
    view.setBigUint64(index + 8, view.getBigUint64(index + 8) + BigInt(ticks));
  }
  return bytes;
}

const addressOf = (part: BlobPart, type: string): string => URL.createObjectURL(new Blob([part], { type }));

/** The same stream, whose segments from the second one on are late. */
async function streamWithHole(): Promise<string> {
  const { lines, base } = await endedPlaylist();
  const map = /URI="([^"]+)"/.exec(lines.find((line) => line.startsWith('#EXT-X-MAP'))!)![1]!;
  const init = await bytesOf(map, base);
  const segments = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const addresses = await Promise.all(
    segments.map(async (segment, at) =>
      addressOf(delay(await bytesOf(segment, base), at > 0 ? HOLE_TICKS : 0), 'video/mp4'),
    ),
  );
  const text = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:1',
    `#EXT-X-MAP:URI="${addressOf(init, 'video/mp4')}"`,
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
