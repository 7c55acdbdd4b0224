// A live player that begins in the middle of the first segment of a low-latency stream, as at the start of every new stream.
// - The media of the segment ends a little before the playlist says so, as sound and picture do not end at the same time.
import { expect } from '@open-wc/testing';
import { addressOf, endedStream } from './ended-stream.ts';
import { removeAllPlayers, listened, livePlayer, until } from './harness.ts';

/** The third second of the stream is a part of the segment that grows. */
const SECONDS = 3;

const { open } = XMLHttpRequest.prototype;

afterEach(() => {
  XMLHttpRequest.prototype.open = open;
  removeAllPlayers();
});

it('plays from the first segment into the next one, and requests each part once', async () => {
  const { init, segments } = await endedStream(SECONDS);
  const asked: string[] = [];
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    asked.push(String(url));
    open.call(this, method, url, true);
  };
  const [first, second, third] = segments;
  const text = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    '#EXT-X-TARGETDURATION:2',
    '#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1.5',
    '#EXT-X-PART-INF:PART-TARGET=1.01',
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-MAP:URI="${init}"`,
    `#EXT-X-PART:DURATION=1,URI="${first}",INDEPENDENT=YES`,
    `#EXT-X-PART:DURATION=1.01,URI="${second}",INDEPENDENT=YES`,
    '#EXTINF:2.01,',
    'whole.m4s',
    `#EXT-X-PART:DURATION=1,URI="${third}",INDEPENDENT=YES`,
  ];
  const player = livePlayer();
  const source = listened({ hls: addressOf(text.join('\n'), 'application/vnd.apple.mpegurl') });
  player.show(source);
  const times = (url: string | undefined): number => asked.filter((each) => each === url).length;
  await until(
    () => times(third) > 0 && source.reports.painted > 0,
    Boolean,
    () => [source.reports, asked.length],
  );
  const seen = JSON.stringify([source.reports, asked]);
  expect([times(first), times(second), times(third)], seen).to.deep.equal([0, 1, 1]);
});
