// Which frames a stream paints and when, and how it is split into parts, without an encoder and with a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { EncodingHarness } from './encoding-harness.ts';
import { ORIGIN, specOf } from './stream-parts.ts';

const framesOf = (text: string): number => scriptOf(text, null).gloss.frames;
const row = (text: string, from: number, to: number): [string, number][] =>
  Array.from({ length: to - from }, (_, i) => [text, from + i]);

/** A plain stream, which has no opening segment. */
const plain = specOf({ lowLatency: false });

test('a stream with parts is opened with 0.8 s of the signer at rest, in one segment', () => {
  const harness = new EncodingHarness(specOf());
  assert.deepEqual(harness.news, ['opened']);
  const [opened] = harness.reports;
  assert.equal(opened?.kind === 'opened' && opened.origin, ORIGIN - 800);
  harness.encoder.advance(harness.now);
  assert.deepEqual(harness.painted, row('', 0, 20));
  assert.deepEqual(
    harness.parts.map(({ segment, from, frames, endsSegment }) => [segment, from, frames, endsSegment]),
    [
      [0, 0, 5, false],
      [0, 5, 5, false],
      [0, 10, 5, false],
      [0, 15, 5, true],
    ],
  );
});

test('a text that comes right at the start begins after the 0.8 s of rest with which the stream opens, not before it came', () => {
  const harness = new EncodingHarness(specOf()).sign('Hello');
  harness.encoder.advance(harness.now);
  assert.deepEqual(harness.painted, row('', 0, 20));
  harness.run(5);
  assert.deepEqual(harness.painted.slice(20), row('Hello', 0, 5));
});

test('a text that comes while the machine is behind begins after the frames that were due before it', () => {
  const harness = new EncodingHarness(plain);
  harness.sleep(400).sign('Hello').run(5);
  assert.deepEqual(harness.painted, [...row('', 0, 10), ...row('Hello', 0, 5)]);
});

test('five frames are painted when the last of them is due, neither before nor twice', () => {
  const harness = new EncodingHarness(plain);
  assert.equal(harness.encoder.nextDue, ORIGIN + 160);
  harness.encoder.advance(ORIGIN + 159);
  assert.equal(harness.painted.length, 0);
  harness.encoder.advance(ORIGIN + 160);
  harness.encoder.advance(ORIGIN + 160);
  assert.deepEqual(harness.painted, row('', 0, 5));
  // A late timer does not delay the later frames.
  harness.encoder.advance(ORIGIN + 399);
  assert.equal(harness.painted.length, 10);
  assert.equal(harness.encoder.nextDue, ORIGIN + 560);
});

test('a text begins with the next unpainted frame, texts follow each other, and then the rest pose starts again', () => {
  const harness = new EncodingHarness(plain).run(6);
  const signed = framesOf('One') + framesOf('Two more');
  harness
    .sign('One')
    .sign('Two more')
    .run(signed + 10);
  assert.deepEqual(harness.painted.slice(0, 5 + signed + 5), [
    ...row('', 0, 5),
    ...row('One', 0, framesOf('One')),
    ...row('Two more', 0, framesOf('Two more')),
    ...row('', 0, 5),
  ]);
  assert.deepEqual(harness.news, ['opened', 'begun', 'begun']);
});

test('a part is reported when its fifth frame is painted, and the first part of a segment begins with a key frame', () => {
  const harness = new EncodingHarness(specOf());
  harness.encoder.advance(harness.now);
  harness.run(3);
  assert.equal(harness.parts.length, 4);
  harness.run(1);
  assert.equal(harness.parts.length, 5);
  const { segment, from, frames, independent } = harness.parts[4]!;
  assert.deepEqual([segment, from, frames, independent], [1, 20, 5, true]);
  harness.run(5);
  assert.equal(harness.parts[5]?.independent, false);
});

test('segments of a length that is no whole number of parts end with a shorter one', () => {
  const harness = new EncodingHarness(specOf({ segmentSeconds: 1.3 }));
  harness.encoder.advance(harness.now);
  harness.run(40);
  assert.deepEqual(
    harness.parts.filter(({ segment }) => segment === 1).map(({ frames }) => frames),
    [5, 5, 5, 5, 5, 5, 3],
  );
});

test('a stream that is late by more than a second jumps, with a discontinuity and a key frame, and loses no frame of a text', () => {
  const harness = new EncodingHarness(specOf());
  harness.encoder.advance(harness.now);
  harness.sign('Hello there').run(9);
  harness.sleep(5000).run(40);
  const before = harness.parts.findIndex(({ discontinuity }) => discontinuity) - 1;
  const [last, first] = [harness.parts[before]!, harness.parts[before + 1]!];
  // Frames 20 to 29 were painted, and one more is put into the part that was hinted at.
  assert.deepEqual([last.segment, last.from + last.frames, last.endsSegment], [1, 31, true]);
  assert.deepEqual([first.segment, first.independent], [2, true]);
  const due = (harness.now - 39 * 40 - (ORIGIN - 800)) / 40;
  assert.equal(first.from, due);
  const signed = harness.painted.filter(([text]) => text !== '').map(([, frame]) => frame);
  assert.deepEqual(signed, [...signed.keys()]);
  assert.equal(signed.length, framesOf('Hello there'));
  assert.equal(harness.open, 1);
});

test('a stream that is late by less than a second catches up', () => {
  const harness = new EncodingHarness(plain).run(1);
  harness.sleep(900).run(1);
  assert.equal(harness.painted.length, 25);
  assert.ok(harness.parts.every(({ discontinuity }) => !discontinuity));
});

test('an ongoing stream that is ended signs what is queued, then ends with the part that was announced', () => {
  const harness = new EncodingHarness(plain).sign('One').sign('Two');
  harness.encoder.end();
  harness.run(framesOf('One') + framesOf('Two') + 5);
  assert.deepEqual(harness.painted, [...row('One', 0, framesOf('One')), ...row('Two', 0, framesOf('Two'))]);
  assert.deepEqual(harness.news, ['opened', 'begun', 'begun', 'ended']);
  assert.equal(harness.parts.at(-1)?.endsSegment, true);
  assert.equal(harness.encoder.nextDue, null);
  assert.equal(harness.open, 0);
});

test('an ongoing stream that is ended at rest paints one frame more, so that the announced part exists', () => {
  const harness = new EncodingHarness(specOf());
  harness.encoder.advance(harness.now);
  harness.run(4);
  assert.equal(harness.parts.at(-1)?.frames, 5);
  harness.encoder.end();
  harness.run(5);
  const { frames, endsSegment } = harness.parts.at(-1)!;
  assert.deepEqual([frames, endsSegment], [1, true]);
  assert.equal(harness.reports.at(-1)?.kind, 'ended');
});

test('a stream that is stopped drops the queued texts', () => {
  const harness = new EncodingHarness(plain).sign('One').sign('Two').run(4);
  harness.encoder.stop();
  harness.run(5);
  assert.deepEqual(harness.painted, [...row('One', 0, 5), ['', 0]]);
  assert.deepEqual(harness.news, ['opened', 'begun', 'ended']);
});

test('a job begins with its text, and ends with it', () => {
  const harness = new EncodingHarness(specOf({ kind: 'job' })).run(10);
  assert.equal(harness.reports.length, 0);
  assert.equal(harness.encoder.nextDue, null);
  harness.sign('Hello there');
  harness.encoder.advance(harness.now);
  harness.run(100);
  assert.deepEqual(harness.painted, row('Hello there', 0, framesOf('Hello there')));
  assert.deepEqual(harness.news, ['opened', 'begun', 'ended']);
  const lastFlags = harness.reports.flatMap((report) => (report.kind === 'part' ? report.isLast : []));
  assert.ok(lastFlags.length > 1, 'there are several parts');
  assert.deepEqual(lastFlags.lastIndexOf(true), lastFlags.indexOf(true), 'one of them is the last');
  assert.equal(lastFlags.at(-1), true);
  const frames = harness.parts.reduce((sum, part) => sum + part.frames, 0);
  assert.equal(frames, framesOf('Hello there'));
  assert.equal(harness.open, 0);
});

test('a job that is late catches up without a jump', () => {
  const harness = new EncodingHarness(specOf({ kind: 'job' })).sign('Hello there my friend');
  harness.run(5).sleep(20_000).run(20);
  assert.equal(harness.news.at(-1), 'ended');
  assert.ok(harness.parts.every(({ discontinuity }) => !discontinuity));
  const ends = harness.parts.map(({ from, frames }) => from + frames);
  assert.deepEqual(
    harness.parts.slice(1).map(({ from }) => from),
    ends.slice(0, -1),
  );
});

test('a job that is ended before it has a text ends with nothing', () => {
  const harness = new EncodingHarness(specOf({ kind: 'job' }));
  harness.encoder.end();
  assert.deepEqual(harness.news, ['ended']);
});

test('a stream without parts has one part a segment, and also MPEG-TS only when it is requested', () => {
  const harness = new EncodingHarness(plain).run(99);
  assert.deepEqual(
    harness.parts.map(({ frames, endsSegment, ts }) => [frames, endsSegment, ts]),
    [
      [50, true, null],
      [50, true, null],
    ],
  );
  const transport = new EncodingHarness(specOf({ segmentType: 'ts' })).run(49);
  assert.equal(transport.parts[0]?.frames, 50);
  assert.equal(transport.parts[0]?.ts?.[0], 0x47);
});

test('a stream that is closed reports nothing more and leaves no encoder open', () => {
  const harness = new EncodingHarness(plain).run(3);
  const { length } = harness.reports;
  harness.encoder.close();
  harness.sign('One').run(100);
  assert.equal(harness.reports.length, length);
  assert.equal(harness.open, 0);
});
