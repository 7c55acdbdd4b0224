// The search for many words in a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor, redactorFor } from '../../../proxy/credentials/redaction.ts';
import { wordSearch } from '../../../proxy/credentials/word-search.ts';
import { randomOf } from '../fuzz/random.ts';

const random = randomOf(20261126);

test('a text holds a word exactly when some word is a part of it, wherever it stands and however long the words are', () => {
  const letters = (count: number): string =>
    Array.from({ length: count }, () => 'ab_'[random.below(3)]).join('');
  let held = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const shortest = 4 + random.below(12);
    const words = Array.from({ length: 1 + random.below(5) }, () => letters(shortest + random.below(6)));
    const texts = [
      letters(random.below(60)),
      `${letters(random.below(20))}${words[0]}${letters(random.below(20))}`,
    ];
    const { inText, inBytes } = wordSearch(words);
    for (const text of texts) {
      const expected = words.some((word) => text.includes(word));
      assert.equal(inText(text), expected, JSON.stringify({ words, text }));
      const around = words[0] ?? '';
      const data = Buffer.from(around + text + around);
      const isIn = inBytes(data, around.length, around.length + text.length);
      assert.equal(isIn, expected, JSON.stringify({ words, text, around }));
      if (expected) held += 1;
    }
  }
  assert.ok(held >= 3_000);
});

test('without words nothing is found in any text', () => {
  assert.equal(wordSearch([]).inText('text'), false);
  assert.equal(wordSearch([]).inBytes(Buffer.from('text'), 0, 4), false);
});

test('a word is found among characters beyond latin1, and those are not taken for the word', () => {
  const { inText } = wordSearch(['secret-of-the-site']);
  assert.equal(inText('ſecret-of-the-site'), false);
  assert.equal(inText('\u{1f600}–secret-of-the-site–'), true);
});

const secret = (): string => Array.from({ length: 32 }, () => random.below(36).toString(36)).join('');

/** Microseconds of CPU that `times` calls take, after a tenth as many calls to warm up. */
function costOf(times: number, call: (n: number) => void): number {
  for (let n = 0; n < times / 10; n += 1) call(n);
  const before = process.cpuUsage();
  for (let n = 0; n < times; n += 1) call(n);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('a frame is searched for 1,200 secrets with at most twenty times the CPU of two', () => {
  const frame = JSON.stringify({ type: 'result', url: `https://media.example/${secret().repeat(12)}.mp4` });
  const [few, many] = [2, 1_200].map((count) => {
    const redactor = createRedactor(Array.from({ length: count }, secret));
    return costOf(20_000, (n) => assert.equal(redactor.text(`${n}${frame}`), `${n}${frame}`));
  });
  assert.ok((many ?? 0) <= 20 * (few ?? 0), `${many} us, with two secrets ${few} us`);
});

test('an answer with a secret that its client has sent costs at most five times the CPU of one with a secret that is hidden', () => {
  const secrets = Array.from({ length: 1_200 }, secret);
  const redactor = createRedactor(secrets);
  const [own = ''] = secrets;
  const forClient = redactorFor(redactor, () => [own]);
  const hidden = costOf(50, (n) => assert.equal(redactor.text(`${n} ${own}.`), `${n} [redacted].`));
  const shown = costOf(50, (n) => assert.equal(forClient.text(`${n} ${own}.`), `${n} ${own}.`));
  assert.ok(shown <= 5 * hidden, `${shown} us, hidden ${hidden} us`);
});
