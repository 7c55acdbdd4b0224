// The rules for Prometheus and the dashboard for Grafana name only metrics and labels that the proxy has.
// - promtool checks the rules where it is installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createMetrics } from '../../../proxy/metrics.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
const { groups } = parse(readFileSync('proxy/alerts.yaml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap(({ rules: each }) => each);
const { panels } = JSON.parse(readFileSync('proxy/dashboard.json', 'utf8')) as {
  panels: { targets: { expr: string }[] }[];
};
const ofPanels = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const expressions = [...rules.map(({ expr }) => expr), ...ofPanels];

/** Labels by metric, with every metric used once. */
async function published(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics();
  metrics.relayEnded('ended');
  metrics.answered('/a', 200);
  metrics.upstreamAnswered('/a', 200, 1);
  metrics.limitHit('a');
  metrics.videoSpent('a', 1);
  metrics.charactersSpent('a', 1);
  metrics.tokenFetched('ok');
  metrics.redisUp(true);
  metrics.watchService({ upstream: async () => true });
  const known = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of (await metrics.text()).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    known.set(name, new Set([...(known.get(name) ?? []), ...names]));
  }
  return known;
}

const metricsIn = (expr: string): string[] => expr.match(/\b(?:sign_proxy|nodejs|process)_\w+/g) ?? [];

test('every metric and label of the rules and the dashboard is one that the proxy has', async () => {
  const known = await published();
  for (const expr of expressions) {
    const names = metricsIn(expr);
    assert.ok(names.length > 0, expr);
    const labels = new Set(names.flatMap((name) => [...(known.get(name) ?? [])]));
    for (const name of names) assert.ok(known.has(name), `${name} in ${expr}`);
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    const matched = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
    for (const label of [...grouped, ...matched]) assert.ok(labels.has(label), `${label} in ${expr}`);
  }
});

test('the dashboard shows every metric of the proxy, and the docs say what to do at each alert', async () => {
  const shown = new Set(ofPanels.flatMap(metricsIn));
  const own = [...(await published()).keys()].filter((name) => name.startsWith('sign_proxy_'));
  const isShown = (name: string): boolean =>
    [name, name.replace(/_sum$/, '_count')].some((each) => shown.has(each));
  assert.deepEqual(
    own.filter((name) => !isShown(name)),
    [],
  );
  const docs = readFileSync('docs/operating.md', 'utf8');
  for (const { alert } of rules) assert.ok(docs.includes(`\`${alert}\``), alert);
});

test('the docs say for each limit what it means when it is hit', () => {
  const docs = readFileSync('docs/operating.md', 'utf8');
  const files = readdirSync('proxy', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const calls = files.flatMap(
    (file) => readFileSync(join('proxy', file), 'utf8').match(/limitHit\([^)]*\)/g) ?? [],
  );
  const limits = new Set(
    calls.flatMap((call) => call.match(/(?<=')[a-z_]+(?=')/g) ?? []).filter((name) => name !== 'full'),
  );
  assert.ok(limits.size > 10, [...limits].join(' '));
  assert.deepEqual(
    [...limits].filter((name) => !docs.includes(`\`${name}\``)),
    [],
  );
});

if (spawnSync('promtool', ['--version']).status === 0)
  test('promtool reads every rule', () => {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'proxy/alerts.yaml'], {
      encoding: 'utf8',
    });
    assert.match(stdout + stderr, new RegExp(`SUCCESS: ${rules.length} rules found`));
  });
