// A live player on a stream whose packager restarts: the media sequence begins anew, and the dates and frames go on.
// - A sequence that jumps forward is played beside stock hls.js in test/players/hls-shapes.test.ts.
import { expect } from '@open-wc/testing';
import { removeAllPlayers, growingStream, listened, playedAtLive, until, watchFrames } from './harness.ts';

const { open } = XMLHttpRequest.prototype;
const response = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'response')!;
const responseText = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText')!;

afterEach(() => {
  XMLHttpRequest.prototype.open = open;
  Object.defineProperties(XMLHttpRequest.prototype, { response, responseText });
  removeAllPlayers();
});

/** From now on the media sequence of every playlist is higher by this number. */
function jumpBy(count: number): void {
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    const asked = String(url).replace(/_HLS_msn=(\d+)/, (whole, msn: string) =>
      Number(msn) >= count ? `_HLS_msn=${Number(msn) - count}` : whole,
    );
    // A delta update would skip segments that were never listed under these numbers.
    open.call(this, method, asked.replace(/[?&]_HLS_skip=\w+/, ''), true);
  };
  const jumped = (body: unknown): unknown =>
    typeof body === 'string'
      ? body.replace(
          /#EXT-X-MEDIA-SEQUENCE:(\d+)/,
          (_, first: string) => `#EXT-X-MEDIA-SEQUENCE:${Number(first) + count}`,
        )
      : body;
  for (const [name, { get }] of Object.entries({ response, responseText })) {
    Object.defineProperty(XMLHttpRequest.prototype, name, {
      configurable: true,
      get(this: XMLHttpRequest) {
        return jumped(get!.call(this));
      },
    });
  }
}

it('plays on at live when the media sequence begins anew, 1,000 numbers lower', async () => {
  const stream = await growingStream();
  jumpBy(1000);
  const source = listened({ hls: stream.hls });
  const player = await playedAtLive(source);
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 20);
  jumpBy(0);
  const before = seen.at(-1)!.frame;
  // Eight seconds of the stream.
  await until(() => player.isAtLive && seen.at(-1)!.frame > before + 200);
  stop();
  expect(source.reports.failed).to.deep.equal([]);
  expect(player.latency).to.be.below(10);
});
