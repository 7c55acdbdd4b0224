// Specs, parts and segment windows for the tests of this folder; their bytes only identify the part.
import { ownBackplate } from '../../../demo/sandbox/painter/render-style.ts';
import { type ManifestView, SegmentWindow } from '../../../demo/sandbox/streams/segment-window.ts';
import { segmentFrames, type Part, type StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';

/** A small ongoing LL-HLS stream with segments of 2 s, with the changes that a test needs. */
export const specOf = (changes: Partial<StreamSpec> = {}): StreamSpec => ({
  style: ownBackplate('RAE', { width: 320, height: 180 }),
  codec: 'h264',
  bitsPerSecond: null,
  segmentSeconds: 2,
  segmentType: 'fmp4',
  lowLatency: true,
  kind: 'ongoing',
  ...changes,
});

export const partOf = (changes: Partial<Part> = {}): Part => ({
  segment: 0,
  from: 0,
  frames: 5,
  independent: true,
  bytes: Uint8Array.from([1, 2, 3, 4]),
  ts: null,
  endsSegment: false,
  discontinuity: false,
  ...changes,
});

/** Parts of 5 frames, `count` of them, from the beginning of a stream. */
export function* partsOf(spec: StreamSpec, count: number, bytes = 4): Generator<Part> {
  const inSegment = segmentFrames(spec) / 5;
  for (let i = 0; i < count; i++) {
    yield partOf({
      segment: Math.floor(i / inSegment),
      from: i * 5,
      independent: i % inSegment === 0,
      bytes: new Uint8Array(bytes).fill(i % 256),
      endsSegment: i % inSegment === inSegment - 1,
    });
  }
}

/** A window that this many parts have been added to. */
export function windowOf(spec: StreamSpec, count: number): SegmentWindow {
  const window = new SegmentWindow(spec);
  for (const part of partsOf(spec, count)) window.add(part);
  return window;
}

export const ORIGIN = Date.UTC(2030, 0, 1);

export function viewOf(spec: StreamSpec, window: SegmentWindow, hasEnded = false): ManifestView {
  const { listed: segments, discontinuitySequence } = window;
  const codec = 'avc1.42c00d';
  const ends = { hasAll: hasEnded, hasEnded };
  return {
    spec,
    codec,
    origin: ORIGIN,
    heldSeconds: 0,
    segments,
    discontinuitySequence,
    ...ends,
    query: '?key=1&x=2',
  };
}
