// The faults of media, over real HTTP and with a manual clock.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce } from '../../../demo/sandbox/faults.ts';
import { createMediaServer, type MediaRoute, notFound } from '../../../demo/sandbox/media/media-origin.ts';
import { listen } from '../../listening.ts';
import { until } from '../../until.ts';
import { ManualClock } from '../manual-clock.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const clock = new ManualClock();
const faults = new FaultsInForce();
/** The pieces in which the bytes of an answer were written to its socket, headers first. */
let pieces: number[] = [];
/** How often `/blocking` was asked, and how often its client was seen to go away. */
let waiting = 0;
let gone = 0;

const files: MediaRoute = {
  owns: (path) => path.startsWith('/media'),
  permits: ({ searchParams }) => searchParams.get('signature') !== 'wrong',
  file: ({ pathname }) =>
    pathname === '/media' ? { type: 'video/mp4', bytes, cacheControl: 'no-cache', tag: null } : notFound,
};
const blocking: MediaRoute = {
  owns: (path) => path === '/blocking',
  permits: () => true,
  file: (_url, signal) =>
    new Promise((resolve) => {
      waiting += 1;
      signal.addEventListener('abort', () => {
        gone += 1;
        resolve(notFound);
      });
    }),
};
const broken: MediaRoute = {
  owns: (path) => path === '/broken',
  permits: () => true,
  file: () => Promise.reject(new Error('a mistake of the route')),
};

const server = createMediaServer(() => ({ routes: [files, blocking, broken], clock, faults }));
let port = 0;

before(async () => {
  server.on('connection', (socket) => {
    const write = socket.write.bind(socket) as (chunk: Buffer, ...rest: never[]) => boolean;
    socket.write = (chunk: Buffer | string, ...rest: never[]) => {
      pieces.push(chunk.length);
      return write(chunk as Buffer, ...rest);
    };
  });
  port = await listen(server);
});

beforeEach(() => {
  pieces = [];
  faults.replace([]);
});

after(() => {
  server.close();
  server.closeAllConnections();
});

const open = (path = '/media', headers: Record<string, string> = {}): ClientRequest =>
  request({ host: '127.0.0.1', port, path, headers, agent: false }).end();

/** The whole answer; `broken` when it ended before its length. */
async function answerOf(asked: ClientRequest) {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let broken = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    broken = true;
  }
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks), broken };
}

const ask = (path?: string) => answerOf(open(path));

const always: readonly (readonly [Fault, status: number, type: RegExp])[] = [
  [{ fault: 'media_refused', count: 2 }, 403, /text\/plain/],
  [{ fault: 'media_error', status: 410, count: 2 }, 410, /text\/plain/],
  [{ fault: 'media_error', status: 500, count: 2 }, 500, /text\/plain/],
  [{ fault: 'media_not_video', count: 2 }, 200, /text\/html/],
];

for (const [fault, status, type] of always) {
  test(`${JSON.stringify(fault)} happens as often as its count says, and a page can read the answer`, async () => {
    faults.replace([fault]);
    for (let time = 0; time < 2; time++) {
      const answer = await ask();
      assert.equal(answer.status, status);
      assert.match(String(answer.headers['content-type']), type);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['access-control-allow-origin'], '*');
    }
    const { status: then, body } = await ask();
    assert.equal(then, 200);
    assert.deepEqual(new Uint8Array(body), bytes);
  });
}

test('a wrongly signed address is refused and takes no fault', async () => {
  faults.replace([{ fault: 'media_error', status: 500, count: 1 }]);
  assert.equal((await ask('/media?signature=wrong')).status, 403);
  assert.equal((await ask()).status, 500);
});

test('a refusal can be limited to one address', async () => {
  faults.replace([{ fault: 'media_refused', address: 'look=1' }]);
  assert.equal((await ask('/media?look=2')).status, 200);
  assert.equal((await ask('/media?look=1')).status, 403);
});

test('media that is delayed arrives after the delay and not before', async () => {
  faults.replace([{ fault: 'media_slow', ms: 5000, count: 1 }]);
  const answer = ask();
  await until(() => clock.waiting === 1);
  clock.advance(4999);
  assert.deepEqual(pieces, []);
  clock.advance(1);
  const { status, body } = await answer;
  assert.equal(status, 200);
  assert.equal(body.length, 1000);
});

test('slow media comes at the bytes a second that the fault names', async () => {
  faults.replace([{ fault: 'media_slow', bytes_per_second: 500, count: 1 }]);
  const answer = ask();
  const sent = (): number => pieces.slice(1).reduce((sum, length) => sum + length, 0);
  for (let second = 1; second <= 2; second++) {
    const end = clock.now() + 1000;
    while (clock.now() < end) {
      await until(() => clock.waiting === 1);
      clock.advance(Math.min(40, end - clock.now()));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(Math.abs(sent() - second * 500) <= 20, `${sent()} bytes after ${second} s`);
  }
  const { body } = await answer;
  assert.deepEqual(new Uint8Array(body), bytes);
});

test('media that trickles comes in pieces of exactly that many bytes', async () => {
  faults.replace([{ fault: 'media_trickle', bytes: 300, count: 1 }]);
  const { body } = await ask();
  assert.deepEqual(new Uint8Array(body), bytes);
  assert.deepEqual(pieces.slice(1), [300, 300, 300, 100]);
});

test('media that trickles slowly comes in such pieces and at that rate', async () => {
  faults.replace([{ fault: 'media_trickle', bytes: 400, count: 1 }, { fault: 'media_slow', bytes_per_second: 400, count: 1 }]); // oxfmt-ignore
  const answer = ask();
  for (let piece = 1; piece <= 2; piece++) {
    await until(() => clock.waiting === 1);
    assert.equal(pieces.length, 1 + piece);
    clock.advance(1000);
  }
  const { body } = await answer;
  assert.equal(body.length, 1000);
  assert.deepEqual(pieces.slice(1), [400, 400, 200]);
});

for (const cut of [0, 1, 700]) {
  test(`media that is cut ends after ${cut} bytes of the length it announced`, async () => {
    faults.replace([{ fault: 'media_cut', after_bytes: cut, count: 1 }]);
    const { status, headers, body, broken } = await ask();
    assert.equal(status, 200);
    assert.equal(headers['content-length'], '1000');
    assert.equal(broken, true);
    assert.deepEqual(new Uint8Array(body), bytes.slice(0, cut));
  });
}

test('media that is shorter than its cut comes whole', async () => {
  faults.replace([{ fault: 'media_cut', after_bytes: 1000, count: 1 }]);
  const { body, broken } = await ask();
  assert.equal(broken, false);
  assert.equal(body.length, 1000);
});

test('media that stalls sends the given number of bytes, and its connection stays open', async () => {
  faults.replace([{ fault: 'media_cut', after_bytes: 700, stands: true, count: 1 }]);
  const [response] = (await once(open(), 'response')) as [IncomingMessage];
  let got = 0;
  response.on('data', (chunk: Buffer) => (got += chunk.length)).on('error', () => {});
  await until(() => got === 700);
  assert.equal(response.complete, false);
  response.destroy();
});

test('a host without ranges and lengths sends the whole in chunks', async () => {
  faults.replace([{ fault: 'media_host', ranges: false, length: false, type: 'text/plain' }]);
  const { status, headers, body } = await answerOf(open('/media', { Range: 'bytes=10-19' }));
  assert.equal(status, 200);
  assert.deepEqual(new Uint8Array(body), bytes);
  assert.equal(headers['accept-ranges'], undefined);
  assert.equal(headers['content-length'], undefined);
  assert.equal(headers['content-type'], 'text/plain');
});

test('a host that redirects does so as often as the fault says', async () => {
  faults.replace([{ fault: 'media_host', redirects: 2 }]);
  const addresses = ['/media?signature=right'];
  let answer = await ask(addresses[0]);
  for (; answer.status === 302; answer = await ask(addresses.at(-1))) {
    const { pathname, search } = new URL(answer.headers.location!, 'http://media.invalid');
    addresses.push(pathname + search);
  }
  assert.equal(addresses.length, 3);
  assert.deepEqual(new Uint8Array(answer.body), bytes);
});

test('only for the addresses that the fault names does the host refuse scripts and require a referrer', async () => {
  faults.replace([{ fault: 'media_host', address: '?here', cors: false, referrer: true }]);
  const asked = ['/media?there', '/media?here'].map((path) => ask(path));
  const answers = [
    ...(await Promise.all(asked)),
    await answerOf(open('/media?here', { Referer: 'http://a/' })),
  ];
  const answered = answers.map(({ status, headers }) => [status, headers['access-control-allow-origin']]);
  assert.deepEqual(answered, [[200, '*'], [403, undefined], [200, undefined]]); // oxfmt-ignore
});

test('a range is delivered as whole media are', async () => {
  faults.replace([{ fault: 'media_trickle', bytes: 4, count: 1 }]);
  const { status, body } = await answerOf(open('/media', { Range: 'bytes=10-19' }));
  assert.equal(status, 206);
  assert.deepEqual(new Uint8Array(body), bytes.slice(10, 20));
  assert.deepEqual(pieces.slice(1), [4, 4, 2]);
});

for (const slow of [{ ms: 60_000 }, { bytes_per_second: 10 }]) {
  test(`a client that goes away from ${JSON.stringify(slow)} leaves no timer`, async () => {
    faults.replace([{ fault: 'media_slow', ...slow, count: 1 }]);
    const asked = open().on('error', () => {});
    await until(() => clock.waiting === 1);
    asked.destroy();
    await until(() => clock.waiting === 0);
  });
}

const leavings: readonly (readonly [how: string, leave: (asked: ClientRequest) => void])[] = [
  ['its client goes away', (asked) => void asked.destroy()],
  ['the server closes its connections', () => server.closeAllConnections()],
];

for (const [how, leave] of leavings) {
  test(`a route that waits learns when ${how}`, async () => {
    const [waited, left] = [waiting, gone];
    const asked = open('/blocking').on('error', () => {});
    await until(() => waiting === waited + 1);
    leave(asked);
    await until(() => gone === left + 1);
  });
}

test('an exception in a route is 500 and its message is not sent', async (t) => {
  const answered = t.mock.method(console, 'error', () => {});
  const { status, body } = await ask('/broken');
  assert.equal(status, 500);
  assert.doesNotMatch(body.toString(), /mistake/);
  assert.equal(answered.mock.callCount(), 1);
});
