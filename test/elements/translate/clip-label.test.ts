// What the picture says of the clip on screen.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ClipLabel } from '../../../src/elements/translate/clip-label.ts';
import { en } from '../../../src/strings/en.ts';

test('the last ten thousand clips of a board that shows clips for months have their label, and no others are kept', () => {
  const board = Object.assign(new EventTarget(), { strings: en }) as unknown as HTMLElement & {
    readonly strings: typeof en;
  };
  const label = ClipLabel.of(board);
  for (let text = 0; text <= 10_000; text += 1) label.add(String(text), { origin: 'human' });
  const labelOf = (ref: string): string => {
    board.dispatchEvent(new CustomEvent('sign-start', { detail: { ref, text: '' } }));
    return board.strings.generated;
  };
  assert.equal(labelOf('10000'), 'Human signer');
  assert.equal(labelOf('1'), 'Human signer');
  assert.equal(labelOf('0'), 'AI-generated');
});
