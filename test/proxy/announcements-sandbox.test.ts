// An announcement through the proxy, against the sandbox: from the form to the video.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
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

/** Asks until it has ended; the proxy answers all but one a second by itself. */
function ended(prefix: string, id: string): Promise<State['data']> {
  const look = async (): Promise<State['data']> => {
    const response = await fetch(`${prefix}/v1/sign-requests/${id}?filter=status`);
    assert.equal(response.status, 200);
    return ((await response.json()) as State).data;
  };
  return until(look, ({ status }) => status !== 'IN_PROGRESS');
}

test('an announcement ends in a video, over a token that the sandbox took for expired once', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t, { SIGN_REQUESTS_PER_MINUTE: '1000000' });
  const id = await submit(prefix);
  sandbox.setFaults([{ fault: 'rest_error', status: 401, operation: 'announcement_status', count: 1 }]);
  const { status, downloadUrl } = await ended(prefix, id);
  assert.equal(status, 'COMPLETED');
  assert.equal((await fetch(downloadUrl ?? '')).status, 200);
});

test('a token that has expired by the sandbox’s clock is replaced before anyone notices', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t);
  await submit(prefix);
  sandbox.setFaults([{ fault: 'advance_clock', seconds: 4_000 }]);
  await submit(prefix);
});

test('an announcement that fails says so in the service’s words', async (t) => {
  const { prefix, sandbox } = await sandboxProxy(t, { SIGN_REQUESTS_PER_MINUTE: '1000000' });
  sandbox.setFaults([{ fault: 'announcement_fails', error_log: 'no such platform' }]);
  const { status, errorLog } = await ended(prefix, await submit(prefix));
  assert.deepEqual([status, errorLog], ['FAILED', 'no such platform']);
});
