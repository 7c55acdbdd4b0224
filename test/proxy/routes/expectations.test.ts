// Clients that wait for 100 Continue before they send a body (RFC 9110, 10.1.1), at a proxy that listens by itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { A, folder } from '../site-harness.ts';
import { bodyFor } from '../translation-exchange.ts';

const SITES = JSON.stringify({ sites: [{ name: 'a', origins: [A] }] });

async function listening(t: TestContext, env: NodeJS.ProcessEnv) {
  const upstream = await fakeUpstream();
  upstream.status = 200;
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: upstream.url, PORT: '0', ...env }));
  const url = await proxy.listen();
  t.after(async () => {
    await proxy.close();
    await upstream.close();
  });
  return { upstream, url };
}

/** Sends the body when the proxy answers 100. Resolves with the final status and whether the proxy has answered 100. */
async function sendWhenAsked(
  url: string,
  body: string,
  path = '/sign/v2/generate',
): Promise<readonly [status: number, asked: boolean]> {
  const headers = {
    Origin: A,
    Expect: '100-continue',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const sent = request(url + path, { method: 'POST', headers, agent: false });
  let asked = false;
  sent.on('continue', () => {
    asked = true;
    sent.end(body);
  });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  sent.destroy();
  return [response.statusCode ?? 0, asked];
}

for (const sites of ['one site', 'a file of sites']) {
  test(`a client that waits for 100 before its body gets it, unless the body is too large, from a proxy of ${sites}`, async (t) => {
    const env = sites === 'one site' ? { SIGN_ALLOWED_ORIGINS: A } : { SIGN_SITES: folder(SITES).file };
    const { upstream, url } = await listening(t, env);
    assert.deepEqual(await sendWhenAsked(url, JSON.stringify(bodyFor())), [200, true]);
    assert.deepEqual(JSON.parse((await upstream.asked.next()).body), bodyFor());
    assert.deepEqual(await sendWhenAsked(url, 'a'.repeat(300 * 1024)), [413, false]);
    for (const path of ['/nothing', '/sign/nothing'])
      assert.deepEqual(await sendWhenAsked(url, JSON.stringify(bodyFor()), path), [404, false]);
    assert.equal(upstream.asked.all.length, 1);
  });
}
