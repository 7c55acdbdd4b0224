// A live stream by numbers alone: parts of 0.2 s that arrive when a test says, a playlist with each of them, and a decoder
// that stalls without media. Time is counted, not waited for.
import { LatencyController, LiveEdge } from '../../../src/playback/live/latency-controller.ts';

const FRAME_MS = 40;
const PART_SECONDS = 0.2;
/** What a decoder keeps to itself until it gets more: two frames. */
const KEPT_SECONDS = 0.08;

export interface Played {
  /** Seconds behind live at the end. */
  readonly latency: number;
  readonly rates: readonly number[];
  /** How often the picture stood. */
  readonly stalls: number;
}

interface Journey {
  readonly seconds: number;
  /** Seconds behind live when it begins. */
  readonly begin: number;
  readonly target: number;
  /** How many seconds this part comes late; those behind it do not overtake it. */
  readonly late?: (part: number) => number;
}

export function played({ seconds, begin, target, late = () => 0 }: Journey): Played {
  const catchUp = new LatencyController();
  const clock = new LiveEdge();
  const rates: number[] = [];
  let [position, loaded, parts, stalls, stands] = [-begin, 0, 0, 0, false];
  for (let ms = 0; ms < seconds * 1000; ms += FRAME_MS) {
    // Each takes a moment to be made and brought.
    while ((parts + 1) * PART_SECONDS + 0.02 + late(parts) <= ms / 1000) loaded = ++parts * PART_SECONDS;
    clock.update(loaded, 2, ms);
    const ahead = loaded - position;
    if (!stands && ahead <= KEPT_SECONDS) stalls += 1;
    stands = stands ? ahead < PART_SECONDS : ahead <= KEPT_SECONDS;
    const rate = catchUp.rate(clock.at(ms)! - position, target, ahead, ms);
    rates.push(rate);
    if (!stands) position += (rate * FRAME_MS) / 1000;
  }
  return { latency: seconds - position, rates, stalls };
}

/** How often the speed was another than a frame before. */
export const changes = (rates: readonly number[]): number =>
  rates.filter((rate, i) => i > 0 && rate !== rates[i - 1]).length;
