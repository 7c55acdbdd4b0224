// Every kind of stream of the sandbox in published players, in a real browser: hls.js (full and light), Shaka and dash.js.
// - The stamps show which frames were painted.
// - It tests the sandbox and not the product, and takes a minute of a core, so `npm run test:players` runs it and `npm test` does
//   not.
// - All players of a kind play one stream at the same time.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { clipId, startSandbox } from '../../demo/sandbox/index.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { until } from '../until.ts';
import {
  dashPlayers,
  hlsPlayers,
  openPlayerHarness,
  type PlayerName,
  type PlayerPage,
} from './player-harness.ts';
import { manifestUrlOf } from './stream-session.ts';

/** Enough frames to show their order. */
const FEW_FRAMES = 5;

const sandbox = await startSandbox({ render: { stamp: true, framesPerWord: 6 } });
const harness = await openPlayerHarness();
after(async () => {
  await harness.close();
  await sandbox.close();
});

/** Frames of a clip in the order in which they were painted. */
async function framesOf(player: PlayerPage, clip: number): Promise<number[]> {
  return (await player.painted()).filter((one) => one.clip === clip).map(({ frame }) => frame);
}

/** A stalled player may paint its last frame again, but never an earlier one. */
function assertInOrder(frames: readonly number[], player: string): void {
  const fall = frames.findIndex((frame, i) => frame < (frames[i - 1] ?? 0));
  assert.equal(fall, -1, `${player} painted ${frames.slice(Math.max(0, fall - 3), fall + 3).join(', ')}`);
}

interface Manifests {
  readonly hls: string;
  readonly dash: string;
}

async function jobOf(text: string, config: object): Promise<Manifests> {
  const response = await fetch(`${sandbox.addresses.apiUrl}/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': sandbox.addresses.apiKey },
    body: JSON.stringify({
      content: { type: 'text', data: text },
      output: { format: 'hls', delivery: { method: 'stream', config: { resolution: '426x240', ...config } } },
      context: { application: 'stock players' },
    }),
  });
  const { manifests } = (await response.json()) as { manifests: Manifests };
  return manifests;
}

interface Kind {
  readonly what: string;
  readonly config: object;
  /** The streams that both this browser and the player can play. */
  readonly players: readonly PlayerName[];
}

const all = [...hlsPlayers, ...dashPlayers];
const kinds: readonly Kind[] = [
  { what: 'low-latency', config: { lowLatencyMode: true }, players: all },
  { what: 'fMP4 of 1 s segments', config: { hlsSegmentDuration: 1 }, players: all },
  { what: 'MPEG-TS', config: { hlsSegmentType: 'ts', hlsSegmentDuration: 1 }, players: all },
  { what: 'VP9', config: { codec: 'vp9', hlsSegmentDuration: 1 }, players: all },
  { what: 'AV1', config: { codec: 'av1', hlsSegmentDuration: 1 }, players: all },
];

for (const { what, config, players } of kinds) {
  test(`a job's ${what} stream plays to its last frame in ${players.join(', ')}`, async () => {
    const text = `A stream of the kind ${what} for every player`;
    const { hls, dash } = await jobOf(text, config);
    const low = 'lowLatencyMode' in config;
    const open = (player: PlayerName) =>
      harness.open(player, (dashPlayers as readonly string[]).includes(player) ? dash : hls, low);
    const pages = await Promise.all(players.map(open));
    await Promise.all(pages.map((page) => page.untilEnded()));
    for (const [i, page] of pages.entries()) {
      const end = (await durationOf(page)) * 25 - 3;
      if (Math.max(...(await framesOf(page, clipId(text)))) < end) await seekToEnd(page);
      // A busy machine skips most frames, and may report the last ones after the end of the video.
      const frames = await until(
        () => framesOf(page, clipId(text)),
        (painted) => painted.length > FEW_FRAMES && Math.max(...painted) >= end,
        async () => [players[i], await page.standing()],
      );
      assert.deepEqual(await page.complaints(), [], players[i]);
      assertInOrder(frames, players[i]!);
      await page.page.close();
    }
  });
}

/** Chromium drops the last frames of a stream on a busy machine. A seek to its end paints the last one. */
const seekToEnd = ({ page }: PlayerPage): Promise<void> =>
  page.evaluate(() => {
    const video = document.querySelector('video')!;
    video.currentTime = video.duration;
  });

const durationOf = ({ page }: PlayerPage): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.duration ?? NaN);

test('every player paints two texts of a stream session completely and in order, with the idle signer between them', async () => {
  const client = await new V3Client(sandbox.addresses.wsUrl).opened();
  client.start({ digital_signer: 'RAE', resolution: '480p' }, 'stream');
  const url = manifestUrlOf(await client.next());
  const pages = await Promise.all(hlsPlayers.map((player) => harness.open(player, url, true)));
  await Promise.all(pages.map((page) => page.untilPainted(0, 0)));
  const texts = ['First of all', 'And then'];
  for (const text of texts) client.send({ type: 'text', id: text, data: text });
  const rested = async (page: PlayerPage): Promise<void> => {
    await page.untilPainted(clipId(texts[1]!), 20);
    const { frame } = (await page.painted()).findLast(({ clip }) => clip === clipId(texts[1]!))!;
    await page.untilPainted(0, frame + 1);
  };
  await Promise.all(pages.map(rested));
  for (const [i, page] of pages.entries()) {
    const clips = (await page.painted()).map(({ clip }) => clip);
    const [one, two] = texts.map(clipId) as [number, number];
    const order = clips.filter((clip, at) => clip !== clips[at - 1]);
    assert.deepEqual(order.slice(0, 3), [0, one, two], hlsPlayers[i]);
    for (const clip of [one, two]) assertInOrder(await framesOf(page, clip), hlsPlayers[i]!);
    assert.deepEqual(await page.complaints(), [], hlsPlayers[i]);
    await page.page.close();
  }
  client.send({ type: 'session.end' });
  await client.closed();
});
