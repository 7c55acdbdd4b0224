// `npm run release`: without `--write` it prints what a release would be and changes nothing; with `--write` it changes files,
// commits and tags.
// - With `--write` it runs in a repository of its own, and npm is a fake program, because it would build and pack for a minute.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { temporaryFolder } from '../temporary-folder.ts';
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
    /^would be: the version in 12 files of examples, WordPress and deployment$/m,
    /^would be: tag v99\.0\.0/m,
    /^would be: sign-elements-99\.0\.0\.tgz: \d+ files/m,
    /^would be: sign-elements-proxy-99\.0\.0\.tgz: \d+ files/m,
    /^would be: sign-elements-sandbox-99\.0\.0\.tgz: \d+ files/m,
    /^would be: published .* by the workflow Release, with provenance$/m,
    /^now: sign-elements\.js integrity="sha384-/m,
  ])
    assert.match(stdout, line);
  assert.deepEqual(
    files.map((file) => readFileSync(file, 'utf8')),
    before,
  );
});

test('an invalid version, or one that is not higher than the last, is refused', () => {
  for (const version of ['', 'next', '1.0', readManifest('package.json').version, '0.0.1'])
    assert.equal(release(version).status, 2, version);
});

test('with --write every file that names the version gets the new one, and the commit has a tag with the notes', () => {
  const clone = temporaryFolder();
  const files = ['package.json', 'CHANGELOG.md', 'demo/examples', 'demo/wordpress', 'proxy/compose.yaml'];
  for (const file of [...files, 'proxy/kubernetes.yaml', 'dist/cdn/integrity.json'])
    cpSync(file, join(clone, file), { recursive: true, filter: (path) => !path.includes('node_modules') });
  const stands = join(clone, 'dist/bin');
  mkdirSync(stands);
  const setVersion = `sed -i 's/"version": ".*"/"version": "'"$2"'"/' package.json`;
  const npm = `#!/bin/sh\ncase $1 in version) ${setVersion};; pack) echo '[]';; esac\n`;
  writeFileSync(join(stands, 'npm'), npm, { mode: 0o755 });
  writeFileSync(join(clone, '.gitignore'), 'dist\n');
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const git = (...args: string[]): string =>
    execFileSync('git', [...author, ...args], { cwd: clone, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'before');
  const { status, stderr } = spawnSync(process.execPath, [resolve('.ci/release.mjs'), '99.0.0', '--write'], {
    cwd: clone,
    encoding: 'utf8',
    env: {
      PATH: `${stands}:${process.env.PATH}`,
      ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' },
      ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' },
    },
  });
  assert.equal(status, 0, stderr);
  const { version } = readManifest('package.json');
  const left = spawnSync(
    'git',
    ['grep', '--files-with-matches', '--fixed-strings', version, '--', ':!CHANGELOG.md'],
    {
      cwd: clone,
      encoding: 'utf8',
    },
  );
  assert.equal(left.stdout, '');
  assert.match(git('show', 'v99.0.0'), /^### Added$/m);
  assert.equal(git('status', '--porcelain'), '');
});

test('the workflow publishes packages that name its repository, with provenance and with an npm that needs no secret for that', () => {
  interface Step {
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
  }
  const { name, permissions, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
    name: string;
    permissions: Record<string, string>;
    jobs: { publish: { steps: Step[] } };
  };
  assert.equal(name, 'Release');
  assert.equal(permissions['id-token'], 'write');
  const { steps } = jobs.publish;
  const at = steps.findIndex(({ run }) => run?.includes('npm publish'));
  assert.match(steps[at]!.run!, /--provenance/);
  const node = steps.slice(0, at).findLast(({ uses }) => uses?.startsWith('actions/setup-node@'));
  // The first Node with npm 11.5.1, which knows trusted publishing.
  assert.ok(Number(node?.with?.['node-version']) >= 24);
  const repositories = ['package.json', 'proxy/package.json', 'demo/sandbox/package.json'].map((file) => {
    const { repository } = JSON.parse(readFileSync(file, 'utf8')) as { repository: { url: string } };
    return repository.url;
  });
  assert.equal(new Set(repositories).size, 1);
});
