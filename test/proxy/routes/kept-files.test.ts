// The folder that replicas share (SIGN_KEPT_FILES) on a disk that hangs, or that does not take a file; and after a long time.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { makeHanging, whenRead } from '../hanging-file.ts';
import { mountedProxy } from '../mounted-proxy.ts';

test('while the disk of the kept files hangs, kept files get 503 and everything else is served', async (t) => {
  const folder = temporaryFolder();
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
  const folder = temporaryFolder();
  const name = 'one-Xy9zW8vU.js';
  mkdirSync(join(folder, 'built/chunks'), { recursive: true });
  writeFileSync(join(folder, 'built/chunks', name), 'one');
  // A folder in place of a full disk, because a file cannot replace a folder.
  mkdirSync(join(folder, 'kept/chunks', name), { recursive: true });
  await mountedProxy(t, {
    env: { SIGN_KEPT_FILES: join(folder, 'kept') },
    config: { elementsDir: join(folder, 'built') },
  });
  assert.deepEqual(readdirSync(join(folder, 'kept/chunks')), [name]);
});

test('the files of a replica that has run for more than 30 days are kept when another build starts', async (t) => {
  const folder = temporaryFolder();
  const kept = join(folder, 'kept');
  const start = (build: string, name: string): ReturnType<typeof mountedProxy> => {
    const elementsDir = join(folder, build);
    mkdirSync(join(elementsDir, 'chunks'), { recursive: true });
    writeFileSync(join(elementsDir, 'chunks', name), build);
    writeFileSync(join(elementsDir, 'chunks', `${name}.gz`), gzipSync(build));
    return mountedProxy(t, { env: { SIGN_KEPT_FILES: kept }, config: { elementsDir } });
  };
  const { clock } = await start('old', 'one-Xy9zW8vU.js');
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  const files = readdirSync(join(kept, 'chunks')).map((name) => join(kept, 'chunks', name));
  for (const file of files) utimesSync(file, longAgo, longAgo);
  clock.advance(24 * 3_600_000);
  await until(() => files.every((file) => statSync(file).mtimeMs > longAgo.getTime() + 1_000));
  const { origin } = await start('new', 'two-Xy9zW8vU.js');
  assert.equal(await (await fetch(`${origin}/sign/chunks/one-Xy9zW8vU.js`)).text(), 'old');
  assert.equal(files.length, 2);
});

test('a file that another replica removes meanwhile does not stop the removal of old ones', async (t) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'chunks'));
  const names = ['one-Xy9zW8vU.js', 'two-Xy9zW8vU.js', 'three-Xy9zW8vU.js'];
  for (const name of names) writeFileSync(join(folder, 'chunks', name), name);
  const [first = '', ...others] = readdirSync(join(folder, 'chunks'));
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  for (const name of others) utimesSync(join(folder, 'chunks', name), longAgo, longAgo);
  // Listed, and not there: as a file that was removed after the folder was listed.
  rmSync(join(folder, 'chunks', first));
  symlinkSync(join(folder, 'none'), join(folder, 'chunks', first));
  await mountedProxy(t, {
    env: { SIGN_KEPT_FILES: folder },
    config: { elementsDir: join(folder, 'none') },
  });
  assert.deepEqual(readdirSync(join(folder, 'chunks')), [first]);
});
