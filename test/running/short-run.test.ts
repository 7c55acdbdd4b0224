// What `npm test` leaves to `npm test -- --all`.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { inShortRun, longPages } from './short-run.mjs';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', file))
  .filter((file) => /\.(?:browser|test)\.ts$/.test(file));

test('each named file exists', () => {
  for (const file of longPages) assert.ok(existsSync(file), file);
});

test('each folder of the elements, of playback and of the session has a file in the short run', () => {
  const folders = new Set(
    files.filter((file) => /^test\/(?:elements|playback|session)\//.test(file)).map(dirname),
  );
  for (const folder of folders)
    assert.ok(
      files.some((file) => dirname(file) === folder && inShortRun(file)),
      folder,
    );
});
