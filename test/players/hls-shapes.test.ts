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
/** Frames by which a busy machine may be behind stock hls.js. */
const BEHIND = 50;
const AT_ONCE = 5;

const harness = await openLivePlayerHarness(0.5);
after(() => harness.close());

type PlayersWindow = Window & { livePlayers: LivePlayers };
const { page, url } = harness;

const firstOf = ({ frames }: Watched): number => frames[0]?.frame ?? Infinity;
const lastOf = ({ frames }: Watched): number => frames.at(-1)?.frame ?? -Infinity;
const hasPassed = (seen: Watched): boolean => lastOf(seen) > firstOf(seen) + SPAN || seen.failed !== null;

/** A browser that is busy may go back by a frame or two. */
const BACK = 2;
/** Each frame that came after a later one, as the number before it and its own. */
const returns = ({ frames }: Watched): string[] =>
  frames.flatMap(({ frame }, i) => {
    const before = frames[i - 1]?.frame ?? 0;
    return frame < before - BACK ? [`${before}, ${frame}`] : [];
  });

/** Plays a stream of this shape; the returned function tells what was seen of it. */
async function play(
  shape: string,
  trick: Trick,
  contender: Contender,
  t: TestContext,
): Promise<() => Promise<Watched>> {
  const name = `${shape}, ${contender}`;
  const network = await simulateNetwork({ delay: 0, loss: 0 }, () => 1, trick);
  t.after(() => network.close());
  await page.evaluate(
    (...of) => (window as unknown as PlayersWindow).livePlayers.play(...of, null),
    name,
    contender,
    network.through(url),
  );
  return async () => {
    const all = await page.evaluate(() => (window as unknown as PlayersWindow).livePlayers.watched());
    return all[name]!;
  };
}

const inShort = (seen: Watched): unknown => [
  seen.started,
  seen.stalls,
  seen.failed,
  firstOf(seen),
  lastOf(seen),
];

async function playBoth(shape: string, t: TestContext): Promise<void> {
  const trick = shapes[shape]!;
  const looks = await Promise.all([play(shape, trick(), 'hls.js', t), play(shape, trick(), 'ours', t)]);
  const both = (): Promise<Watched[]> => Promise.all(looks.map((look) => look()));
  const summary = async (): Promise<unknown> => (await both()).map(inShort);
  const [stock, ours] = await until(both, (seen) => seen.every(hasPassed), summary);
  assert.deepEqual([stock!.failed, ours!.failed], [null, null], shape);
  assert.ok(lastOf(ours!) > lastOf(stock!) - BEHIND, `${shape}: ${JSON.stringify(await summary())}`);
  assert.deepEqual(returns(ours!), [], `${shape}: frames that came back`);
}

async function playSoundForAWhile(t: TestContext): Promise<void> {
  const look = await play('sound for a while', soundForAWhile(), 'ours', t);
  const isBeyond = (seen: Watched): boolean => lastOf(seen) > firstOf(seen) + 1.25 * SPAN;
  const ours = await until(
    look,
    (seen) => isBeyond(seen) || seen.failed !== null,
    async () => inShort(await look()),
  );
  assert.deepEqual([ours.failed, returns(ours)], [null, []]);
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
