// Accounts of one sandbox beside each other, over real sockets: the faults and limits of one never affect another.
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { startSandbox, type SandboxAddresses } from '../../demo/sandbox/index.ts';
import { V3Client } from './v3/socket.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

const sandbox = await startSandbox({ render: { framesPerWord: 2, scale: 0.25 } });
after(() => sandbox.close());

/** The first account, and another that is closed with the test. */
async function twoAccounts(t: TestContext) {
  const other = await sandbox.openAccount();
  t.after(async () => {
    sandbox.setFaults([]);
    await other.close();
  });
  return { first: sandbox.addresses, other };
}

const control = ({ controlUrl }: SandboxAddresses, key: string | null, body: unknown): Promise<Response> =>
  fetch(controlUrl, {
    method: 'POST',
    headers: { ...JSON_BODY, ...(key !== null && { 'X-API-KEY': key }) },
    body: JSON.stringify(body),
  });

/** Requests an unknown job: the answer is 404 when no fault is in force. */
const status = async ({ apiUrl, apiKey }: SandboxAddresses): Promise<number> =>
  (
    await fetch(`${apiUrl}/v1/status/00000000-0000-4000-8000-000000000000`, {
      headers: { 'X-API-KEY': apiKey },
    })
  ).status;

const token = ({ authUrl, clientId, clientSecret }: SandboxAddresses): Promise<Response> =>
  fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });

const socketOf = async ({ wsUrl, apiKey }: SandboxAddresses): Promise<V3Client> =>
  new V3Client(wsUrl, { 'X-API-KEY': apiKey }).opened();

test('a further account has credentials and media of its own, at the same addresses', async (t) => {
  const { first, other } = await twoAccounts(t);
  for (const name of ['apiUrl', 'wsUrl', 'transportUrl', 'authUrl', 'controlUrl'] as const) {
    assert.equal(other.addresses[name], first[name]);
  }
  for (const name of ['apiKey', 'clientId', 'clientSecret', 'mediaUrl'] as const) {
    assert.notEqual(other.addresses[name], first[name]);
  }
  assert.equal(new URL(other.addresses.mediaUrl).origin, new URL(first.mediaUrl).origin);
});

test('faults of the routes happen to the account that they were set for', async (t) => {
  const { first, other } = await twoAccounts(t);
  other.setFaults([{ fault: 'rest_error', status: 503 }]);
  assert.deepEqual([await status(first), await status(other.addresses)], [404, 503]);
  assert.deepEqual([(await token(first)).status, (await token(other.addresses)).status], [200, 503]);
});

test('an access token is valid for its own account only', async (t) => {
  const { first, other } = await twoAccounts(t);
  other.setFaults([{ fault: 'rest_error', status: 500, operation: 'announcement_status' }]);
  const statusWith = async (addresses: SandboxAddresses): Promise<number> => {
    const { access_token } = (await (await token(addresses)).json()) as { access_token: string };
    const url = `${first.transportUrl}/v1/sign-requests/00000000-0000-4000-8000-000000000000`;
    return (await fetch(url, { headers: { Authorization: `Bearer ${access_token}` } })).status;
  };
  assert.deepEqual([await statusWith(first), await statusWith(other.addresses)], [404, 500]);
});

test('the key of an upgrade decides which account’s faults, limits and clock a socket has', async (t) => {
  const { first, other } = await twoAccounts(t);
  other.setLimits({ max_text_length: 3 });
  other.setFaults([{ fault: 'error', code: 'render_failed' }]);
  const [mine, its] = [await socketOf(first), await socketOf(other.addresses)];
  assert.deepEqual([sandbox.openSockets, other.openSockets], [1, 1]);
  const limits = async (client: V3Client) =>
    ((await client.start().next())['limits'] as { max_text_length: number }).max_text_length;
  assert.deepEqual([await limits(mine), await limits(its)], [5000, 3]);
  mine.send({ type: 'text', id: 'a', data: 'Yes' });
  its.send({ type: 'text', id: 'a', data: 'Yes' });
  const frames = async (client: V3Client) => [(await client.next()).type, (await client.next()).type];
  assert.deepEqual(
    [await frames(mine), await frames(its)],
    [
      ['text.ack', 'result'],
      ['text.ack', 'error'],
    ],
  );
  other.setFaults([{ fault: 'advance_clock', seconds: 3600 }]);
  assert.equal((await its.next())['code'], 'session_expired');
  assert.equal(await its.closed(), 1000);
  mine.send({ type: 'session.end' });
  assert.equal((await mine.next()).type, 'session.summary');
});

test('media faults happen to the addresses that were issued to the account, and to no other', async (t) => {
  const { first, other } = await twoAccounts(t);
  const urlOf = async ({ apiUrl, apiKey }: SandboxAddresses): Promise<string> => {
    const response = await fetch(`${apiUrl}/v1/silence?format=mp4`, { headers: { 'X-API-KEY': apiKey } });
    return ((await response.json()) as { url: string }).url;
  };
  const [mine, its] = [await urlOf(first), await urlOf(other.addresses)];
  other.setFaults([{ fault: 'media_error', status: 410 }]);
  assert.deepEqual([(await fetch(mine)).status, (await fetch(its)).status], [200, 410]);
  other.setFaults([]);
  assert.equal((await fetch(its)).status, 200);
  // An address is signed for its own account.
  assert.equal((await fetch(its.replace(other.addresses.mediaUrl, first.mediaUrl))).status, 403);
});

test('the control route sets the faults of the account of the request’s key, or of the first account without a key', async (t) => {
  const { first, other } = await twoAccounts(t);
  const { apiKey } = other.addresses;
  assert.equal((await control(first, apiKey, [{ fault: 'rest_error', status: 503 }])).status, 200);
  assert.deepEqual([await status(first), await status(other.addresses)], [404, 503]);
  assert.equal((await control(first, null, [{ fault: 'rest_error', status: 500 }])).status, 200);
  assert.deepEqual([await status(first), await status(other.addresses)], [500, 503]);
  assert.equal((await control(first, 'sandbox-account-api-key-none', [])).status, 404);
  assert.equal(await status(first), 500);
});

test('a tool can open an account and close it, except the first', async (t) => {
  const { first } = await twoAccounts(t);
  const url = `${first.controlUrl}/accounts`;
  const opened = await fetch(url, { method: 'POST', headers: JSON_BODY, body: '{}' });
  assert.equal(opened.status, 201);
  const addresses = (await opened.json()) as SandboxAddresses;
  assert.deepEqual(Object.keys(addresses), Object.keys(first));
  const client = await socketOf(addresses);
  assert.equal(await status(addresses), 404);
  const broken = client.closed();
  const close = (key: string) => fetch(url, { method: 'DELETE', headers: { 'X-API-KEY': key } });
  assert.equal((await close(addresses.apiKey)).status, 204);
  assert.equal(await broken, 1006);
  assert.equal(await status(addresses), 401);
  assert.equal((await close(first.apiKey)).status, 403);
  assert.equal((await fetch(url, { method: 'POST', headers: JSON_BODY, body: '[]' })).status, 400);
  assert.equal(await status(first), 404);
});

test('64 accounts may be open at one time', async (t) => {
  const { first, other } = await twoAccounts(t);
  for (let open = 2; open < 64; open++) await sandbox.openAccount();
  const url = `${first.controlUrl}/accounts`;
  assert.equal((await fetch(url, { method: 'POST', headers: JSON_BODY, body: '{}' })).status, 503);
  await other.close();
  assert.equal((await fetch(url, { method: 'POST', headers: JSON_BODY, body: '{}' })).status, 201);
});
