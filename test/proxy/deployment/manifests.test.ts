// The systemd unit and the Kubernetes manifests: their values fit the program and each other.
// - systemd-analyze reads the unit where it is installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../../proxy/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { texts } from './files.ts';

/** The longest that a drain takes, as docs/operating.md says. */
const DRAIN_SECONDS = 15;

const values = (name: string): string[] =>
  [...texts.unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

test('the unit waits for the drain, reloads by SIGHUP, keeps secrets in credentials, and may write only its state', () => {
  assert.ok(Number(values('TimeoutStopSec')[0]) > DRAIN_SECONDS);
  assert.match(values('ExecReload')[0] ?? '', /-HUP \$MAINPID$/);
  const env = values('Environment').flatMap((line) => line.split(' '));
  const files = env.filter((entry) => entry.includes('_FILE=') && !entry.startsWith('SIGN_SPENDING_FILE='));
  const loaded = values('LoadCredential').map((entry) => entry.split(':')[0]);
  assert.deepEqual(
    files.map((entry) => /=%d\/(\w+)$/.exec(entry)?.[1]),
    loaded,
  );
  assert.ok(env.includes(`SIGN_SPENDING_FILE=%S/${values('StateDirectory')[0]}/spending.json`));
  for (const [name, value] of Object.entries({
    DynamicUser: 'yes',
    ProtectSystem: 'strict',
    ReadWritePaths: undefined,
  }))
    assert.equal(values(name)[0], value, name);
});

if (spawnSync('systemd-analyze', ['--version']).status === 0)
  test('systemd reads the unit, and rates its exposure as the docs say', () => {
    const args = ['security', '--offline=true', '--no-pager', 'proxy/sign-proxy.service'];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    const [, level] = /exposure level for \S+: (\S+)/.exec(stdout) ?? [];
    assert.ok(Number(level) < 2, level);
    const [, documented] =
      /`systemd-analyze security` gives it (\S+) of 10/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
    // Versions of systemd weigh settings a little differently.
    assert.ok(Math.abs(Number(level) - Number(documented)) < 0.5, `${level}, and the docs say ${documented}`);
  });

test('on a new machine the lines in the head of the unit install everything that the unit names', () => {
  const root = temporaryFolder();
  for (const file of ['dist/proxy/main.js', 'proxy/sign-proxy.service', 'api_key', 'operator_token'].concat(
    'etc/systemd/system/another.service',
  )) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  const head = texts.unit.slice(0, texts.unit.indexOf('[Unit]'));
  const commands = [...head.matchAll(/^# {3}(.+?)(?:\s+\(and .*|\s+\(each .*)?$/gm)].map(([, line]) => line);
  const script = ['npm() { :; }; systemctl() { :; }', ...commands]
    .join('\n')
    .replaceAll(/ \/(etc|opt)\//g, ` ${root}/$1/`);
  const { status, stderr } = spawnSync('bash', ['-euc', script], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const named = [
    ...(values('ExecStart')[0] ?? '').matchAll(/(\/opt\S+)/g),
    ...values('EnvironmentFile').join().matchAll(/(.+)/g),
    ...values('LoadCredential').join('\n').matchAll(/:(.+)/g),
  ].map(([, path = '']) => path);
  assert.equal(named.length, 4);
  for (const path of [...named, '/etc/systemd/system/sign-proxy.service'])
    assert.ok(existsSync(join(root, path)), path);
});

test('the memory limits leave room above the limit of the heap', () => {
  const heap = (text: string): number => Number(/--max-old-space-size=(\d+)/.exec(text)?.[1]);
  const [most = ''] = values('MemoryMax');
  const limits = [
    most,
    /mem_limit: 512m/.exec(texts.compose)?.[0],
    /limits: \{ memory: 512Mi \}/.exec(texts.kubernetes)?.[0],
  ];
  for (const limit of limits) assert.match(limit ?? '', /512/);
  for (const text of [values('ExecStart')[0] ?? '', texts.dockerfile]) {
    assert.ok(heap(text) >= 256, 'a heap for 10,000 sockets');
    assert.ok(heap(text) + 128 <= Number.parseInt(most), 'room for buffers beside it');
  }
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly spec: any;
}

test('the manifests name each other’s ports, labels and objects, and the pod outlives the drain', () => {
  const manifests = parseAllDocuments(texts.kubernetes).map((each) => each.toJS() as Manifest);
  const of = (kind: string): Manifest => {
    const found = manifests.find((each) => each.kind === kind);
    assert.ok(found, kind);
    return found;
  };
  const { metadata, spec } = of('Deployment');
  const { spec: pod, metadata: labelled } = spec.template;
  const [container] = pod.containers;
  const env: Record<string, string> = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const ports: Record<string, number> = Object.fromEntries(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
      name,
      containerPort,
    ]),
  );
  const secretless = Object.entries(env).filter(([name]) => !name.endsWith('_FILE'));
  const config = readConfig(Object.fromEntries(secretless));
  assert.deepEqual(ports, { pages: config.port, operations: config.operationsPort });
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    assert.deepEqual(container[probe].httpGet, { path: '/healthz', port: 'operations' }, probe);
  assert.ok(pod.terminationGracePeriodSeconds > config.drainDelay + DRAIN_SECONDS);
  assert.equal(labelled.annotations['prometheus.io/port'], String(config.operationsPort));

  const { labels } = labelled;
  assert.deepEqual(spec.selector.matchLabels, labels);
  assert.deepEqual(of('PodDisruptionBudget').spec.selector.matchLabels, labels);
  const service = of('Service').spec;
  assert.deepEqual(service.selector, labels);
  assert.deepEqual(
    service.ports.map(({ targetPort }: { targetPort: string }) => targetPort),
    ['pages'],
    'operations are not served to the ingress',
  );
  const scaler = of('HorizontalPodAutoscaler').spec;
  assert.deepEqual([scaler.scaleTargetRef.kind, scaler.scaleTargetRef.name], ['Deployment', metadata.name]);
  assert.ok(scaler.minReplicas >= 2 && spec.replicas === undefined);
  assert.equal(scaler.metrics[0].pods.metric.name, 'sign_proxy_sockets');

  const [volume] = pod.volumes;
  const [mount] = container.volumeMounts;
  assert.equal(mount.name, volume.name);
  for (const [name, path] of Object.entries(env))
    if (name.endsWith('_FILE')) assert.equal(path.slice(0, path.lastIndexOf('/')), mount.mountPath, name);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
});
