// The live player on several shapes of HLS, beside stock hls.js, which plays them at the same moment.
// - Five shapes play at once, in half the width and height of the service's pictures.
import assert from 'node:assert/strict';
import test, { after, describe, type TestContext } from 'node:test';
import { openLivePlayerHarness } from '../bench/live-player-harness.ts';
import type { Contender, LivePlayers, Watched } from '../bench/live-player-page.ts';
import { simulateNetwork, type Trick } from '../bench/network-simulator.ts';
import { until } from '../until.ts';
import { shapes, soundForAWhile } from './hls-shapes.ts';

/** The number of frames that must be played, so that the change of some shapes is included. */
const SPAN = 200;
/**
 * The most frames of 40 ms that our player may lose on a busy machine in addition to stock hls.js. Frames that a jump passes do
 * not count.
 */
const LOST = 50;
/**
 * By how many frames our first frame may be further behind the stream than the first frame of stock hls.js, because ten players
 * start at once.
 */
const LATE = 125;
const FRAME_MS = 40;
const AT_ONCE = 5;

const harness = await openLivePlayerHarness(0.5);
after(() => harness.close());

type PlayersWindow = Window & { livePlayers: LivePlayers };
const { page, url } = harness;

/** The observations of a player. */
interface Seen extends Omit<Watched, 'frames'> {
  /** The numbers of the first and last frame, 0 before there is one. */
  readonly first: number;
  readonly last: number;
  /** How many frames the first frame was behind the time of day, and how many more the last one is behind. */
  readonly late: number;
  readonly lost: number;
  /** Each frame that came after a later one, as the number before it and its own. */
  readonly returns: string[];
  /** The frames that the player left out by a jump ahead, as after a stall. */
  readonly leaped: number;
}

const hasPassed = ({ first, last, failed }: Seen): boolean => last > first + SPAN || failed !== null;

/** A busy browser may go back by a frame or two. */
const BACK = 2;
/** A busy browser leaves frames out, but not those of a whole second. */
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
  // A player that began nearer to the end of the stream may wait there for a segment for which stock hls.js waited before it
  // began.
  const ahead = Math.max(0, stock!.late - ours!.late);
  assert.ok(ours!.lost < stock!.lost + stock!.leaped + ahead + LOST, seen);
  assert.deepEqual(ours!.returns, [], `frames that came back; ${seen}`);
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
  describe(`both players, from ${at} on`, { concurrency: true }, () => {
    after(() => page.evaluate(() => (window as unknown as PlayersWindow).livePlayers.end()));
    for (const [name, run] of plays.slice(at, at + AT_ONCE)) test(name, run);
  });
}
