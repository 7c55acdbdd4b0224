// The connections that an address may have after a reload has given a site another limit of sockets.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Config, createSignProxy, readConfig } from '../../../proxy/index.ts';
import { until } from '../../until.ts';
import { A, folder } from '../site-harness.ts';

const siteWith = (sockets: number): string =>
  JSON.stringify({ sites: [{ name: 'a', origins: [A], limits: { sockets } }] });

test('an address may have four connections for each socket that a reload allows it', async (t) => {
  const files = folder(siteWith(1));
  const env = { PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1', SIGN_MAX_SOCKETS_PER_CLIENT: '1' };
  const config = (): Config => readConfig({ ...env, SIGN_SITES: files.file });
  const proxy = createSignProxy(config());
  const { origin, hostname, port } = new URL(await proxy.listen());
  const connections = Array.from({ length: 12 }, () =>
    connect(Number(port), hostname)
      .on('error', () => undefined)
      .resume(),
  );
  t.after(async () => {
    for (const connection of connections) connection.destroy();
    await proxy.close();
  });
  await until(() => connections.filter(({ destroyed }) => destroyed).length === 8);
  assert.equal((await fetch(`${origin}/healthz`)).status, 429);
  files.write('sites.yaml', siteWith(2));
  proxy.reload(config());
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});
