// When a stream with a hole is ended, on a fake hls.js that only records its calls.
import assert from 'node:assert/strict';
import test from 'node:test';
import Hls from 'hls.js';
import { endOverHoles } from '../../../src/playback/live/hls-repairs.ts';

/** The events that are triggered when a segment is buffered and media reaches `second`, in a stream of three segments of 1 s. */
function callsAt(second: number): string[] {
  const calls: string[] = [];
  let buffered = (): void => {};
  const hls = {
    media: { buffered: { length: 2 } },
    latestLevelDetails: { live: false, fragments: [0, 1, 2].map((start) => ({ start, duration: 1 })) },
    mainForwardBufferInfo: { end: second },
    on: (_: string, listener: () => void) => (buffered = listener),
    trigger: (event: string) => calls.push(event),
  };
  endOverHoles(hls as unknown as Hls, Hls);
  buffered();
  return calls;
}

test('a stream ends with its last segment, and not with a segment before it that ends a little later than stated', () => {
  assert.deepEqual(callsAt(2.96), [Hls.Events.BUFFER_EOS]);
  assert.deepEqual(callsAt(2.000001), []);
});
