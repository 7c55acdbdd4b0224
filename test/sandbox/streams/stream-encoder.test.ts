// What a stream paints when, and how it is cut; without an encoder, and with the time moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { EncodingStage } from './encoding-stage.ts';
import { ORIGIN, specOf } from './stream-row.ts';

const framesOf = (text: string): number => scriptOf(text, null).gloss.frames;
const row = (text: string, from: number, to: number): [string, number][] =>
  Array.from({ length: to - from }, (_, i) => [text, from + i]);

/** A plain stream, which has no opening segment. */
const plain = specOf({ lowLatency: false });

test('a stream with parts is opened with 0.8 s of the signer at rest, in one segment', () => {
  const stage = new EncodingStage(specOf());
  assert.deepEqual(stage.news, ['opened']);
  const [opened] = stage.reports;
  assert.equal(opened?.kind === 'opened' && opened.origin, ORIGIN - 800);
  stage.encoder.advance(stage.now);
  assert.deepEqual(stage.painted, row('', 0, 20));
  assert.deepEqual(
    stage.parts.map(({ segment, from, frames, endsSegment }) => [segment, from, frames, endsSegment]),
    [
      [0, 0, 5, false],
      [0, 5, 5, false],
      [0, 10, 5, false],
      [0, 15, 5, true],
    ],
  );
});

test('a text that comes at once does not begin before it came, in the 0.8 s of rest that the stream opens with', () => {
  const stage = new EncodingStage(specOf()).sign('Hello');
  stage.encoder.advance(stage.now);
  assert.deepEqual(stage.painted, row('', 0, 20));
  stage.run(5);
  assert.deepEqual(stage.painted.slice(20), row('Hello', 0, 5));
});

test('a text that comes while the machine is behind begins after the frames that were due before it', () => {
  const stage = new EncodingStage(plain);
  stage.sleep(400).sign('Hello').run(5);
  assert.deepEqual(stage.painted, [...row('', 0, 10), ...row('Hello', 0, 5)]);
});

test('five frames are painted when the last of them is due, neither before nor twice', () => {
  const stage = new EncodingStage(plain);
  assert.equal(stage.encoder.nextDue, ORIGIN + 160);
  stage.encoder.advance(ORIGIN + 159);
  assert.equal(stage.painted.length, 0);
  stage.encoder.advance(ORIGIN + 160);
  stage.encoder.advance(ORIGIN + 160);
  assert.deepEqual(stage.painted, row('', 0, 5));
  // A timer that comes late does not put off what follows.
  stage.encoder.advance(ORIGIN + 399);
  assert.equal(stage.painted.length, 10);
  assert.equal(stage.encoder.nextDue, ORIGIN + 560);
});

test('a text begins with the next unpainted frame, texts follow each other, and then the rest pose starts again', () => {
  const stage = new EncodingStage(plain).run(6);
  const signed = framesOf('One') + framesOf('Two more');
  stage
    .sign('One')
    .sign('Two more')
    .run(signed + 10);
  assert.deepEqual(stage.painted.slice(0, 5 + signed + 5), [
    ...row('', 0, 5),
    ...row('One', 0, framesOf('One')),
    ...row('Two more', 0, framesOf('Two more')),
    ...row('', 0, 5),
  ]);
  assert.deepEqual(stage.news, ['opened', 'begun', 'begun']);
});

test('a part is reported when its fifth frame is painted, and begins a segment with a key frame', () => {
  const stage = new EncodingStage(specOf());
  stage.encoder.advance(stage.now);
  stage.run(3);
  assert.equal(stage.parts.length, 4);
  stage.run(1);
  assert.equal(stage.parts.length, 5);
  const { segment, from, frames, independent } = stage.parts[4]!;
  assert.deepEqual([segment, from, frames, independent], [1, 20, 5, true]);
  stage.run(5);
  assert.equal(stage.parts[5]?.independent, false);
});

test('segments of a length that is no whole number of parts end with a shorter one', () => {
  const stage = new EncodingStage(specOf({ segmentSeconds: 1.3 }));
  stage.encoder.advance(stage.now);
  stage.run(40);
  assert.deepEqual(
    stage.parts.filter(({ segment }) => segment === 1).map(({ frames }) => frames),
    [5, 5, 5, 5, 5, 5, 3],
  );
});

test('a stream that is late by more than a second jumps: discontinuity, key frame, no frame of a text lost', () => {
  const stage = new EncodingStage(specOf());
  stage.encoder.advance(stage.now);
  stage.sign('Hello there').run(9);
  stage.sleep(5000).run(40);
  const before = stage.parts.findIndex(({ discontinuity }) => discontinuity) - 1;
  const [last, first] = [stage.parts[before]!, stage.parts[before + 1]!];
  // Frames 20 to 29 were painted, one more is put into the part that was hinted at.
  assert.deepEqual([last.segment, last.from + last.frames, last.endsSegment], [1, 31, true]);
  assert.deepEqual([first.segment, first.independent], [2, true]);
  const due = (stage.now - 39 * 40 - (ORIGIN - 800)) / 40;
  assert.equal(first.from, due);
  const signed = stage.painted.filter(([text]) => text !== '').map(([, frame]) => frame);
  assert.deepEqual(signed, [...signed.keys()]);
  assert.equal(signed.length, framesOf('Hello there'));
  assert.equal(stage.open, 1);
});

test('a stream that is late by less catches up', () => {
  const stage = new EncodingStage(plain).run(1);
  stage.sleep(900).run(1);
  assert.equal(stage.painted.length, 25);
  assert.ok(stage.parts.every(({ discontinuity }) => !discontinuity));
});

test('an ongoing stream that is ended signs what is queued, then ends with the part that was announced', () => {
  const stage = new EncodingStage(plain).sign('One').sign('Two');
  stage.encoder.end();
  stage.run(framesOf('One') + framesOf('Two') + 5);
  assert.deepEqual(stage.painted, [...row('One', 0, framesOf('One')), ...row('Two', 0, framesOf('Two'))]);
  assert.deepEqual(stage.news, ['opened', 'begun', 'begun', 'ended']);
  assert.equal(stage.parts.at(-1)?.endsSegment, true);
  assert.equal(stage.encoder.nextDue, null);
  assert.equal(stage.open, 0);
});

test('an ongoing stream that is ended at rest paints one frame more, so that the announced part exists', () => {
  const stage = new EncodingStage(specOf());
  stage.encoder.advance(stage.now);
  stage.run(4);
  assert.equal(stage.parts.at(-1)?.frames, 5);
  stage.encoder.end();
  stage.run(5);
  const { frames, endsSegment } = stage.parts.at(-1)!;
  assert.deepEqual([frames, endsSegment], [1, true]);
  assert.equal(stage.reports.at(-1)?.kind, 'ended');
});

test('a stream that is stopped drops the queued texts', () => {
  const stage = new EncodingStage(plain).sign('One').sign('Two').run(4);
  stage.encoder.stop();
  stage.run(5);
  assert.deepEqual(stage.painted, [...row('One', 0, 5), ['', 0]]);
  assert.deepEqual(stage.news, ['opened', 'begun', 'ended']);
});

test('a job begins with its text, and ends with it', () => {
  const stage = new EncodingStage(specOf({ kind: 'job' })).run(10);
  assert.equal(stage.reports.length, 0);
  assert.equal(stage.encoder.nextDue, null);
  stage.sign('Hello there');
  stage.encoder.advance(stage.now);
  stage.run(100);
  assert.deepEqual(stage.painted, row('Hello there', 0, framesOf('Hello there')));
  assert.deepEqual(stage.news, ['opened', 'begun', 'ended']);
  const told = stage.reports.flatMap((report) => (report.kind === 'part' ? report.isLast : []));
  assert.ok(told.length > 1, 'there are several parts');
  assert.deepEqual(told.lastIndexOf(true), told.indexOf(true), 'one of them is the last');
  assert.equal(told.at(-1), true);
  const frames = stage.parts.reduce((sum, part) => sum + part.frames, 0);
  assert.equal(frames, framesOf('Hello there'));
  assert.equal(stage.open, 0);
});

test('a job that is late makes up for it without a jump', () => {
  const stage = new EncodingStage(specOf({ kind: 'job' })).sign('Hello there my friend');
  stage.run(5).sleep(20_000).run(20);
  assert.equal(stage.news.at(-1), 'ended');
  assert.ok(stage.parts.every(({ discontinuity }) => !discontinuity));
  const ends = stage.parts.map(({ from, frames }) => from + frames);
  assert.deepEqual(
    stage.parts.slice(1).map(({ from }) => from),
    ends.slice(0, -1),
  );
});

test('a job that is ended before it has a text ends with nothing', () => {
  const stage = new EncodingStage(specOf({ kind: 'job' }));
  stage.encoder.end();
  assert.deepEqual(stage.news, ['ended']);
});

test('a stream without parts has one part a segment, and MPEG-TS beside it only when it is asked for', () => {
  const stage = new EncodingStage(plain).run(99);
  assert.deepEqual(
    stage.parts.map(({ frames, endsSegment, ts }) => [frames, endsSegment, ts]),
    [
      [50, true, null],
      [50, true, null],
    ],
  );
  const transport = new EncodingStage(specOf({ segmentType: 'ts' })).run(49);
  assert.equal(transport.parts[0]?.frames, 50);
  assert.equal(transport.parts[0]?.ts?.[0], 0x47);
});

test('a stream that is closed reports nothing more and leaves no encoder open', () => {
  const stage = new EncodingStage(plain).run(3);
  const { length } = stage.reports;
  stage.encoder.close();
  stage.sign('One').run(100);
  assert.equal(stage.reports.length, length);
  assert.equal(stage.open, 0);
});
