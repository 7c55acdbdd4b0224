// The live player on the shapes of HLS that stock hls.js plays, beside stock hls.js and at the same moment.
// - Five shapes play at once, in half the width and height of the service's pictures.
import assert from 'node:assert/strict';
import test, { after, describe, type TestContext } from 'node:test';
import { openLivePlayerHarness } from '../bench/live-player-harness.ts';
import type { Contender, LivePlayers, Watched } from '../bench/live-player-page.ts';
import { simulateNetwork, type Trick } from '../bench/network-simulator.ts';
import { until } from '../until.ts';
import { shapes, soundForAWhile } from './hls-shapes.ts';

/** Frames of the stream that must be passed, beyond the change that some shapes have. */
const SPAN = 200;
/** Frames of 40 ms that a busy machine may lose on the way more than stock hls.js. Those that it leaped over do not count. */
const LOST = 50;
/** Frames by which its first frame may be further behind the stream than that of stock hls.js: ten players start at once. */
const LATE = 125;
const FRAME_MS = 40;
const AT_ONCE = 5;

const harness = await openLivePlayerHarness(0.5);
after(() => harness.close());

type PlayersWindow = Window & { livePlayers: LivePlayers };
const { page, url } = harness;

/** What was seen of a player. */
interface Seen extends Omit<Watched, 'frames'> {
  /** The numbers of the first and last frame, 0 before there is one. */
  readonly first: number;
  readonly last: number;
  /** Frames that the first one on screen was behind the time of day, and by which the last one is further behind now. */
  readonly late: number;
  readonly lost: number;
  /** Each frame that came after a later one, as the number before it and its own. */
  readonly returns: string[];
  /** The frames that it left out where it leaped on, as after a stall. */
  readonly leaped: number;
}

const hasPassed = ({ first, last, failed }: Seen): boolean => last > first + SPAN || failed !== null;

/** A browser that is busy may go back by a frame or two. */
const BACK = 2;
/** A browser that is busy leaves frames out, but not those of a second. */
const LEAP = 25;

/**
 * Plays a stream of this shape; the returned function tells what was seen of it. The page counts its frames itself: to send the
 * frames of all players at each look took most of the CPU time of this file.
 */
async function play(
  shape: string,
  trick: Trick,
  contender: Contender,
  t: TestContext,
): Promise<() => Promise<Seen>> {
  const name = `${shape}, ${contender}`;
  const network = await simulateNetwork({ delay: 0, loss: 0 }, () => 1, trick);
  t.after(() => network.close());
  await page.evaluate(
    (...of) => (window as unknown as PlayersWindow).livePlayers.play(...of, null),
    name,
    contender,
    network.through(url),
  );
  return () =>
    page.evaluate(
      (of, back, leap, length) => {
        const { frames, ...rest } = (window as unknown as PlayersWindow).livePlayers.watched()[of]!;
        const now = performance.timeOrigin + performance.now();
        const first = frames[0] ?? { frame: 0, at: now };
        const last = frames.at(-1) ?? first;
        const late = first.at / length - first.frame;
        const steps = frames.slice(1).map(({ frame }, at) => [frames[at]!.frame, frame] as const);
        return {
          ...rest,
          first: first.frame,
          last: last.frame,
          late,
          lost: now / length - last.frame - late,
          returns: steps.filter(([from, to]) => to < from - back).map(String),
          leaped: steps.reduce((sum, [from, to]) => sum + (to - from > leap ? to - from : 0), 0),
        };
      },
      ...([name, BACK, LEAP, FRAME_MS] as const),
    );
}

async function playBoth(shape: string, t: TestContext): Promise<void> {
  const trick = shapes[shape]!;
  const looks = await Promise.all([play(shape, trick(), 'hls.js', t), play(shape, trick(), 'ours', t)]);
  const both = (): Promise<Seen[]> => Promise.all(looks.map((look) => look()));
  const [stock, ours] = await until(both, (seen) => seen.every(hasPassed));
  assert.deepEqual([stock!.failed, ours!.failed], [null, null], shape);
  const seen = `${shape}: ${JSON.stringify([stock, ours])}`;
  assert.ok(ours!.late < stock!.late + LATE, seen);
  // One that began nearer to the end of the stream may wait there for a segment that stock hls.js waited for before it began.
  const ahead = Math.max(0, stock!.late - ours!.late);
  assert.ok(ours!.lost < stock!.lost + stock!.leaped + ahead + LOST, seen);
  assert.deepEqual(ours!.returns, [], `${shape}: frames that came back`);
}

async function playSoundForAWhile(t: TestContext): Promise<void> {
  const look = await play('sound for a while', soundForAWhile(), 'ours', t);
  const ours = await until(look, (seen) => seen.last > seen.first + 1.25 * SPAN || seen.failed !== null);
  assert.deepEqual([ours.failed, ours.returns], [null, []]);
}

const plays: [name: string, run: (t: TestContext) => Promise<void>][] = [
  ...Object.keys(shapes).map((shape): (typeof plays)[number] => [
    `plays on as stock hls.js does: ${shape}`,
    (t) => playBoth(shape, t),
  ]),
  ['plays on where sound comes and goes at discontinuities', playSoundForAWhile],
];
for (let at = 0; at < plays.length; at += AT_ONCE) {
  describe(`beside each other, from ${at} on`, { concurrency: true }, () => {
    after(() => page.evaluate(() => (window as unknown as PlayersWindow).livePlayers.end()));
    for (const [name, run] of plays.slice(at, at + AT_ONCE)) test(name, run);
  });
}
