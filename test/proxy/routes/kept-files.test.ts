// The folder that replicas share (SIGN_KEPT_FILES) on a disk that hangs, or that does not take a file.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { makeHanging, whenRead } from '../hanging-file.ts';
import { mountedProxy } from '../mounted-proxy.ts';

test('while the disk of the kept files hangs all else is served, and a kept file is 503 until it answers', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-kept-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const proxy = await mountedProxy(t, {
    env: { SIGN_KEPT_FILES: folder },
    config: { elementsDir: join(folder, 'none') },
  });
  const ask = (path: string): Promise<Response> => fetch(proxy.origin + path);
  const hanging = join(folder, 'chunks/one-Xy9zW8vU.js');
  makeHanging(hanging);
  writeFileSync(join(folder, 'chunks/two-Xy9zW8vU.js'), 'two');

  const one = ask('/sign/chunks/one-Xy9zW8vU.js');
  const release = await whenRead(hanging);
  assert.equal((await ask('/healthz')).status, 200);
  const { client } = await proxy.started();
  assert.equal(client.socket.readyState, client.socket.OPEN);
  proxy.clock.advance(2_000);
  assert.equal((await one).status, 503);
  assert.equal((await ask('/sign/chunks/two-Xy9zW8vU.js')).status, 503);

  release('one');
  const texts = ['one', 'two'].map((name) =>
    until(
      async () => (await ask(`/sign/chunks/${name}-Xy9zW8vU.js`)).text(),
      (text) => text === name,
    ),
  );
  await Promise.all(texts);
});

test('nothing is left of a file that the disk does not take', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-kept-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const name = 'one-Xy9zW8vU.js';
  mkdirSync(join(folder, 'built/chunks'), { recursive: true });
  writeFileSync(join(folder, 'built/chunks', name), 'one');
  // In place of a full disk: a folder cannot be replaced by a file.
  mkdirSync(join(folder, 'kept/chunks', name), { recursive: true });
  await mountedProxy(t, {
    env: { SIGN_KEPT_FILES: join(folder, 'kept') },
    config: { elementsDir: join(folder, 'built') },
  });
  assert.deepEqual(readdirSync(join(folder, 'kept/chunks')), [name]);
});
