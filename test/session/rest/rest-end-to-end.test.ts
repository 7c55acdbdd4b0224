// REST and auto against the real sandbox behind the real proxy, over loopback, on the platform's own clock and fetch.
import assert from 'node:assert/strict';
import test, { after, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { startSandbox } from '../../../demo/sandbox/index.ts';
import { createSignClient } from '../../../src/client.ts';
import { ServiceSession, type ServiceSessionOptions } from '../../../src/session/service-session.ts';
import { realProxy } from '../real-proxy.ts';
import { fetchManifest } from '../../players/stream-session.ts';
import { reasonOf } from '../harness.ts';

const sandbox = await startSandbox({ render: { framesPerWord: 2, scale: 0.25 } });
after(() => sandbox.close());

const config = { digital_signer: 'rae', language: 'BSL', resolution: '480p' } as const;

/** A session that ends with the test. */
function sessionOf(t: TestContext, options: ServiceSessionOptions): ServiceSession {
  const session = new ServiceSession(options);
  t.after(() => void session.end());
  return session;
}

/** A session by REST at the proxy with this prefix. */
const restSession = (
  t: TestContext,
  proxy: string,
  mode: 'translate' | 'stream',
  {
    background,
    generateOptions,
    random,
  }: Partial<ServiceSessionOptions & ServiceSessionOptions['rest']> = {},
) =>
  sessionOf(t, {
    transport: 'rest',
    rest: { proxy, background, generateOptions },
    url: '',
    mode,
    config,
    random,
  });

/** The first bytes of the file at an address. */
async function load(
  url: string | null | undefined,
): Promise<{ status: number; type: string; start: string }> {
  assert.ok(url, 'there is an address');
  const answer = await fetchManifest(url);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    start: new TextDecoder().decode(bytes.slice(0, 12)),
  };
}

test('texts by REST become videos that load', async (t) => {
  const { prefix } = await realProxy(t, sandbox);
  const session = restSession(t, prefix, 'translate', { background: '#102030' });
  const calls = ['One.', 'Two.'].map((text) => session.sign(text));
  for (const { result } of calls) {
    const { url } = await result;
    const { status, type, start } = await load(url);
    assert.deepEqual([status, type, start.slice(4, 8)], [200, 'video/mp4', 'ftyp']);
  }
  assert.equal((await load((await session.renew(calls[0]!.ref)).url)).status, 200);
});

test('a text by REST in stream mode is an LL-HLS stream of its own', async (t) => {
  const { prefix } = await realProxy(t, sandbox);
  const session = restSession(t, prefix, 'stream');
  const { manifests, url } = await session.sign('One.').result;
  assert.equal(url, null);
  assert.match((await load(manifests?.hls)).start, /^#EXTM3U/);
  assert.match((await load(manifests?.dash)).start, /^<\?xml/);
});

test('when the service fails twice, the request is made again and the text is signed', async (t) => {
  const { prefix, fault } = await realProxy(t, sandbox);
  await fault({ fault: 'rest_error', status: 500, operation: 'generate', count: 2 });
  const session = restSession(t, prefix, 'translate', { random: () => 0 });
  const errors: string[] = [];
  session.on('sign-error', ({ error }) => errors.push(error.severity));
  assert.ok((await session.sign('One.').result).url, 'it has a video');
  assert.deepEqual(errors, ['warning', 'warning']);
});

test('a refused text rejects with the code and the words of the service', async (t) => {
  const { prefix } = await realProxy(t, sandbox);
  const generateOptions = { output: { delivery: { config: { codec: 'mpeg2' } } } };
  const session = restSession(t, prefix, 'translate', { generateOptions });
  const { result } = session.sign('One.');
  assert.equal(await reasonOf(result), 'validation_error');
  await assert.rejects(result, /codec/);
});

test('the client gets silence, and rejects for a job that is not there', async (t) => {
  const { prefix, fault } = await realProxy(t, sandbox);
  await fault({ fault: 'names', names: { silence_url: 'wo', silence_segments: 'teile' } });
  const client = createSignClient({ proxy: prefix });
  const one = await client.silence({ language: 'BSL', format: 'mp4' });
  assert.equal(one.durationSeconds, 12);
  assert.equal((await load(one.urls[0])).start.slice(4, 8), 'ftyp');
  assert.equal((await client.silence({ language: 'ASL', signer: 'MAX' })).urls.length, 6);
  assert.equal(await reasonOf(client.status('00000000-0000-0000-0000-000000000000')), 'not_found');
  assert.equal(await reasonOf(client.status('x')), 'invalid_job_id');
});

/** A session that chooses its transport by itself. */
const autoSession = (t: TestContext, proxy: string, url: string) =>
  sessionOf(t, {
    transport: 'auto',
    rest: { proxy },
    url,
    mode: 'translate',
    config,
    webSocket: WebSocket,
    random: () => 0,
  });

test('where a V3 session opens the texts go over the socket', async (t) => {
  const { prefix, socketUrl, fault } = await realProxy(t, sandbox);
  await fault({ fault: 'rest_error', status: 500 });
  const session = autoSession(t, prefix, socketUrl);
  const { url, durationSeconds } = await session.sign('One.').result;
  assert.ok(durationSeconds, 'V3 says how long it is');
  assert.equal((await load(url)).type, 'video/mp4');
  const summary = await session.end();
  assert.equal(summary?.usage.messages_processed, 1);
});
