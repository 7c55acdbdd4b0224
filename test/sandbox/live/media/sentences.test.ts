// Which sentences are signed for a source, and when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sentences, type Moment } from '../../../../demo/sandbox/live/media/sentences.ts';

let time = 1_893_456_000_000;
/** The next picture. */
const shown = (seconds: number): Moment => ({ seconds, due: (time += 40) });

/** Texts that begin with pictures of these seconds, one after the other. */
const texts = (sentences: Sentences, ...seconds: readonly number[]): string[][] =>
  seconds.map((second) => sentences.due(shown(second)).map(({ text }) => text));

test('without captions the time since the first picture is named every five seconds', () => {
  const sentences = new Sentences();
  assert.match(sentences.note, /source time, no speech recognition/);
  assert.deepEqual(texts(sentences, 100, 104.9, 105, 105.2, 170), [
    ['source time 00:00'],
    [],
    ['source time 00:05'],
    [],
    ['source time 01:10'],
  ]);
});

test('the time of a source that starts again counts from zero', () => {
  const sentences = new Sentences();
  texts(sentences, 50, 63);
  sentences.restart(shown(2));
  assert.deepEqual(texts(sentences, 2), [['source time 00:00']]);
});

test('each caption is signed once, when it is shown, and captions that are over are left out', () => {
  const sentences = new Sentences();
  const [one, two, three] = [
    { from: 1, to: 2, text: 'one' },
    { from: 3, to: 4, text: 'two' },
    { from: 5, to: 6, text: 'three' },
  ];
  sentences.add([two!, one!]);
  sentences.add([two!, three!]);
  assert.match(sentences.note, /captions of the source/);
  assert.deepEqual(texts(sentences, 0.5, 1, 1.2, 4.5, 5.5, 9), [[], ['one'], [], [], ['three'], []]);
});

test('a source with captions gets no time sentences, even while no caption is due', () => {
  const sentences = new Sentences();
  sentences.add([]);
  assert.deepEqual(texts(sentences, 0, 5, 10), [[], [], []]);
});

test('pictures of the clock before a jump are not taken for the new clock', () => {
  const sentences = new Sentences();
  const old = shown(63);
  sentences.due(old);
  sentences.restart(shown(0));
  assert.deepEqual(sentences.due(old), []);
  assert.deepEqual(texts(sentences, 0, 5), [['source time 00:00'], ['source time 00:05']]);
});

const cueAt = (from: number, text: string, seconds = 2) => ({ from, to: from + seconds, text });

test('captions that wait when the clock jumps back are never signed; on the new clock an equal caption is signed again', () => {
  const sentences = new Sentences();
  sentences.add([cueAt(1, 'once'), cueAt(63, 'before the jump')]);
  assert.deepEqual(texts(sentences, 1, 60), [['once'], []]);
  sentences.restart(shown(0));
  sentences.add([cueAt(1, 'once'), cueAt(64, 'after the jump')]);
  assert.deepEqual(texts(sentences, 1, 63, 64), [['once'], [], ['after the jump']]);
});

test('captions within a jump ahead are left out, and captions after it are signed', () => {
  const sentences = new Sentences();
  sentences.add([cueAt(12, 'before the jump', 60), cueAt(41, 'after the jump')]);
  assert.deepEqual(texts(sentences, 10), [[]]);
  sentences.restart(shown(40));
  assert.deepEqual(texts(sentences, 40, 41), [[], ['after the jump']]);
});

test('the first picture is no jump: the caption that is shown with it is signed', () => {
  const sentences = new Sentences();
  sentences.add([cueAt(38, 'shown already', 5)]);
  sentences.restart(shown(40));
  assert.deepEqual(texts(sentences, 40), [['shown already']]);
});

test('a long caption is signed as fast as it is shown', () => {
  const sentences = new Sentences();
  sentences.add([
    { from: 0, to: 2, text: 'this train is ready to leave please stand clear of the doors' },
    { from: 2, to: 12, text: 'thank you' },
  ]);
  const [long, short] = [sentences.due(shown(0))[0]!, sentences.due(shown(2))[0]!];
  assert.equal(long.gloss.frames, 50);
  assert.ok(short.gloss.frames < 50, 'a short one keeps its own pace');
});

test('more captions are requested as long as fewer than a hundred wait', () => {
  const sentences = new Sentences();
  assert.equal(sentences.hasRoom, true);
  sentences.add(Array.from({ length: 100 }, (_, i) => ({ from: i, to: i + 1, text: 'word' })));
  assert.equal(sentences.hasRoom, false);
  sentences.due(shown(10));
  assert.equal(sentences.hasRoom, true);
});
