// A folder in which the packed package and the tools of the documents are installed, and which has projects that use them.
// - The tools are no dependencies of the repository. npm must reach its registry.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The tools. The documents name the version of each that the tests use. */
export const tools = {
  ...{ webpack: '5.113.0', 'webpack-cli': '7.3.1', 'webpack-dev-server': '6.1.0' },
  ...{ vite: '8.3.8', vue: '3.5.45', '@vitejs/plugin-vue': '6.0.11' },
  ...{ '@angular/core': '20.3.35', '@angular/common': '20.3.35', '@angular/compiler': '20.3.35' },
  ...{ '@angular/platform-browser': '20.3.35', rxjs: '7.8.2' },
  ...{ jest: '30.5.2', 'jest-environment-jsdom': '30.5.2', 'babel-jest': '30.5.2' },
  ...{ '@babel/core': '7.29.13', '@babel/preset-env': '7.29.14' },
  ...{ vitest: '4.1.12', 'happy-dom': '21.0.4', jsdom: '29.1.1' },
  '@playwright/test': '1.65.1',
};

const START_MS = 120_000;
const work = mkdtempSync(join(tmpdir(), 'tools-'));

/** Resolves with what the command printed on its standard output. */
async function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

export async function install(): Promise<void> {
  const packed = await runIn('.', 'npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work]);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const dependencies = { ...tools, 'sign-elements': `file:${filename}` };
  writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await runIn(work, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
}

export const remove = (): void => rmSync(work, { recursive: true });

/** Makes a project of these files, by their paths; the folder's name is the project's. */
export function project(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(work, name);
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs a tool to its end in a project; rejects with what it printed unless it ends well. */
export async function runTool(
  folder: string,
  tool: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  await runIn(folder, join(work, 'node_modules/.bin', tool), args, env);
}

/** Runs a tool that serves `origin` as long as `use` runs. */
export async function whileServing(
  folder: string,
  tool: string,
  args: readonly string[],
  origin: string,
  use: () => Promise<void>,
): Promise<void> {
  const server = spawn(join(work, 'node_modules/.bin', tool), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Some tools are several processes; they are ended as a group.
    detached: true,
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (said += String(data)));
  const ended = once(server, 'exit');
  try {
    const end = Date.now() + START_MS;
    while (!(await fetch(origin).catch(() => null))?.ok) {
      if (Date.now() > end || server.exitCode !== null) throw new Error(`${tool} does not answer\n${said}`);
      await delay(100);
    }
    await use();
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!);
    await ended;
  }
}
