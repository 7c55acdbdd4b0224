// A live player on a live stream whose playlist is a window: it plays the last seconds again after the end, and goes on in the
// window when an outage has taken the seconds before it.
import { expect } from '@open-wc/testing';
import { addressOf, bytesOf, endedStream } from './ended-stream.ts';
import { removeAllPlayers, listened, livePlayer, until } from './harness.ts';

const { open, send } = XMLHttpRequest.prototype;

afterEach(() => {
  Object.assign(XMLHttpRequest.prototype, { open, send });
  removeAllPlayers();
});

interface Window {
  /** How many segments the playlist has at first. */
  readonly listed?: number;
  /** No segment comes before the playlist is read again. */
  readonly isLate?: boolean;
  /** Settles when the playlist may be read again. */
  readonly isBack?: () => Promise<unknown>;
}

/** A live playlist of the first segments. When it is read again, it has an end and lacks the first four segments. */
async function endingWindow({ listed = 6, isLate = false, isBack }: Window): Promise<string> {
  const { init, segments } = await endedStream(8);
  const map = addressOf(await bytesOf(init), 'video/mp4');
  const addresses = await Promise.all(
    segments.map(async (segment) => addressOf(await bytesOf(segment), 'video/mp4')),
  );
  const playlist = (from: number, to: number, end: string): string => {
    const lines = addresses.slice(from, to).map((address) => `#EXTINF:1,\n${address}`);
    const head = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:${from}\n#EXT-X-MAP:URI="${map}"`;
    return addressOf([head, ...lines, end].join('\n'), 'application/vnd.apple.mpegurl');
  };
  const [first, last] = [playlist(0, listed, ''), playlist(4, segments.length, '#EXT-X-ENDLIST')];
  let asked = 0;
  const ofMedia = new WeakSet<XMLHttpRequest>();
  const read = new WeakSet<XMLHttpRequest>();
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    const isPlaylist = String(url) === first;
    if (!isPlaylist) ofMedia.add(this);
    else if (asked > 0) read.add(this);
    open.call(this, method, isPlaylist && asked++ > 0 ? last : url, true);
  };
  XMLHttpRequest.prototype.send = function () {
    if (isLate && ofMedia.has(this)) void until(() => asked > 1).then(() => send.call(this));
    else if (isBack && read.has(this)) void isBack().then(() => send.call(this));
    else send.call(this);
  };
  return first;
}

for (const [which, isLate] of [
  ['', false],
  [', whose first segment comes after its last playlist,', true],
] as const)
  it(`plays a window that has ended${which} again, from the first second that the playlist still has`, async () => {
    const player = livePlayer();
    const source = listened({ hls: await endingWindow({ isLate }) });
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

it('goes on in the window when the stream has ended in an outage that took the seconds before the window', async () => {
  const player = livePlayer();
  const isBack = (): Promise<unknown> => until(() => player.currentTime > 1.5 && player.readyState < 3);
  const source = listened({ hls: await endingWindow({ listed: 2, isBack }) });
  const { reports } = source;
  player.show(source);
  await until(
    () => reports.ended,
    Boolean,
    () => [reports, player.currentTime, player.readyState, player.media],
  );
  expect(player.currentTime).to.be.above(7);
  expect(reports.failed).to.deep.equal([]);
});
