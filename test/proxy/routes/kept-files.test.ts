// The folder that replicas share (SIGN_KEPT_FILES) on a disk that hangs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
