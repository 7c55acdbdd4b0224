// One line on the console for each kind of mistake.
import assert from 'node:assert/strict';
import test from 'node:test';
import { configure } from '../../src/elements/configure.ts';
import { warnOnce } from '../../src/internal/page-settings.ts';

test('each kind of mistake is reported once, with our name at the beginning', (t) => {
  const { mock } = t.mock.method(console, 'warn', () => {});
  warnOnce('row resolution', 'row 1 has a resolution that does not exist');
  warnOnce('row resolution', 'row 2 has a resolution that does not exist');
  warnOnce('row signer', 'row 3 has no signer');
  assert.deepEqual(
    mock.calls.map((call) => call.arguments),
    [['Sign Elements: row 1 has a resolution that does not exist'], ['Sign Elements: row 3 has no signer']],
  );
});

test('a page that wants no log gets none', (t) => {
  const { mock } = t.mock.method(console, 'warn', () => {});
  configure({ log: 'none' });
  warnOnce('row language', 'row 4 has no language');
  configure({ log: undefined });
  warnOnce('row mode', 'row 5 has no mode');
  assert.deepEqual(
    mock.calls.map((call) => call.arguments),
    [['Sign Elements: row 5 has no mode']],
  );
});
