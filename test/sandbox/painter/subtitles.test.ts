// Embedded subtitles: they show the whole text in time, never leave the picture, and are white on dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '../../../demo/sandbox/painter/layout.ts';
import { pageAt, textWidth, wrap } from '../../../demo/sandbox/painter/text.ts';
import { colour } from '../../../demo/sandbox/painter/picture.ts';
import { idleScript, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { ink, styleOf, painted, same, white, within } from './frames.ts';

const long = 'The train to Leeds is late because of a signal that would not turn green. '.repeat(6).trim();

test('subtitles are white on a dark band at the lower edge, from the first frame to the last', () => {
  for (const wordPanel of [true, false]) {
    const style = styleOf({ subtitles: true, wordPanel, backdrop: '#ffffff' });
    const script = scriptOf('One two three', null);
    const place = layoutOf(style, null, true).subtitles!;
    for (const frame of [0, 20, script.gloss.frames - 1]) {
      const values = within(painted(style, script, frame), { ...place, left: 580, right: 700 });
      assert.ok(white(values) > 400 && ink(values) > 3000, `panel ${wordPanel}, frame ${frame}`);
    }
  }
});

test('the sentence is not shown twice, because with subtitles the panel has only the word', () => {
  const style = styleOf({ subtitles: true });
  const { panel, subtitles } = layoutOf(style, null, true);
  const script = scriptOf('One two three', null);
  const word = (frame: number) =>
    within(painted(style, script, frame), { ...panel!, bottom: subtitles!.top });
  assert.ok(ink(word(script.gloss.words[1]!.from)) > 300);
  assert.equal(ink(word(0)), 0);
});

test('at most two lines are shown, which have the word that is signed, and the whole text is shown in order', () => {
  const size = 28;
  const lines = wrap(long, size, 600);
  assert.ok(lines.length > 6);
  for (const { from, to } of lines) assert.ok(textWidth(long.slice(from, to), size) <= 600);
  const seen = new Set<number>();
  for (const { word, at } of scriptOf(long, null).gloss.words) {
    const page = pageAt(lines, at);
    assert.ok(page.length <= 2);
    assert.ok(page.some(({ from, to }) => at >= from && at + word.length <= to), word); // oxfmt-ignore
    for (const { from } of page) seen.add(from);
  }
  assert.deepEqual([...seen], lines.map(({ from }) => from)); // oxfmt-ignore
});

test('subtitles change with the page and not with every word, and the last page stays to the end', () => {
  const style = styleOf({ subtitles: true, wordPanel: false });
  const script = scriptOf(long, null);
  const { words, frames } = script.gloss;
  const band = (frame: number) =>
    within(painted(style, script, frame), layoutOf(style, null, true).subtitles!);
  assert.ok(same(band(0), band(words[3]!.from)));
  assert.ok(!same(band(0), band(words.at(-1)!.from)));
  assert.ok(same(band(words.at(-1)!.from), band(frames - 1)));
});

test('no part of a subtitle is outside the picture, however long a word is', () => {
  for (const [width, height] of [
    [426, 240],
    [720, 1280],
  ] as const) {
    // oxfmt-ignore
    const style = styleOf({ width, height, subtitles: true, wordPanel: false, backdrop: '#ffffff' });
    const script = scriptOf('w'.repeat(400), null);
    const { left, top, bottom } = layoutOf(style, null, true).subtitles!;
    const picture = painted(style, script, 6);
    const edge = within(picture, { left, top, right: left + 4, bottom });
    assert.ok(edge.every((value) => value === 235));
    assert.ok(ink(picture.y.subarray(width * top)) > 1000);
  }
});

test('while nothing is signed there is no band', () => {
  const style = styleOf({ subtitles: true, wordPanel: false, backdrop: '#ffffff' });
  const place = { ...layoutOf(style, null, true).subtitles!, right: 400 };
  for (const script of [idleScript, scriptOf('', null)]) {
    assert.ok(within(painted(style, script, 3), place).every((value) => value === colour('#ffffff').y));
  }
});
