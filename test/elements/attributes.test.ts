// Attributes whose value is one of a few words.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { oneOf } from '../../src/elements/attributes.ts';

const read = oneOf('colour', ['Red', 'blue'], 'blue');

for (const [value, expected] of [
  ['Red', 'Red'],
  ['RED', 'Red'],
  [' red ', 'Red'],
  ['', 'blue'],
  [null, 'blue'],
  [undefined, 'blue'],
] as const) {
  test(`${JSON.stringify(value) ?? 'undefined'} reads ${expected}`, () =>
    assert.equal(read(value), expected));
}

test('an invalid value reads as the default and is reported once', () => {
  const warn = mock.method(console, 'warn', () => {});
  assert.equal(read('green'), 'blue');
  assert.equal(read(17), 'blue');
  assert.equal(warn.mock.callCount(), 1);
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /colour="green"/);
  warn.mock.restore();
});
