// The progress that a run of sign-prepare shows.
import assert from 'node:assert/strict';
import test from 'node:test';
import { progressTo } from '../../../proxy/prepare/progress.ts';

function shownOn(isTTY: boolean): string {
  let shown = '';
  const write = (text: string): boolean => Boolean((shown += text));
  const progress = progressTo({ isTTY, write } as never);
  progress.reading(2, 30);
  progress.end();
  for (let done = 1; done <= 30; done += 1) progress.show(done - Math.min(3, done), 30, Math.min(3, done));
  progress.end();
  return shown;
}

test('a run draws one bar on a terminal, with how many have failed', () => {
  const shown = shownOn(true);
  const lines = shown.split('\n');
  assert.equal(lines.length, 3);
  assert.equal(lines[0], '\r\u001b[K2 sources read, 30 texts');
  assert.equal(lines[1]!.split('\r\u001b[K').at(-1), `[${'#'.repeat(30)}] 27 of 30, 3 failed`);
  assert.match(lines[1]!, new RegExp(`\\[${'#'.repeat(15)} {15}\\] 12 of 30, 3 failed`));
});

test('a run writes a plain line for each tenth where there is no terminal', () => {
  const lines = shownOn(false).trimEnd().split('\n');
  assert.equal(lines.length, 10);
  assert.equal(lines[4], '12 of 30, 3 failed');
  assert.ok(['\r', '\u001b', '#'].every((one) => !lines.join('').includes(one)));
});
