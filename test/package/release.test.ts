// `npm run release` without `--write`: it says what a release would be, and changes nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { readManifest } from './built-files.ts';

const release = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['.ci/release.mjs', ...args], { encoding: 'utf8' });

test('a dry run names the version, all archives and the hashes of what a page loads, and writes no file', () => {
  const files = ['CHANGELOG.md', 'package.json', 'package-lock.json'];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  const { status, stdout } = release('99.0.0');
  assert.equal(status, 0);
  for (const line of [
    /^would be: version 99\.0\.0 after \d+\.\d+\.\d+, \d{4}-\d\d-\d\d$/m,
    /^would be: tag v99\.0\.0/m,
    /^would be: sign-elements-99\.0\.0\.tgz: \d+ files/m,
    /^would be: sign-elements-proxy-99\.0\.0\.tgz: \d+ files/m,
    /^would be: sign-elements-sandbox-99\.0\.0\.tgz: \d+ files/m,
    /^now: sign-elements\.js integrity="sha384-/m,
  ])
    assert.match(stdout, line);
  assert.deepEqual(
    files.map((file) => readFileSync(file, 'utf8')),
    before,
  );
});

test('a version that is none, or not above the last one, is refused', () => {
  for (const version of ['', 'next', '1.0', readManifest('package.json').version, '0.0.1'])
    assert.equal(release(version).status, 2, version);
});
