// What /readyz and the metrics say of the announcements of a site that a reload brings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { A, folder } from '../site-harness.ts';

test('announcements that a reload brings to a site are watched as those of the start', async (t) => {
  const contentWith = (fields: object): string =>
    JSON.stringify({ sites: [{ name: 'a', origins: [A], ...fields }] });
  const files = folder(contentWith({}));
  const nobody = 'http://127.0.0.1:1';
  const env = {
    SIGN_API_KEY: '',
    SIGN_SITES: files.file,
    SIGN_TRANSPORT_URL: nobody,
    SIGN_AUTH_URL: nobody,
  };
  const { clock, origin, proxy, upstream } = await mountedProxy(t, { env });
  const seen = async (): Promise<unknown> => {
    clock.advance(2_000);
    const { down } = (await (await fetch(`${origin}/readyz`)).json()) as { down?: string[] };
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    return [down, /service_up\{part="announcements"\} (\d)/.exec(metrics)?.[1]];
  };
  assert.deepEqual(await seen(), [undefined, undefined]);
  const reload = (fields: object): void => {
    files.write('sites.yaml', contentWith(fields));
    proxy.reload(readConfig({ ...env, SIGN_API_URL: upstream.url }));
  };
  reload({ clientId: 'client-1', clientSecretFile: 'b' });
  assert.deepEqual(await seen(), [['announcements'], '0']);
  reload({});
  assert.deepEqual(await seen(), [undefined, undefined]);
});
