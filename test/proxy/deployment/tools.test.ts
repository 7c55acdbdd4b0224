// The files for operators, checked by the operators' own tools: the rules by promtool, the unit by systemd.
// - Each tool runs where it is installed; alerts.test.ts and manifests.test.ts check the same files everywhere.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const isThere = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;
const said = (tool: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};

if (isThere('promtool'))
  test('promtool reads every rule', () => {
    const rules = readFileSync('proxy/alerts.yaml', 'utf8').match(/^\s+- alert:/gm)?.length;
    assert.match(
      said('promtool', 'check', 'rules', 'proxy/alerts.yaml'),
      new RegExp(`SUCCESS: ${rules} rules found`),
    );
  });

if (isThere('systemd-analyze'))
  test('systemd reads the unit, and rates its exposure as the docs say', () => {
    const unit = 'proxy/sign-proxy.service';
    const [, level] =
      /exposure level for \S+: (\S+)/.exec(
        said('systemd-analyze', 'security', '--offline=true', '--no-pager', unit),
      ) ?? [];
    // Versions of systemd weigh settings a little differently.
    assert.ok(Number(level) > 0 && Number(level) < 2, level);
    const [, documented] =
      /`systemd-analyze security` gives it (\S+) of 10/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
    assert.ok(Math.abs(Number(level) - Number(documented)) < 0.5, `${level}, and the docs say ${documented}`);
  });

// A test that runs everywhere, because a file without a test is a failure.
test('the unit and the rules are the files that the tools read', () => {
  assert.match(readFileSync('proxy/sign-proxy.service', 'utf8'), /^ExecStart=/m);
  assert.match(readFileSync('proxy/alerts.yaml', 'utf8'), /^groups:/m);
});
