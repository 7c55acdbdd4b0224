// A live player on a stream whose encoder starts again: its times begin anew, and no EXT-X-DISCONTINUITY says so.
// - MPEG-TS with sound: hls.js moves the picture to where it belongs, but not the sound, and so nothing more plays.
// - The playlist is written here, as long as the test runs; its segments are those of two texts, one after the other.
import { expect } from '@open-wc/testing';
import { addressOf, bytesOf, endedStream } from './ended-stream.ts';
import { listened, livePlayer, removeAllPlayers, until, watchFrames } from './harness.ts';
import { withSilence } from './with-silence.ts';

/** Seconds, and segments, of each encoder. */
const [BEFORE, AFTER] = [8, 14];
/** Segments that a playlist lists. */
const LISTED = 6;
const PLAYLIST = `${location.origin}/times-anew.m3u8`;

const { open } = XMLHttpRequest.prototype;

afterEach(() => {
  XMLHttpRequest.prototype.open = open;
  removeAllPlayers();
});

/** The addresses of the segments of an encoder. */
async function encoded(seconds: number, text: string): Promise<string[]> {
  const { segments } = await endedStream(seconds, text, 'ts');
  return Promise.all(
    segments.map(async (segment) => addressOf(withSilence(await bytesOf(segment), 1), 'video/mp2t')),
  );
}

it('shows the frames that the encoder sends after its times have begun anew', async () => {
  const encoders = await Promise.all([
    encoded(BEFORE, 'Before the encoder starts again'),
    encoded(AFTER, 'After the encoder has started again'),
  ]);
  const segments = encoders.flat();
  const begun = performance.now();
  const playlist = (): string => {
    const end = LISTED + Math.floor((performance.now() - begun) / 1000);
    const first = Math.max(0, Math.min(end, segments.length) - LISTED);
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      '#EXT-X-TARGETDURATION:1',
      `#EXT-X-MEDIA-SEQUENCE:${first}`,
      ...segments.slice(first, end).map((segment) => `#EXTINF:1,\n${segment}`),
      '',
    ].join('\n');
  };
  // hls.js asks for a playlist at the address from which the one before it came.
  const addresses = new Set([PLAYLIST]);
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    let address = String(url);
    if (addresses.has(address))
      addresses.add((address = addressOf(playlist(), 'application/vnd.apple.mpegurl')));
    open.call(this, method, address, true);
  };
  const player = livePlayer();
  const source = listened({ hls: PLAYLIST });
  const { seen, stop } = watchFrames(player);
  player.show(source);
  await until(
    () => new Set(seen.map(({ clip }) => clip)).size > 1,
    Boolean,
    () => [source.reports, player.currentTime, player.media?.readyState, seen.at(-1)?.frame],
  );
  stop();
  expect(source.reports.failed).to.deep.equal([]);
});
