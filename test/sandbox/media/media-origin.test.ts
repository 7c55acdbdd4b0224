// The media origin over real HTTP, with clips that need no encoder.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { clipRoute, ClipStore } from '../../../demo/sandbox/media/clip-store.ts';
import { FaultsInForce } from '../../../demo/sandbox/faults.ts';
import { createMediaServer } from '../../../demo/sandbox/media/media-origin.ts';
import { presign } from '../../../demo/sandbox/media/signed-url.ts';
import { listen } from '../../listening.ts';
import { ManualClock } from '../manual-clock.ts';
import { specOf } from './media-spec.ts';

const secret = 'a secret of this test';
const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const clock = new ManualClock();
const faults = new FaultsInForce();
const clips = new ClipStore(
  {
    encode: ({ container }) =>
      Promise.resolve({
        files: container === 'ts' ? [bytes, bytes.slice(0, 500)] : [bytes],
        durationSeconds: 1,
        stages: { text_to_gloss: 0, gloss_translation: 0, stream_generator: 0 },
      }),
  },
  () => Infinity,
);
const server = createMediaServer(() => ({ routes: [clipRoute(clips, { clock, secret })], clock, faults }));
const signed = (pathname: string): string => presign(secret, pathname, clock.now() + 300_000);
let port = 0;
let path = '';

before(async () => {
  port = await listen(server);
});

beforeEach(async () => {
  faults.replace([]);
  const { files } = await clips.mediaOf(specOf('a'), () => {});
  path = signed(files[0]!.path);
});

after(() => {
  server.close();
  server.closeAllConnections();
});

async function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const asked = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

test('a presigned URL gives the whole clip to any page', async () => {
  const { status, headers, body } = await ask(path, { headers: { Origin: 'http://page.test' } });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'video/mp4');
  assert.equal(headers['content-length'], '1000');
  assert.equal(headers['accept-ranges'], 'bytes');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['access-control-expose-headers']), /Content-Length.*Content-Range/);
  assert.equal(headers['access-control-allow-credentials'], undefined);
  assert.deepEqual(new Uint8Array(body), bytes);
});

test('each segment has an address and a signature of its own', async () => {
  const { files } = await clips.mediaOf(specOf('a', { container: 'ts', segmentSeconds: 1 }), () => {});
  const [first, second] = files.map((file) => file.path);
  const { status, headers, body } = await ask(signed(second!));
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'video/mp2t');
  assert.equal(body.length, 500);
  const borrowed = signed(first!).replace(first!, second!);
  assert.equal((await ask(borrowed)).status, 403);
});

test('a request for a range of a clip is 206 with exactly those bytes', async () => {
  const { status, headers, body } = await ask(path, { headers: { Range: 'bytes=10-19' } });
  assert.equal(status, 206);
  assert.equal(headers['content-range'], 'bytes 10-19/1000');
  assert.equal(headers['content-length'], '10');
  assert.deepEqual(new Uint8Array(body), bytes.slice(10, 20));
});

test('a range past the end of a clip is 416, and the answer says how long the clip is', async () => {
  const { status, headers } = await ask(path, { headers: { Range: 'bytes=1000-' } });
  assert.equal(status, 416);
  assert.equal(headers['content-range'], 'bytes */1000');
  assert.equal(headers['access-control-allow-origin'], '*');
});

test('HEAD gives the size and sends nothing', async () => {
  const { status, headers, body } = await ask(path, { method: 'HEAD' });
  assert.equal(status, 200);
  assert.equal(headers['content-length'], '1000');
  assert.equal(body.length, 0);
});

test('a preflight for a range is answered without a signature', async () => {
  const { status, headers } = await ask('/clips/x.mp4', {
    method: 'OPTIONS',
    headers: { Origin: 'http://page.test', 'Access-Control-Request-Headers': 'range' },
  });
  assert.equal(status, 204);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['access-control-allow-headers']), /Range/);
  assert.match(String(headers['access-control-allow-methods']), /GET, HEAD/);
});

test('other methods are 405', async () => {
  assert.equal((await ask(path, { method: 'POST' })).status, 405);
});

test('a URL expires after 5 minutes and answers 403 that a page can read', async () => {
  clock.advance(299_999);
  assert.equal((await ask(path)).status, 200);
  clock.advance(1);
  const { status, headers } = await ask(path);
  assert.equal(status, 403);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['cache-control'], 'no-store');
});

test('any other address with that signature is 403', async () => {
  const { pathname, searchParams } = new URL(path, 'http://media.test');
  const expires = Number(searchParams.get('expires'));
  const signature = String(searchParams.get('signature'));
  for (const wrong of [
    pathname,
    `${pathname}?expires=${expires}`,
    `${pathname}?signature=${signature}`,
    `${pathname}?expires=${expires + 1}&signature=${signature}`,
    `${pathname}?expires=1e99&signature=${signature}`,
    `${pathname}?expires=${expires}&signature=${signature.replace(/^./, (c) => (c === '0' ? '1' : '0'))}`,
    `${pathname}?expires=${expires}&signature=${signature}00`,
    path.replace(pathname, `/clips/${'0'.repeat(32)}.mp4`),
    presign('another secret', pathname, expires),
  ]) {
    assert.equal((await ask(wrong)).status, 403, wrong);
  }
});

test('a missing file is 404', async () => {
  const gone = signed(`/clips/${'0'.repeat(32)}.mp4`);
  const otherEnding = signed(new URL(path, 'http://media.test').pathname.replace('.mp4', '.mov'));
  for (const missing of [gone, otherEnding, '/', '/clips/', '/clips/../secret', '/clips/x.mp4']) {
    assert.equal((await ask(missing)).status, 404, missing);
  }
});

test('an address that cannot be parsed is 400', async () => {
  assert.equal((await ask('//')).status, 400);
});
