// What a reload of the file of sites keeps of a site when it changes one of its limits.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { CHECK, harness, submit } from '../announcement-harness.ts';
import { openClient, refusedUpgrade } from '../client-socket.ts';
import { folder } from '../site-harness.ts';

interface SiteLimits {
  readonly requestsPerMinute?: number;
  readonly sockets?: number;
}

/** A proxy with one site that allows one socket of an address, and has other limits after `change`. */
async function oneSite(t: TestContext) {
  const content = (limits: SiteLimits): string =>
    JSON.stringify({
      sites: [
        {
          name: 'a',
          origins: ['https://a.example'],
          apiKeyFile: 'a',
          clientId: 'client-1',
          clientSecretFile: 'b',
          limits: { requestsPerMinute: 1_000, sockets: 1, ...limits },
        },
      ],
    });
  const files = folder(content({}));
  const env = { SIGN_API_KEY: '', SIGN_CLIENT_ID: '', SIGN_CLIENT_SECRET: '', SIGN_SITES: files.file };
  const all = await harness(t, { env });
  const change = (limits: SiteLimits): void => {
    files.write('sites.yaml', content(limits));
    const urls = {
      SIGN_API_URL: all.upstream.url,
      SIGN_TRANSPORT_URL: all.api.url,
      SIGN_AUTH_URL: all.auth.url,
    };
    all.proxy.reload(readConfig({ ...env, ...urls }));
  };
  return { ...all, change };
}

test('open sockets count on after a reload that changes another limit', async (t) => {
  const { address, change } = await oneSite(t);
  const { socket } = await openClient(address);
  t.after(() => socket.terminate());
  assert.equal((await refusedUpgrade(address)).body.code, 'too_many_sockets');
  change({ requestsPerMinute: 2_000 });
  assert.equal((await refusedUpgrade(address)).body.code, 'too_many_sockets');
});

test('open sockets count towards the limit of sockets that a reload brings', async (t) => {
  const { address, change } = await oneSite(t);
  const first = await openClient(address);
  t.after(() => first.socket.terminate());
  change({ sockets: 2 });
  const second = await openClient(address);
  t.after(() => second.socket.terminate());
  assert.equal((await refusedUpgrade(address)).body.code, 'too_many_sockets');
  change({ sockets: 1 });
  assert.equal((await refusedUpgrade(address)).body.code, 'too_many_sockets');
});

test('an announcement can be looked up long after a reload that changes a limit', async (t) => {
  const all = await oneSite(t);
  assert.equal((await submit(all)).status, 200);
  all.change({ requestsPerMinute: 2_000 });
  // A proxy that has just started asks the service for unknown ids.
  all.clock.advance(20 * 60_000);
  assert.equal((await fetch(all.origin + CHECK)).status, 200);
});
