// Sources that a session pulls: HLS from a web server, with captions and without, live and recorded.
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { clipId } from '../../../../demo/sandbox/stamp.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { FIRST_SECOND, hlsOrigin } from './hls-origin.ts';
import { MediaHarness, liveSpecOf } from './media-harness.ts';
import { stampedSource } from './stamped-source.ts';
import { withVariable } from './with-variable.ts';

const pull = (url: string) => ({ kind: 'hls', url, normalise: false }) as const;

const master = `#EXTM3U
#EXT-X-VERSION:4
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",DEFAULT=YES,URI="captions.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,SUBTITLES="subs"
vod.m3u8
`;
const captions = `#EXTM3U
#EXT-X-VERSION:4
#EXT-X-TARGETDURATION:6
#EXTINF:6,
captions.vtt
#EXT-X-ENDLIST
`;
const vtt = `WEBVTT
X-TIMESTAMP-MAP=MPEGTS:${FIRST_SECOND * 90_000},LOCAL:00:00:00.000

00:01.000 --> 00:02.500
Mind the gap

00:03.000 --> 00:05.000
<b>Stand</b> clear
`;

/** On a busy machine a source takes long to open. */
const MAX_OPEN_MS = 60_000;

// The tests wait for seconds, so they run at the same time.
describe('a pulled source', { concurrency: true }, () => {
  it('a recorded source is played at its own pace, and its captions are signed when they are shown', async (t) => {
    const harness = new MediaHarness(t, MAX_OPEN_MS);
    const folder = temporaryFolder();
    const more = { 'main.m3u8': master, 'captions.m3u8': captions, 'captions.vtt': vtt };
    const origin = await hlsOrigin(t, folder, stampedSource(folder, 6), { more });
    const url = origin.url.replace('vod.m3u8', 'main.m3u8');
    const { states, addresses } = await harness.start(
      liveSpecOf({ source: pull(url), pictureInPicture: true }),
    );
    assert.equal(addresses.ingestUrl, null);
    await until(
      () => states.at(-1),
      (state) => state === 'stopped',
    );
    assert.deepEqual(states, ['pending', 'running', 'stopped']);
    const shown = await harness.frames(addresses.pipUrl!);
    // Each text begins while its caption is shown: the same picture shows the number of the source's frame.
    for (const [text, from, to] of [
      ['Mind the gap', 25, 62],
      ['Stand clear', 75, 125],
    ] as const) {
      const begin = shown.find(({ clip, frame }) => clip === clipId(text) && frame === 0);
      assert.ok(begin, `${text} is signed`);
      const source = begin.source!;
      assert.ok(source >= from && source <= to, `${text} begins at frame ${source}`);
    }
    const [first, last] = [shown[0]!, shown.findLast(({ source }) => source !== shown.at(-1)!.source)!];
    const seconds = (last.time - first.time) / 1000;
    assert.ok(seconds > 5, `6 s of source took ${seconds} s`);
  });

  it('a live source is followed from its live edge, and the session fails when the source can no longer be read', async (t) => {
    // On a busy machine a source takes seconds to open.
    const harness = new MediaHarness(t, 12_000);
    const folder = temporaryFolder();
    const origin = await hlsOrigin(t, folder, stampedSource(folder, 30), { live: true });
    const { states, addresses } = await harness.start(
      liveSpecOf({ source: pull(origin.url), pictureInPicture: true }),
    );
    // More than one segment of the source, which are two seconds each.
    let shown: readonly (number | null)[] = [];
    for (let grown = 4; shown.at(-1)! - shown[0]! < 75 || shown.length === 0; grown += 2) {
      await harness.grown(addresses.pipUrl!, grown);
      shown = (await harness.frames(addresses.pipUrl!)).map(({ source }) => source);
    }
    assert.ok(!shown.includes(null), 'every frame shows the source');
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a! - b!),
    );
    origin.fail(true);
    await until(() => typeof states.at(-1) === 'object');
    assert.deepEqual(states.at(-1), { failed: 'the source cannot be read' });
  });

  it('a source that is not a playlist fails at once, and a missing one after the time-out', async (t) => {
    const folder = temporaryFolder();
    const origin = await hlsOrigin(t, folder, stampedSource(folder, 2), { more: { 'page.html': '<html>' } });
    const endOf = async (name: string, maxAwayMs?: number) => {
      const harness = new MediaHarness(t, maxAwayMs);
      const { states } = await harness.start(
        liveSpecOf({ source: pull(origin.url.replace('vod.m3u8', name)) }),
      );
      await until(() => states.length > 1);
      return states;
    };
    assert.deepEqual(await Promise.all([endOf('page.html'), endOf('missing.m3u8', 500)]), [
      ['pending', { failed: 'the source is no HLS stream' }],
      ['pending', { failed: 'the source cannot be read' }],
    ]);
  });
});

test('a proxy named in the environment is not used to fetch a source', async (t) => {
  const harness = new MediaHarness(t, MAX_OPEN_MS);
  const folder = temporaryFolder();
  const origin = await hlsOrigin(t, folder, stampedSource(folder, 2));
  const spec = liveSpecOf({ source: pull(origin.url) });
  // Nobody listens at the address of this proxy.
  const { states } = await withVariable('http_proxy', 'http://127.0.0.1:1', () => harness.start(spec));
  await until(
    () => states.at(-1),
    (state) => state === 'stopped',
  );
  assert.deepEqual(states, ['pending', 'running', 'stopped']);
});
