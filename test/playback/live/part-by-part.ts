// Simulates a live stream: parts of 0.2 s that arrive when the test says so, a playlist with each of them, and a decoder that
// stalls without media. Nothing waits for real time.
import { LatencyController } from '../../../src/playback/live/latency-controller.ts';
import { LiveEdge } from '../../../src/playback/live/live-edge.ts';

const FRAME_MS = 40;
const PART_SECONDS = 0.2;
/** A decoder holds back two frames until it gets more. */
const KEPT_SECONDS = 0.08;

interface Played {
  /** Seconds behind live at the end. */
  readonly latency: number;
  readonly rates: readonly number[];
  /** Number of stalls. */
  readonly stalls: number;
}

interface Journey {
  readonly seconds: number;
  /** Seconds behind live when it begins. */
  readonly begin: number;
  readonly target: number;
  /** Delay of this part in seconds; later parts do not overtake it. */
  readonly late?: (part: number) => number;
}

export function played({ seconds, begin, target, late = () => 0 }: Journey): Played {
  const controller = new LatencyController();
  const clock = new LiveEdge();
  const rates: number[] = [];
  let [position, loaded, parts, stalls, isStalled] = [-begin, 0, 0, 0, false];
  for (let ms = 0; ms < seconds * 1000; ms += FRAME_MS) {
    // Encoding and loading a part takes 0.02 s.
    while ((parts + 1) * PART_SECONDS + 0.02 + late(parts) <= ms / 1000) loaded = ++parts * PART_SECONDS;
    clock.update(loaded, 2, ms);
    const ahead = loaded - position;
    if (!isStalled && ahead <= KEPT_SECONDS) stalls += 1;
    isStalled = isStalled ? ahead < PART_SECONDS : ahead <= KEPT_SECONDS;
    const rate = controller.rate(clock.at(ms)! - position, target, ahead, ms);
    rates.push(rate);
    if (!isStalled) position += (rate * FRAME_MS) / 1000;
  }
  return { latency: seconds - position, rates, stalls };
}

/** Number of frames whose rate differs from that of the frame before. */
export const changes = (rates: readonly number[]): number =>
  rates.filter((rate, i) => i > 0 && rate !== rates[i - 1]).length;
