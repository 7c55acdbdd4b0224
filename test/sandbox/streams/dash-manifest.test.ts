// ISO 23009-1, live profile, on manifests of segments that the test makes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashManifest } from '../../../demo/sandbox/streams/dash-manifest.ts';
import { ORIGIN, partOf, windowOf, specOf, viewOf } from './stream-parts.ts';

const NOW = ORIGIN + 60_000;

/** The attributes of the first element of this name. */
function attributesOf(manifest: string, element: string): Record<string, string> {
  const [, text] = new RegExp(`<${element}\\b([^>]*?)/?>`).exec(manifest) ?? [];
  assert.ok(text !== undefined, `no ${element}`);
  return Object.fromEntries([...text.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

test('a stream that grows is dynamic, with the time of its beginning and the current time', () => {
  const spec = specOf();
  const manifest = dashManifest(viewOf(spec, windowOf(spec, 33)), NOW);
  const { type, availabilityStartTime, publishTime, minimumUpdatePeriod, timeShiftBufferDepth } =
    attributesOf(manifest, 'MPD');
  assert.deepEqual(
    [type, availabilityStartTime, publishTime, minimumUpdatePeriod, timeShiftBufferDepth],
    ['dynamic', '2030-01-01T00:00:00.000Z', '2030-01-01T00:01:00.000Z', 'PT2S', 'PT45S'],
  );
  const clock = attributesOf(manifest, 'UTCTiming');
  assert.equal(clock['value'], '2030-01-01T00:01:00.000Z');
});

test('whole segments are listed by their times, and their addresses carry the signature', () => {
  const spec = specOf();
  const manifest = dashManifest(viewOf(spec, windowOf(spec, 33)), NOW);
  assert.deepEqual(attributesOf(manifest, 'SegmentTemplate'), {
    timescale: '90000',
    startNumber: '0',
    initialization: 'init.mp4?key=1&amp;x=2',
    media: '$Number$.m4s?key=1&amp;x=2',
  });
  assert.deepEqual(attributesOf(manifest, 'S'), { t: '0', d: '180000', r: '2' });
  assert.equal(manifest.match(/<S /g)?.length, 1);
});

test('the start number is the number of the first listed segment', () => {
  const spec = specOf();
  const manifest = dashManifest(viewOf(spec, windowOf(spec, 1000)), NOW);
  assert.equal(attributesOf(manifest, 'SegmentTemplate')['startNumber'], '77');
  assert.deepEqual(attributesOf(manifest, 'S'), { t: String(77 * 180_000), d: '180000', r: '22' });
});

test('a segment of another length, or after a jump, has an entry of its own', () => {
  const spec = specOf({ lowLatency: false });
  const window = windowOf(spec, 0);
  window.add(partOf({ frames: 20, endsSegment: true }));
  window.add(partOf({ segment: 1, from: 20, frames: 50, endsSegment: true }));
  window.add(partOf({ segment: 2, from: 170, frames: 50, endsSegment: true }));
  const manifest = dashManifest(viewOf(spec, window), NOW);
  assert.deepEqual(manifest.match(/<S .*>/g), [
    '<S t="0" d="72000"/>',
    '<S t="72000" d="180000"/>',
    '<S t="612000" d="180000"/>',
  ]);
});

test('a job can be played from its start, and is static with its length when it has ended', () => {
  const spec = specOf({ kind: 'job' });
  const window = windowOf(spec, 10);
  assert.equal(
    attributesOf(dashManifest(viewOf(spec, window), NOW), 'MPD')['timeShiftBufferDepth'],
    undefined,
  );
  window.add(partOf({ segment: 1, from: 50, frames: 3, endsSegment: true }));
  const ended = dashManifest(viewOf(spec, window, true), NOW);
  const { type, mediaPresentationDuration, minimumUpdatePeriod } = attributesOf(ended, 'MPD');
  assert.deepEqual([type, mediaPresentationDuration, minimumUpdatePeriod], ['static', 'PT2.12S', undefined]);
  assert.doesNotMatch(ended, /UTCTiming/);
});

test('codec, size and frame rate are named', () => {
  const spec = specOf();
  const representation = attributesOf(dashManifest(viewOf(spec, windowOf(spec, 33)), NOW), 'Representation');
  const { codecs, width, height, frameRate } = representation;
  assert.deepEqual([codecs, width, height, frameRate], ['avc1.42c00d', '320', '180', '25']);
});
