// The commands of the documents, run by a shell.
// - Programs that use a network are replaced by one that records its calls: npm, npx, git and docker.
// - Curl, openssl, node and the proxy are real. Keys, ports and files of secrets are those of this test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { parse } from 'yaml';
import { startSandbox } from '../../dist/sandbox/index.js';
import { ofLanguage, place } from './samples.ts';

const sandbox = await startSandbox({});
const { apiUrl, apiKey } = sandbox.addresses;
const work = mkdtempSync(join(tmpdir(), 'commands-'));
after(async () => {
  await sandbox.close();
  rmSync(work, { recursive: true });
});

const standIns = join(work, 'bin');
const calls = join(work, 'calls');
for (const folder of ['bin', 'sign-elements', 'public', 'proxy', 'node_modules/sign-elements'])
  mkdirSync(join(work, folder), { recursive: true });
for (const name of ['npm', 'npx', 'git', 'docker'])
  writeFileSync(join(standIns, name), `#!/bin/sh\necho "${name} $*" >> "${calls}"\n`, { mode: 0o755 });
symlinkSync(resolve('dist'), join(work, 'dist'));
symlinkSync(resolve('dist'), join(work, 'node_modules/sign-elements/dist'));
const keyFile = join(work, 'sign-key');
writeFileSync(keyFile, 'a-key-of-at-least-twenty-characters');

const environment = {
  PATH: `${standIns}:${process.env.PATH}`,
  PORT: '0',
  API_KEY: 'a-first-key-of-twenty-characters',
  NEW_KEY: 'a-second-key-of-twenty-characters',
};

/** Runs the commands and resolves with what they printed. A proxy is ended as soon as it listens. */
async function runCommands(code: string): Promise<string> {
  const shell = spawn('bash', ['-e'], { cwd: work, env: environment, detached: true });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      printed += String(chunk);
      if (printed.includes('sign-proxy listens on')) process.kill(-shell.pid!, 'SIGTERM');
    });
  shell.stdin.end(
    code
      .replaceAll('KEY=…', `KEY=${apiKey}`)
      .replaceAll('http://127.0.0.1:8800', apiUrl)
      .replaceAll('/run/secrets/sign-key', keyFile),
  );
  const [exitCode] = (await once(shell, 'close')) as [number | null];
  assert.ok(exitCode === 0 || printed.includes('sign-proxy listens on'), printed);
  return printed;
}

const called = (): string[] => readFileSync(calls, 'utf8').trim().split('\n');

for (const sample of ofLanguage('sh')) {
  test(`${place(sample)} runs`, async () => {
    writeFileSync(calls, '');
    const printed = await runCommands(sample.code);
    if (sample.code.includes('curl')) assert.match(printed, /^HTTP\/1\.1 303[^]*^location: http/m);
    if (sample.code.includes('dist/proxy/main.js')) assert.match(printed, /sign-proxy listens on/);
    for (const call of called()) {
      const [, file] = /^docker .*--file (\S+)/.exec(call) ?? [];
      if (file) assert.ok(existsSync(file), call);
    }
  });
}

test('the commands of docs/operating.md make every file of a secret that the containers read', () => {
  const { secrets } = parse(readFileSync('proxy/compose.yaml', 'utf8')) as {
    secrets: Record<string, { file: string }>;
  };
  for (const { file } of Object.values(secrets)) assert.ok(existsSync(join(work, 'proxy', file)), file);
});
