// Announcements and translations through the proxy, against the sandbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchManifest } from '../../players/stream-session.ts';
import { until } from '../../until.ts';
import { postJson, sandboxProxy } from './sandbox-proxy.ts';

interface State {
  readonly data: { readonly status: string; readonly downloadUrl?: string; readonly errorLog?: string };
}

async function submit(prefix: string): Promise<string> {
  const { status, body } = await postJson(`${prefix}/v1/sign-requests/train-announcements`, {
    destination: 'KGX',
    timing: '1010',
    platform: '4',
  });
  assert.equal(status, 200);
  return (body as { data: { id: string } }).data.id;
}

/**
 * Polls until the announcement has ended. The proxy passes one of these requests a second to the service, and answers the others
 * itself.
 */
function ended(prefix: string, id: string): Promise<State['data']> {
  const look = async (): Promise<State['data']> => {
    const response = await fetch(`${prefix}/v1/sign-requests/${id}?filter=status`);
    assert.equal(response.status, 200);
    return ((await response.json()) as State).data;
  };
  return until(look, ({ status }) => status !== 'IN_PROGRESS');
}

test('an announcement ends in a video, although the service refuses the token once as expired', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t, { SIGN_REQUESTS_PER_MINUTE: '1000000' });
  const id = await submit(prefix);
  sandbox.setFaults([{ fault: 'rest_error', status: 401, operation: 'announcement_status', count: 1 }]);
  const { status, downloadUrl } = await ended(prefix, id);
  assert.equal(status, 'COMPLETED');
  assert.equal((await fetch(downloadUrl ?? '')).status, 200);
});

test('a token that has expired by the sandbox’s clock is replaced, and the client gets no error', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t);
  await submit(prefix);
  sandbox.setFaults([{ fault: 'advance_clock', seconds: 4_000 }]);
  await submit(prefix);
});

test('an announcement that fails has the error text of the service', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t, { SIGN_REQUESTS_PER_MINUTE: '1000000' });
  sandbox.setFaults([{ fault: 'announcement_fails', error_log: 'no such platform' }]);
  const { status, errorLog } = await ended(prefix, await submit(prefix));
  assert.deepEqual([status, errorLog], ['FAILED', 'no such platform']);
});

const bodyFor = (format: string, method: string, config: object = {}) => ({
  content: { type: 'text', data: 'Hello.' },
  output: { format, delivery: { method, config: { resolution: '854x480', ...config } } },
  context: { application: 'test' },
});

test('mp4 comes as a mediaUrl that plays, hls as manifests that are there', async (t) => {
  const { prefix } = await sandboxProxy(t);
  const mp4 = await postJson(`${prefix}/v2/generate`, bodyFor('mp4', 'download'));
  assert.equal(mp4.status, 200);
  const media = await fetch((mp4.body as { mediaUrl: string }).mediaUrl);
  assert.deepEqual([media.status, media.headers.get('content-type')], [200, 'video/mp4']);
  assert.equal(Buffer.from(await media.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');

  const hls = await postJson(`${prefix}/v2/generate`, bodyFor('hls', 'stream'));
  const { manifests } = hls.body as { manifests: { hls: string; dash: string } };
  assert.match(await (await fetchManifest(manifests.hls)).text(), /^#EXTM3U/);
});

test('a v1 request is a job that can be polled until its media is there', async (t) => {
  const { prefix } = await sandboxProxy(t, { SIGN_REQUESTS_PER_MINUTE: '1000000' });
  const { body } = await postJson(`${prefix}/v1/generate`, bodyFor('mp4', 'download'));
  const { jobId } = body as { jobId: string };
  const look = async (): Promise<Record<string, unknown>> => {
    const response = await fetch(`${prefix}/v1/status/${jobId}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Record<string, unknown>;
  };
  const job = await until(look, ({ status }) => status === 'completed' || status === 'failed');
  assert.equal(job.status, 'completed');
  assert.equal((await fetch(String(job.downloadUrl))).status, 200);
});

test('silence comes in its formats, with the errors of the service', async (t) => {
  const { prefix } = await sandboxProxy(t);
  const silence = await fetch(`${prefix}/v1/silence?language=bsl&signer=rae&format=mp4`);
  const { url } = (await silence.json()) as { url: string };
  assert.equal((await fetch(url)).headers.get('content-type'), 'video/mp4');
  const wrong = await fetch(`${prefix}/v1/silence?transparent=true&format=ts`);
  assert.equal(wrong.status, 400);
  assert.equal(wrong.headers.get('content-type'), 'application/json; charset=utf-8');
});

test('errors of the service reach the client in the service’s own envelope: a bad field, a bad job id, a wrong key, too busy', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t);
  const bad = await postJson(`${prefix}/v2/generate`, bodyFor('avi', 'download'));
  assert.deepEqual([bad.status, (bad.body as { error: string }).error], [400, 'validation_error']);
  const job = await fetch(`${prefix}/v1/status/not-a-uuid`);
  assert.deepEqual([job.status, ((await job.json()) as { error: string }).error], [400, 'invalid_job_id']);
  sandbox.setFaults([{ fault: 'rest_error', status: 503, retry_after: 4, operation: 'silence' }]);
  const busy = await fetch(`${prefix}/v1/silence`);
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '4']);
  const other = await sandboxProxy(t, { SIGN_API_KEY: 'another-key-of-an-account' });
  assert.equal((await postJson(`${other.prefix}/v2/generate`, bodyFor('mp4', 'download'))).status, 401);
});
