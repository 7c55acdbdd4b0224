// The dependencies of the two packages: all are declared, none is under a GPL, and none is downloaded from an address of its own.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { elementScripts, packagesImportedBy, readManifest } from './built-files.ts';
import { filesIn } from './source-files.ts';

const proxy = readManifest('dist/proxy/package.json');

test('the proxy imports exactly the packages that it declares', () => {
  assert.deepEqual(
    packagesImportedBy(filesIn(['dist/proxy'], ['.js'])),
    Object.keys(proxy.dependencies).sort(),
  );
});

test('the elements import no package that is not declared', () => {
  const root = readManifest('package.json') as ReturnType<typeof readManifest> & {
    peerDependencies: Record<string, string>;
  };
  const declared = { ...root.dependencies, ...root.peerDependencies };
  const imported = packagesImportedBy(elementScripts());
  assert.ok(imported.includes('lit'));
  assert.deepEqual(
    imported.filter((name) => !Object.hasOwn(declared, name)),
    [],
  );
});

interface LockedPackage {
  license?: string;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  resolved?: string;
}

const locked = (
  JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }
).packages;

/** Where npm finds `name` from `folder`: in that folder, or in the nearest folder above it that has the package. */
function located(name: string, folder: string): string {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const path = join(at, 'node_modules', name);
    if (locked[path]) return path;
    assert.notEqual(at, '', `${name} is in the lock file`);
  }
}

function withDependencies(names: string[], folder: string, reached: Set<string>): Set<string> {
  for (const path of names.map((name) => located(name, folder))) {
    if (reached.has(path)) continue;
    reached.add(path);
    withDependencies(Object.keys(locked[path]?.dependencies ?? {}), path, reached);
  }
  return reached;
}

test('no package that either of the two installs is under a GPL', () => {
  const direct = [
    ...Object.keys(proxy.dependencies),
    ...Object.keys(readManifest('package.json').dependencies),
  ];
  const paths = withDependencies(direct, '', new Set());
  assert.ok(paths.size > direct.length);
  for (const path of paths) {
    assert.ok(existsSync(path), `${path} is installed`);
    const { license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { license?: unknown };
    assert.equal(typeof license, 'string', `${path} names its licence`);
    assert.doesNotMatch(license as string, /GPL/, path);
  }
});

test('the Node version that the proxy requires is one on which all its dependencies run', () => {
  const ours = /^>=(\d+)$/.exec(proxy.engines?.node ?? '')?.[1];
  assert.ok(ours);
  const takesOurs = (range: string): boolean =>
    range.split('||').some((part) => {
      const [, sign, major] = /^\s*(>=|\^)?\s*(\d+)/.exec(part) ?? [];
      return sign === '>=' ? Number(ours) >= Number(major) : ours === major;
    });
  const paths = [...withDependencies(Object.keys(proxy.dependencies), '', new Set())];
  const refusing = paths.filter((path) => !takesOurs(locked[path]?.engines?.node ?? '>=0'));
  assert.ok(paths.length > 20);
  assert.deepEqual(refusing, []);
});

test('the lock file names no address to download from', () => {
  const addressed = Object.entries(locked).filter(([, { resolved }]) => resolved !== undefined);
  assert.deepEqual(addressed, []);
});
