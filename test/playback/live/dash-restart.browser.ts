// A live player on a DASH stream whose packager starts again: at the same address, with a later start and times from 0.
// - Shaka keeps the start of the first manifest, and then asks for segments of the wrong time, or for none.
// - Both packagers are streams of the sandbox. Shaka takes the `fetch` of the page when it is loaded, so it is not imported here.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { growingStream, listened, livePlayer, removeAllPlayers, until, watchFrames } from './harness.ts';

const MANIFEST = `${location.origin}/restarts.mpd`;

const { fetch } = globalThis;
/** The manifest of the packager that runs. */
let current = '';
/** The last manifest of a packager that writes nothing more. */
let held: string | null = null;

/** How many requests for the manifest are answered 404 while nothing is buffered. */
let missing = 0;

async function manifest(): Promise<Response> {
  const isLoading = [...document.querySelectorAll('video')].every(({ buffered }) => buffered.length === 0);
  if (missing > 0 && isLoading) {
    missing -= 1;
    return new Response('', { status: 404 });
  }
  const written = held ?? (await (await fetch(current)).text());
  const base = `<BaseURL>${current.replaceAll('&', '&amp;')}</BaseURL>`;
  return new Response(written.replace(/<MPD[^>]*>/, `$&${base}`), {
    headers: { 'Content-Type': 'application/dash+xml' },
  });
}

before(() => {
  globalThis.fetch = (input, init) => (input === MANIFEST ? manifest() : fetch(input, init));
});
after(() => {
  globalThis.fetch = fetch;
});
afterEach(removeAllPlayers);

/** Starts a packager and waits for its manifest; returns a function that ends it. */
async function startPackager(): Promise<() => void> {
  const { dash, end } = await growingStream();
  await until(
    async () => (await fetch(dash)).text(),
    (text) => text.includes('<MPD'),
  );
  current = dash;
  return end;
}

for (const [what, misses] of [
  ['', 0],
  [', also when its manifest is missing as it is loaded anew', 2],
] as const) {
  it(`plays on at live after the packager has started again${what}`, async () => {
    await startPackager();
    const player = livePlayer();
    const source = listened({ dash: MANIFEST });
    const { seen, stop } = watchFrames(player);
    player.show(source);
    const frame = (): number => seen.at(-1)?.frame ?? -1;
    await until(frame, (shown) => shown > 150);
    missing = misses;
    await startPackager();
    await until(
      frame,
      (shown) => shown < 150,
      () => [source.reports, player.currentTime, player.media?.readyState, frame()],
    );
    const again = frame();
    await until(frame, (shown) => shown > again + 50);
    stop();
    expect([source.reports.failed, missing]).to.deep.equal([[], 0]);
  });
}

it('does not begin again when it waits for media as the stream ends', async () => {
  const end = await startPackager();
  const player = livePlayer();
  const source = listened({ dash: MANIFEST });
  const { seen, stop } = watchFrames(player);
  player.show(source);
  await until(() => (seen.at(-1)?.frame ?? -1) > 250);
  held = await (await fetch(current)).text();
  end();
  await until(async () => (await (await fetch(current)).text()).includes('type="static"'));
  await until(() => player.media!.readyState < HTMLMediaElement.HAVE_FUTURE_DATA);
  held = null;
  await until(() => source.reports.ended);
  stop();
  const frames = seen.map(({ frame }) => frame);
  expect(frames).to.deep.equal(frames.toSorted((a, b) => a - b));
});
