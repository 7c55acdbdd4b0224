// Where loading goes on after a segment without media, on a fake hls.js that only records its calls.
import assert from 'node:assert/strict';
import test from 'node:test';
import Hls, { type Fragment } from 'hls.js';
import { leaveOutUnreadable } from '../../../src/playback/live/hls-repairs.ts';

type Segment = Pick<Fragment, 'sn' | 'end' | 'gap'>;

/** Segments of a second each; all before this one are buffered. */
function harness({ live, segments, buffered }: { live: boolean; segments: number; buffered: boolean }) {
  const fragments: Segment[] = Array.from({ length: segments }, (_, sn) => ({ sn, end: sn + 1 }));
  const calls: string[] = [];
  const listeners = new Map<string, (event: string, data: object) => void>();
  const hls = {
    config: { appendErrorMaxRetry: 3 },
    latestLevelDetails: { live, fragments },
    media: { buffered: { length: buffered ? 1 : 0 } },
    on: (event: string, listener: (event: string, data: object) => void) => listeners.set(event, listener),
    startLoad: (second: number) => calls.push(`load from ${second}`),
    trigger(event: string, { frag }: { frag?: Segment }) {
      calls.push(event);
      if (event === (Hls.Events.ERROR as string)) frag!.gap = true;
    },
  };
  leaveOutUnreadable(hls as unknown as Hls, Hls, (message) => calls.push(message));
  const withoutMedia = (sn: number): void => {
    const frag = Object.assign(fragments[sn]!, {
      type: 'main',
      elementaryStreams: { audio: null, video: null },
    });
    listeners.get(Hls.Events.FRAG_PARSED)!('', { frag, part: null });
  };
  return { calls, withoutMedia };
}

const { ERROR, BUFFER_EOS } = Hls.Events;

test('after a segment that is left out loading starts again, because hls.js would show the next frame in its place', () => {
  for (const live of [true, false]) {
    const { calls, withoutMedia } = harness({ live, segments: 6, buffered: true });
    withoutMedia(3);
    assert.deepEqual(calls, [ERROR, 'load from 4']);
  }
});

test('after a first segment that is left out loading starts again too, because hls.js would load that segment again', () => {
  const { calls, withoutMedia } = harness({ live: true, segments: 4, buffered: false });
  withoutMedia(0);
  assert.deepEqual(calls, [ERROR, 'load from 1']);
});

test('after the last segment of a stream with an end is left out, nothing is loaded and the stream ends', () => {
  const { calls, withoutMedia } = harness({ live: false, segments: 4, buffered: true });
  withoutMedia(3);
  assert.deepEqual(calls, [ERROR, BUFFER_EOS]);
});

test('the fourth segment in a row is an error', () => {
  const { calls, withoutMedia } = harness({ live: true, segments: 8, buffered: true });
  for (const sn of [2, 3, 4, 5]) withoutMedia(sn);
  assert.deepEqual(calls.slice(-2), [ERROR, Hls.ErrorDetails.FRAG_PARSING_ERROR]);
});
