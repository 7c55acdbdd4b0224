// Which sentences are sent, and in which order, while the page of a reading changes.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Sentence } from '../../../src/page/sentences.ts';
import { reading, states, written } from './read-words.ts';

test('the sentence on screen and the next three are sent, and after three failures in a row no more until a visitor asks', async () => {
  const { queue, sent, sign, fail } = reading('a b c d e f g h i j k l m');
  assert.equal(sent(), 'a b c d');
  for (const text of ['a', 'b']) await fail(text);
  await sign('c');
  assert.equal(sent(), 'c d e f g', 'two failures are not three');
  for (const text of ['d', 'e', 'f']) await fail(text);
  assert.equal(sent(), 'c g h i');
  await fail('g');
  assert.equal(sent(), 'c h i');
  queue.resume();
  assert.equal(sent(), 'c h i j k');
});

test('a sentence that is tried again is signed at its place, and so are the failed ones after it', async () => {
  const { queue, sign, sent, fail } = reading('a b c d e');
  await fail('b');
  await fail('c');
  await sign('a');
  queue.retry(queue.entries.filter(({ state }) => state === 'failed').map(({ ref }) => ref));
  assert.equal(sent(), 'a b c d e');
  assert.equal(queue.entries.map(({ text }) => text).join(' '), 'a b c d e');
  assert.equal(queue.retry([queue.entries[0]!.ref]), false);
});

test('"next" pressed three times, before the first frame of any sentence, goes on by three sentences', () => {
  const { queue, shown } = reading('a b c d e');
  queue.started(queue.entries[0]!.ref);
  for (let press = 0; press < 3; press += 1) queue.next();
  queue.previous();
  assert.equal(shown.join(' '), 'b c d c');
});

test('after "previous" to a sentence that is not loaded, the later ones are not shown before it', async () => {
  const { queue, sent, sign } = reading('a b c d e f g h');
  queue.started(queue.entries[0]!.ref);
  for (let press = 0; press < 4; press += 1) queue.next();
  await sign('e');
  await sign('f');
  queue.started(queue.entries[6]!.ref);
  for (let press = 0; press < 3; press += 1) queue.previous();
  assert.equal(sent(), 'd e f g');
});

test('the whole reading is signed again from the loaded videos, but not when sentences were passed before they were shown', async () => {
  const { queue, shown, sign } = reading('a b c d e f');
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await sign(text);
  assert.equal(queue.again(), true);
  assert.equal(shown.join(' '), 'a');
  const passing = reading('a b c d e f');
  await passing.sign('a');
  passing.queue.started(passing.queue.entries[1]!.ref);
  for (let press = 0; press < 4; press += 1) passing.queue.next();
  await passing.sign('f');
  assert.equal(passing.queue.again(), false);
  const { ref } = passing.queue.entries[4]!;
  passing.queue.previous();
  assert.equal(passing.sent(), 'a e f');
  assert.notEqual(passing.queue.entries[4]!.ref, ref, 'a ref names one request only');
});

test('when a reading is signed again, its later sentences are ready and can be left out, and "next" at the last one ends it', async () => {
  const { queue, sent, sign } = reading('a b c d');
  for (const text of ['a', 'b', 'c', 'd']) await sign(text);
  const refOf = (text: string): string => queue.entries.find((one) => one.text === text)!.ref;
  queue.again();
  assert.equal(states(queue), 'a:ready b:ready c:ready d:ready');
  queue.started(refOf('a'));
  queue.ended(refOf('a'));
  assert.equal(states(queue), 'a:signed b:ready c:ready d:ready', 'also between two sentences');
  assert.equal(queue.isBusy, true);
  queue.started(refOf('b'));
  queue.skip(refOf('b'));
  queue.skip(refOf('c'));
  assert.equal(sent(), 'a d');
  queue.started(refOf('d'));
  assert.equal(states(queue), 'a:signed d:signing');
  queue.next();
  assert.equal(sent(), 'a');
  assert.equal(queue.isBusy, false);
  queue.skip(refOf('a'));
  assert.equal(sent(), '', 'what is left out after it was signed is not shown once more');
});

test('when a video cannot be shown again its sentence fails: the reading goes on to its end without it, and a retry sends it again', async () => {
  const { queue, sent, sign } = reading('a b c');
  for (const text of ['a', 'b', 'c']) await sign(text);
  const [a, b, c] = queue.entries.map(({ ref }) => ref);
  queue.again();
  queue.started(a!);
  queue.failed(b!);
  queue.ended(a!);
  assert.equal(states(queue), 'a:signed b:failed c:ready');
  queue.failed(c!);
  assert.equal(states(queue), 'a:signed b:failed c:failed');
  assert.equal(queue.isBusy, false);
  queue.failed(a!);
  assert.equal(queue.entries[0]!.state, 'signed', 'what is not shown again cannot fail');
  queue.retry([b!, c!]);
  assert.equal(sent().endsWith('b c'), true);
  assert.equal(states(queue), 'a:signed b:preparing c:preparing');
});

test('after a return from the end to a loaded sentence the whole reading can be signed again from the loaded videos', async () => {
  const { queue, shown, sign } = reading('a b');
  for (const text of ['a', 'b']) await sign(text);
  const { ref } = queue.entries[1]!;
  queue.jump(ref);
  queue.started(ref);
  queue.ended(ref);
  assert.equal(queue.again(), true);
  assert.equal(shown.join(' '), 'b a');
});

test('a sentence that is retried after the end is shown alone, and then the whole reading must be sent again, because its video is now the last one', async () => {
  const { queue, sign, fail } = reading('a b c');
  await fail('a');
  for (const text of ['b', 'c']) await sign(text);
  queue.retry([queue.entries[0]!.ref]);
  await sign('a');
  assert.equal(states(queue), 'a:signed b:signed c:signed');
  assert.equal(queue.again(), false);
});

test('clear() drops waiting sentences, also those of a repetition, and a reading with dropped sentences cannot be signed again', async () => {
  const { queue, sent, sign } = reading('a b c d e f');
  queue.started(queue.entries[0]!.ref);
  queue.clear();
  assert.equal(sent(), 'a');
  await sign('a');
  assert.equal(states(queue), 'a:signed');
  assert.equal(queue.again(), false, 'the rest of the page would be missing');
  const later = reading('a b c');
  for (const text of ['a', 'b', 'c']) await later.sign(text);
  later.queue.clear();
  assert.equal(later.queue.again(), true);
  later.queue.started(later.queue.entries[0]!.ref);
  later.queue.clear();
  assert.equal(later.sent(), 'a');
});

test('an edit among sentences that were sent keeps the order of the page', async () => {
  const { queue, sent, sign, edit } = reading('one two three four five six');
  assert.equal(sent(), 'one two three four');
  await sign('one');
  edit(2, 1, 'drei');
  assert.equal(sent(), 'one two drei four five');
  assert.equal(
    states(queue),
    'one:signed two:preparing drei:preparing four:preparing five:preparing six:waiting',
  );
});

test('a changing clock among sentences that were sent is sent again once, and not at each tick', async () => {
  const { queue, sent, sign, edit } = reading('one 10:01 three four five');
  edit(1, 1, '10:02');
  assert.equal(sent(), 'one 10:02 three four');
  for (const time of ['10:03', '10:04']) edit(1, 1, time);
  assert.equal(sent(), 'one 10:02 three four');
  assert.equal(queue.entries[1]!.text, '10:04');
  await sign('one');
  edit(1, 1, '10:05');
  await sign('10:02');
  assert.equal(sent(), 'one 10:02 three four five');
  assert.match(states(queue), /^one:signed 10:05:signed three:preparing/);
});

test('a sentence that has just been signed is not signed again when only its words change, in the middle of a paragraph', async () => {
  const { queue, sent, sign, edit } = reading('one two three');
  await sign('one');
  await sign('two');
  edit(0, 3, 'one', 'zwei', 'three');
  assert.equal(sent(), 'one two three');
  assert.equal(states(queue), 'one:signed zwei:signed three:preparing');
});

test('when all paragraphs change to another language, the one on screen is marked in its new words and not signed again', async () => {
  const { queue, sent, sign, edit } = reading('one two three');
  await sign('one');
  queue.started(queue.entries[1]!.ref);
  edit(0, 3, 'eins', 'zwei', 'three');
  assert.equal(states(queue), 'eins:signed zwei:signing three:preparing');
  assert.equal(sent(), 'one two three');
});

test('a signed sentence is not signed again for an edit, and after the end only sentences to which a visitor goes are sent', async () => {
  const { queue, sent, sign, edit } = reading('one two');
  await sign('one');
  edit(0, 1, 'eins');
  assert.equal(sent(), 'one two');
  await sign('two');
  edit(2, 0, 'three');
  assert.equal(sent(), 'one two');
  assert.equal(queue.again(), false);
  assert.equal(queue.resume(), false);
  queue.jump(queue.entries.at(-1)!.ref);
  assert.equal(sent(), 'one two three');
  assert.equal(states(queue), 'eins:signed two:signed three:preparing');
});

test('stop removes the waiting sentences, the signed ones, and those that the page no longer has', async () => {
  const { queue, sent, sign, edit } = reading('one two three');
  await sign('one');
  await sign('two');
  edit(0, 1, 'eins');
  assert.equal(sent(), 'one two three');
  queue.stop();
  assert.equal(sent(), '');
  assert.deepEqual(queue.entries, []);
});

test('when all sentences read so far were refused or signed, a reading goes on with the rest of a slow page', async () => {
  let isWhole = false;
  const { queue, sent, sign, edit } = reading('a', 'a', () => isWhole);
  edit(1, 0, 'b');
  assert.equal(sent(), 'b');
  await sign('b');
  edit(2, 0, 'c');
  assert.equal(states(queue), 'a:failed b:signed c:preparing');
  await sign('c');
  isWhole = true;
  edit(3, 0);
  edit(3, 0, 'd');
  assert.equal(states(queue), 'a:failed b:signed c:signed d:waiting');
});

test('when a long page becomes another one, its sentences are compared once, not each with all others', () => {
  let reads = 0;
  const texts = (word: string): string[] => Array.from({ length: 2_000 }, (_, n) => word + String(n));
  const { queue, page } = reading(texts('old').join(' '));
  const counted = (text: string): Sentence =>
    Object.defineProperty(written(text), 'text', {
      get() {
        reads += 1;
        return text;
      },
    });
  for (const word of ['first', 'second']) {
    const added = texts(word).map(counted);
    queue.splice(0, page.splice(0, page.length, ...added), added, true);
  }
  assert.ok(reads < 10 * page.length, `${reads} reads`);
});

test('when the page becomes another one, the reading does not go on, and none of its sentences is sent', () => {
  const { queue, page, sent } = reading('one two three');
  const added = ['four', 'five'].map(written);
  const goesOn = queue.splice(0, page.splice(0, page.length, ...added), added, true);
  assert.equal(goesOn, false);
  assert.equal(sent(), '');
});

test('a page may get 200,000 sentences at once: each waits for its turn', () => {
  const { queue } = reading('a b');
  queue.splice(
    2,
    [],
    Array.from({ length: 200_000 }, (_, index) => written(String(index))),
    false,
  );
  assert.equal(queue.entries.length, 200_002);
  assert.equal(queue.entries.at(-1)!.text, '199999');
});
