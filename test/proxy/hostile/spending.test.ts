// Requests that cost money and that a cap could miss: requests of clients that leave early, texts that cannot be read, streams,
// and sessions that were open before a reload.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { openClient, refusedUpgrade, SESSION_START } from '../client-socket.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { frame } from '../raw-frames.ts';
import { generate, spentBy } from '../spending-harness.ts';

type Pair = Awaited<ReturnType<MountedProxy['started']>>;

const socketUnder = ({ socket }: Pair['client']): Socket =>
  (socket as unknown as { readonly _socket: Socket })._socket;

const text = (id: string, data: string): string => JSON.stringify({ type: 'text', id, data });

test('a paid request counts when its client leaves before the response', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.answer = (response, { request }) => {
    if (request.method === 'GET') response.end();
  };
  const leaving = new AbortController();
  const left = generate(proxy, 'One two three four five.', leaving.signal);
  await proxy.upstream.asked.next();
  leaving.abort();
  await assert.rejects(left);
  assert.equal(await until(() => spentBy(proxy, 'video_seconds')), 4);
  assert.equal(await spentBy(proxy, 'characters'), 24);
});

test('a text without spaces counts by its characters', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.status = 200;
  assert.equal((await generate(proxy, 'a-'.repeat(5_000))).status, 200);
  assert.equal(await spentBy(proxy, 'video_seconds'), 1_001);
});

test('texts count when their client leaves before the results, and answered texts count once', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  for (const id of ['a', 'b', 'c']) {
    client.socket.send(text(id, 'One two three four five.'));
    await session.frames.next();
  }
  const frames = [
    { type: 'result', ref: 'a', url: 'https://a.example/a.mp4', duration_seconds: 3 },
    { type: 'error', ref: 'b', code: 'render_failed' },
  ];
  for (const frame of frames) {
    session.socket.send(JSON.stringify(frame));
    await client.frames.next();
  }
  client.socket.terminate();
  await session.closed;
  assert.equal(
    await until(
      () => spentBy(proxy, 'video_seconds'),
      (seconds) => seconds > 3,
    ),
    7,
  );
});

test('texts whose session the proxy or the service ends do not count, because pages send them again', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  client.socket.send(text('a', 'One two three four five.'));
  await session.frames.next();
  session.socket.terminate();
  assert.equal((await client.closed).reason, 'session_failed');
  assert.equal(await spentBy(proxy, 'video_seconds'), 0);
});

for (const [what, end] of [
  [
    'an unfinished message',
    ({ client }) => void socketUnder(client).write(frame('a'.repeat(200)).subarray(0, 50)),
  ],
  ['what the service closes with 1008 for', ({ session }) => session.socket.close(1008)],
] as const satisfies readonly (readonly [string, (pair: Pair) => void])[]) {
  test(`the texts of a client that ends its session by ${what} count`, async (t) => {
    const proxy = await mountedProxy(t);
    const pair = await proxy.started();
    pair.client.socket.send(text('a', 'One two three four five.'));
    await pair.session.frames.next();
    end(pair);
    const { socket } = pair.client;
    await until(() => {
      if (what === 'an unfinished message') proxy.clock.advance(10_000);
      return socket.readyState === socket.CLOSED;
    });
    assert.equal(await until(() => spentBy(proxy, 'video_seconds')), 4);
  });
}

test('a frame that the proxy cannot read and the service may read counts as a text with all its bytes', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  const frames = [
    `{"type":"text","id":"a","data":"Hello.","x":NaN}`,
    `{"type":"text","id":"b","data":"Hello.","x":[${'0,'.repeat(1_100)}0]}`,
    '{"type":"text","dat\\a":"Hello."}',
    '{"type":"text","data\\u0000a":"Hello."}',
  ];
  for (const frame of frames) {
    client.socket.send(frame);
    await session.frames.next();
  }
  client.socket.send('\uFEFF{"type":"text","id":"c","data":"Hello."}');
  await session.frames.next();
  assert.equal(await spentBy(proxy, 'characters'), frames.join('').length + 'Hello.'.length);
});

test('a frame that the proxy cannot read counts as the longest text that may be sent, and not as a text of 64 kB', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_MAX_TEXT_BYTES: '100' } });
  const { client, session } = await proxy.started();
  client.socket.send(`{"type":"text","data":"a","x":NaN,"y":[${'"a b c d e", '.repeat(500)}0]}`);
  await session.frames.next();
  client.socket.terminate();
  await session.closed;
  const seconds = 1 + 0.6 * (1 + 100 / 2);
  assert.equal(await until(() => spentBy(proxy, 'video_seconds')), seconds);
  assert.equal(await spentBy(proxy, 'characters'), 100);
});

test('open streams count towards the cap while they are open', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_DAILY_SECONDS: '100' } });
  const stream = async (): ReturnType<MountedProxy['pair']> => {
    const pair = await proxy.pair();
    pair.client.socket.send(SESSION_START.replace('translate', 'stream'));
    await pair.session.frames.next();
    return pair;
  };
  const [one, other] = [await stream(), await stream()];
  proxy.clock.advance(40_000);
  const third = await proxy.pair();
  third.client.socket.close();
  await third.session.closed;
  proxy.clock.advance(10_000);
  assert.equal((await refusedUpgrade(proxy.address)).body.code, 'budget_spent');
  one.client.socket.send(text('a', 'Hello.'));
  assert.deepEqual(await one.client.closed, { code: 1008, reason: 'budget_spent' });
  other.client.socket.close();
  await other.session.closed;
  assert.equal(
    await until(
      () => spentBy(proxy, 'video_seconds'),
      (seconds) => seconds > 50,
    ),
    100,
  );
});

/** One site, whose caps are changed by a reload of the file of sites. */
async function site(t: TestContext) {
  const folder = temporaryFolder();
  const file = join(folder, 'sites.json');
  const origin = 'https://a.example';
  const write = (limits: object): void =>
    writeFileSync(file, JSON.stringify({ sites: [{ name: 'a', origins: [origin], limits }] }));
  write({});
  const env = { SIGN_API_KEY: '', SIGN_SITES: file };
  const proxy = await mountedProxy(t, { env });
  const read = (): void => proxy.proxy.reload(readConfig({ ...env, SIGN_API_URL: proxy.upstream.url }));
  const isRefused = (): Promise<boolean> =>
    openClient(proxy.address, { Origin: origin }).then(
      ({ socket }) => socket.terminate() ?? false,
      () => true,
    );
  return { ...proxy, headers: { Origin: origin }, write, read, isRefused };
}

test('a site that is stopped by a reload stops the sessions that were open before it', async (t) => {
  const { pair, headers, write, read, isRefused } = await site(t);
  const { client, session } = await pair(headers);
  client.socket.send(SESSION_START);
  await session.frames.next();
  write({ dailySeconds: 0 });
  read();
  await until(isRefused);
  client.socket.send(text('a', 'Hello.'));
  assert.deepEqual(await client.closed, { code: 1008, reason: 'budget_spent' });
});

test('of two reloads in a row the later one counts', async (t) => {
  const { headers, pair, write, read, isRefused } = await site(t);
  for (let round = 0; round < 5; round += 1) {
    write({ dailySeconds: 1_000 + round });
    read();
    write({ dailySeconds: 0 });
    read();
    await until(isRefused);
    write({ dailySeconds: 0, sockets: 8 });
    read();
    write({});
    read();
    await until(isRefused, (refused) => !refused);
  }
  const { client } = await pair(headers);
  assert.equal(client.socket.readyState, client.socket.OPEN);
});

test('an id that is used twice does not hide the text that is being made', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  const frames = [
    text('a', 'One two three four five.'),
    text('a', 'One.'),
    '{"type":"result.fetch","id":"a","unknown":1}',
  ];
  for (const frame of frames) {
    client.socket.send(frame);
    await session.frames.next();
  }
  for (const code of ['duplicate_id', 'unknown_field']) {
    session.socket.send(JSON.stringify({ type: 'error', ref: 'a', code }));
    await client.frames.next();
  }
  client.socket.terminate();
  await session.closed;
  assert.equal(await until(() => spentBy(proxy, 'video_seconds')), 4);
});

test('results of one id count each, when the service signs each of its texts', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  for (let n = 0; n < 3; n += 1) {
    client.socket.send(text('a', 'One two three.'));
    await session.frames.next();
  }
  for (let n = 0; n < 4; n += 1) {
    session.socket.send(JSON.stringify({ type: 'result', ref: 'a', duration_seconds: 3 }));
    await client.frames.next();
  }
  assert.equal(await spentBy(proxy, 'video_seconds'), 9, 'the fourth is one that was fetched');
});

for (const [seconds, spent] of [
  ['"4.5"', 4.5],
  ['"soon"', 4],
  ['-3', 4],
  ['null', 4],
  ['1e999', 4],
  ['86401', 4],
  ['0', 0],
] as const) {
  test(`a result of ${seconds} seconds counts as ${spent}, and the summary still adds what is missing`, async (t) => {
    const proxy = await mountedProxy(t);
    const { client, session } = await proxy.started();
    client.socket.send(text('a', 'One two three four five.'));
    await session.frames.next();
    session.socket.send(`{"type":"result","ref":"a","duration_seconds":${seconds}}`);
    await client.frames.next();
    assert.equal(await spentBy(proxy, 'video_seconds'), spent);
    session.socket.send('{"type":"session.summary","usage":{"total_video_duration_sec":"5.5"}}');
    await client.frames.next();
    assert.equal(await spentBy(proxy, 'video_seconds'), 5.5);
  });
}
