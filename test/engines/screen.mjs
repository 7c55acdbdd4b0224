// A virtual screen (Xvfb), on which a browser draws WebGL in software: Firefox without a screen has no WebGL.
// - Each browser gets a screen of its own, so nothing opens on the desktop. The screen ends with this process.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { installDebianPackage } from '../debian-package.mjs';

const options = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset'];
const isThere = () => spawnSync('which', ['Xvfb'], { stdio: 'ignore' }).status === 0;

/**
 * Returns a function that ends the child and resolves when it has exited. The exit of this process ends the child too.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => Promise<void>}
 */
export function ender(child) {
  const kill = () => child.kill();
  process.once('exit', kill);
  return async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    kill();
    await gone;
  };
}

/**
 * Starts a screen. Where there is no Xvfb, it installs Debian's package and calls `say`.
 * @param {(step: string) => void} say
 * @returns `display`, the value of DISPLAY for a browser; `close()`
 * @throws an error that says what to install
 */
export async function startScreen(say) {
  if (!isThere()) installDebianPackage('xvfb', say);
  if (!isThere()) throw new Error('These tests need Xvfb: install it so that it is on PATH.');
  const child = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const close = ender(child);
  const failed = once(child, 'exit').then(() => {
    throw new Error('Xvfb has ended before it had a screen.');
  });
  const [number] = await Promise.race([once(createInterface(child.stdio[3]), 'line'), failed]);
  failed.catch(() => {});
  return { display: `:${number}`, close };
}
