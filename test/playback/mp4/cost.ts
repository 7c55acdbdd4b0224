// What costly clips cost, for cost.test.ts: a process of its own. Its nursery is so large that the engine seldom collects garbage
// meanwhile, so the growth of the heap is what was allocated.
// - The least of three readings counts, because the engine compiles code at any time, on the same heap.
// - A heap that shrank is no reading: the engine collected garbage at that moment.
// - Work is counted, not timed: every word and byte of a file that is read is one call of a DataView.
// - Prints one line of JSON.
import { remux } from '../../../src/playback/mp4/remux.ts';
import { costlyClips } from './costly-clips.ts';

export interface Cost {
  readonly name: string;
  /** `remuxed`, or the name and reason of what was thrown. */
  readonly outcome: string;
  readonly bytes: number;
  readonly reads: number;
}

const held = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

function answerTo(file: Uint8Array): string {
  try {
    remux(file);
    return 'remuxed';
  } catch (error) {
    const { name, message, kind } = error as Error & { kind?: string };
    return `${name} ${kind}: ${message}`;
  }
}

let reads = 0;
function countReads(): void {
  for (const name of ['getUint8', 'getUint16', 'getUint32', 'getInt32'] as const) {
    const read = DataView.prototype[name];
    DataView.prototype[name] = function (this: DataView, at: number) {
      reads += 1;
      return read.call(this, at);
    };
  }
}

const clips = Object.entries(costlyClips).map(([name, file]) => [name, new Uint8Array(file)] as const);
globalThis.gc?.();
const allocatedFor = (file: Uint8Array): number => {
  const before = held();
  answerTo(file);
  return held() - before;
};
const READINGS = 3;
const TRIES = 12;
const allocated = clips.map(([, file]) => {
  const readings: number[] = [];
  for (let tries = 0; tries < TRIES && readings.length < READINGS; tries += 1) {
    const bytes = allocatedFor(file);
    if (bytes > 0) readings.push(bytes);
  }
  return readings.length === READINGS ? Math.min(...readings) : 0;
});
countReads();
const costs = clips.map(([name, file], at): Cost => {
  reads = 0;
  const outcome = answerTo(file);
  return { name, outcome, bytes: allocated[at]!, reads };
});
console.log(JSON.stringify(costs));
