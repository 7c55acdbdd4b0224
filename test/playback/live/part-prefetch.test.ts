// Prefetched parts, against a real server that holds requests for parts that do not exist yet.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import test, { type TestContext } from 'node:test';
import type {
  FragmentLoaderContext,
  HlsConfig,
  LevelDetails,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';
import {
  PartPrefetch,
  prefetchLoader,
  sourceKey,
  type PartBytes,
} from '../../../src/playback/live/part-prefetch.ts';
import { until } from '../../until.ts';
import { listening } from '../../listening.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { replaceGlobals } from '../../replace-globals.ts';

type LoaderClass = Parameters<typeof prefetchLoader>[0];

/**
 * A media server whose answers wait until the test gives them. The clock of the page stands still, because on a busy machine 4 s
 * may pass before a request is sent.
 */
async function mediaServer(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: { path: string; range: string | undefined; response: ServerResponse; gone: boolean }[] = [];
  const server = createServer(({ url, headers }, response) => {
    const one = { path: url ?? '', range: headers.range, response, gone: false };
    response.on('close', () => (one.gone = !response.writableFinished));
    asked.push(one);
    server.emit('asked');
  });
  const address = await listening(t, server);
  return { base: `${address}/live/stream.m3u8?signature=s`, asked };
}

/** A playlist as hls.js reads it: a hint, and the parts that it lists. */
const playlist = (url: string, hint: Record<string, string> | null, listed: string[] = []): LevelDetails =>
  ({
    url,
    endSN: 7,
    preloadHint: hint ?? undefined,
    partList: listed.map((name) => ({ url: new URL(name, url).href, byteRange: [] })),
  }) as unknown as LevelDetails;

const part = (name: string): Record<string, string> => ({ TYPE: 'PART', URI: name });
const text = ({ bytes }: PartBytes): string => Buffer.from(bytes).toString();

test('fetches a hinted part once, and returns it once', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  prefetch.onPlaylist(playlist(base, part('7.1.m4s?s=1')), true);
  prefetch.onPlaylist(playlist(base, part('7.1.m4s?s=1')), true);
  await until(() => asked.length > 0);
  assert.deepEqual([asked.length, asked[0]!.path, asked[0]!.range], [1, '/live/7.1.m4s?s=1', undefined]);
  const place = sourceKey(new URL('7.1.m4s?s=1', base).href);
  const taken = prefetch.take(place);
  assert.ok(taken, 'it can be taken before it is there');
  asked[0]!.response.end('the part');
  const arrived = await taken.bytes;
  assert.equal(text(arrived), 'the part');
  assert.ok(arrived.lastByteAt >= arrived.firstByteAt, 'its bytes came in order');
  assert.equal(prefetch.take(place), null);
});

test('keeps a part that has been listed since then, and fetches the next one', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  prefetch.onPlaylist(playlist(base, part('7.1.m4s')), true);
  await until(() => asked.length === 1);
  prefetch.onPlaylist(playlist(base, part('7.2.m4s'), ['7.0.m4s', '7.1.m4s']), true);
  await until(() => asked.length === 2);
  asked[0]!.response.end('one');
  const one = prefetch.take(sourceKey(new URL('7.1.m4s', base).href));
  assert.equal(text(await one!.bytes), 'one');
  prefetch.clear();
});

test('a part whose address each playlist signs anew is fetched once, by its first address', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  const take = (name: string) => prefetch.take(sourceKey(new URL(name, base).href));
  prefetch.onPlaylist(playlist(base, part('7.2.m4s?sign=a'), ['7.0.m4s?sign=a', '7.1.m4s?sign=a']), true);
  take('7.0.m4s?sign=a');
  await until(() => asked.length === 2);
  const listed = ['7.0.m4s?sign=b', '7.1.m4s?sign=b', '7.2.m4s?sign=b'];
  prefetch.onPlaylist(playlist(base, part('7.3.m4s?sign=b'), listed), true);
  await until(() => asked.length === 3);
  for (const { path, response } of asked) response.end(path);
  assert.equal(text(await take('7.1.m4s?sign=b')!.bytes), '/live/7.1.m4s?sign=a');
  assert.equal(text(await take('7.2.m4s?sign=b')!.bytes), '/live/7.2.m4s?sign=a');
  assert.deepEqual(asked.map(({ path }) => path).sort(), [
    '/live/7.1.m4s?sign=a',
    '/live/7.2.m4s?sign=a',
    '/live/7.3.m4s?sign=b',
  ]);
});

test('parts whose addresses differ in their queries alone are not taken for each other', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  prefetch.onPlaylist(playlist(base, part('part?n=1'), []), true);
  await until(() => asked.length === 1);
  prefetch.onPlaylist(playlist(base, part('part?n=2'), ['part?n=1']), true);
  await until(() => asked.length === 2);
  for (const { path, response } of asked) response.end(path);
  for (const name of ['part?n=1', 'part?n=2']) {
    const taken = prefetch.take(sourceKey(new URL(name, base).href));
    assert.equal(text(await taken!.bytes), `/live/${name}`);
  }
});

test('drops parts that the playlist neither hints at nor lists, and all parts when it is cleared', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  prefetch.onPlaylist(playlist(base, part('7.1.m4s')), true);
  await until(() => asked.length === 1);
  prefetch.onPlaylist(playlist(base, part('8.0.m4s'), ['7.0.m4s']), true);
  await until(() => asked.length === 2 && asked[0]!.gone);
  assert.equal(prefetch.take(sourceKey(new URL('7.1.m4s', base).href)), null);
  prefetch.onPlaylist(playlist(base, part('8.0.m4s')), false);
  await until(() => asked[1]!.gone);
  prefetch.onPlaylist(playlist(base, part('9.0.m4s')), true);
  await until(() => asked.length === 3);
  prefetch.clear();
  await until(() => asked[2]!.gone);
  assert.equal(asked.length, 3);
});

test('with a listed part the parts after it are fetched at once, each once, twelve at most', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  const names = Array.from({ length: 20 }, (_, i) => `7.${i}.m4s`);
  const take = (name: string) => prefetch.take(sourceKey(new URL(name, base).href));
  prefetch.onPlaylist(playlist(base, null, names), true);
  assert.equal(take('7.5.m4s'), null, 'hls.js requests the first of them itself');
  const six = take('7.6.m4s');
  assert.ok(six, 'the next is on its way');
  // A browser opens six connections to a server, Node any number.
  await until(() => asked.length === 13);
  prefetch.onPlaylist(playlist(base, null, names), true);
  assert.ok(take('7.7.m4s'), 'the same playlist once more changes nothing');
  const of = (name: string) => asked.filter(({ path }) => path === `/live/${name}`);
  of('7.6.m4s')[0]!.response.end('six');
  assert.equal(text(await six.bytes), 'six');
  // A part that failed is not prefetched again.
  of('7.8.m4s')[0]!.response.writeHead(404).end();
  await assert.rejects(take('7.8.m4s')!.bytes);
  take('7.9.m4s');
  // All parts after the first.
  await until(() => asked.length === 14);
  assert.deepEqual(
    asked.map(({ path }) => path).sort(),
    names
      .slice(6)
      .map((name) => `/live/${name}`)
      .sort(),
  );
  // Nobody will request a part that is no longer listed.
  prefetch.onPlaylist(playlist(base, null, names.slice(15)), true);
  await until(() => of('7.10.m4s')[0]!.gone && of('7.14.m4s')[0]!.gone);
  assert.equal(of('7.15.m4s')[0]!.gone, false);
  prefetch.clear();
  await until(() => of('7.19.m4s')[0]!.gone);
});

test('in a stream with only segment 0 no further parts are fetched', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  const names = ['0.0.m4s', '0.1.m4s', '0.2.m4s'];
  prefetch.onPlaylist({ ...playlist(base, part('1.0.m4s'), names), endSN: 0 } as LevelDetails, true);
  prefetch.take(sourceKey(new URL('0.0.m4s', base).href));
  await until(() => asked.length > 0);
  assert.deepEqual(
    asked.map(({ path }) => path),
    ['/live/1.0.m4s'],
  );
});

test('fetches the byte range of a hint with a length, and no hint without one', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  const open = { ...part('7.m4s'), 'BYTERANGE-START': '100' };
  prefetch.onPlaylist(playlist(base, open), true);
  prefetch.onPlaylist(playlist(base, { ...open, 'BYTERANGE-LENGTH': '50' }), true);
  await until(() => asked.length === 1);
  assert.equal(asked[0]!.range, 'bytes=100-149');
  asked[0]!.response.writeHead(206).end('x'.repeat(50));
  const taken = prefetch.take(sourceKey(new URL('7.m4s', base).href, 100, 150));
  assert.equal(text(await taken!.bytes).length, 50);
});

test('fetches only parts, and only by http(s)', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  for (const hint of [
    null,
    { TYPE: 'MAP', URI: 'init.mp4' },
    { TYPE: 'PART' },
    part('data:video/mp4,x'),
    part('file:///etc/passwd'),
    part('http://['),
  ]) {
    prefetch.onPlaylist(playlist(base, hint as Record<string, string> | null), true);
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked.length, 0);
});

test('a part that is refused, too long or broken off is left to hls.js, and read no further', async (t) => {
  const { base, asked } = await mediaServer(t);
  const answers: ((response: ServerResponse) => unknown)[] = [
    // Neither body ends by itself.
    (response) => response.writeHead(404).write('x'),
    (response) => response.write(Buffer.alloc(4 * 1024 * 1024 + 1)),
    (response) => (
      response.writeHead(200, { 'content-length': '10' }),
      response.write('x'),
      response.destroy()
    ),
  ];
  const prefetch = new PartPrefetch();
  for (const [i, answer] of answers.entries()) {
    const name = `7.${i}.m4s`;
    prefetch.onPlaylist(playlist(base, part(name)), true);
    await until(() => asked.length === i + 1);
    const taken = prefetch.take(sourceKey(new URL(name, base).href));
    answer(asked[i]!.response);
    await assert.rejects(taken!.bytes);
    await until(() => asked[i]!.gone);
  }
});

test('a part without a first byte in 4 s has failed, and its connection is closed', async (t) => {
  const { base, asked } = await mediaServer(t);
  const prefetch = new PartPrefetch();
  prefetch.onPlaylist(playlist(base, part('7.1.m4s')), true);
  await until(() => asked.length === 1);
  t.mock.timers.tick(3999);
  const taken = prefetch.take(sourceKey(new URL('7.1.m4s', base).href))!;
  t.mock.timers.tick(1);
  await assert.rejects(taken.bytes);
  await until(() => asked[0]!.gone);
});

test('a part that has begun is fetched to its end', async (t) => {
  let stream!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
  const fetch = (_: string, { signal }: RequestInit): Promise<Response> => {
    signal!.addEventListener('abort', () => stream.error(signal!.reason));
    return Promise.resolve(new Response(body));
  };
  replaceGlobals(t, { fetch });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const prefetch = new PartPrefetch();
  const base = 'https://media.example/stream.m3u8';
  prefetch.onPlaylist(playlist(base, part('7.1.m4s')), true);
  stream.enqueue(Buffer.from('the '));
  await promisesSettled();
  t.mock.timers.tick(60_000);
  stream.enqueue(Buffer.from('part'));
  stream.close();
  const taken = prefetch.take(sourceKey(new URL('7.1.m4s', base).href))!;
  assert.equal(text(await taken.bytes), 'the part');
});

test('hls.js waits 4 s for the first byte of a part, and as long as before for the rest', () => {
  const waits: number[] = [];
  class Plain {
    stats = { loading: {} };
    load(_: LoaderContext, { loadPolicy }: LoaderConfiguration): void {
      waits.push(loadPolicy.maxTimeToFirstByteMs);
    }
  }
  const Fragments = prefetchLoader(Plain as unknown as LoaderClass, new PartPrefetch());
  for (const part of [{}, null]) {
    const context = { url: 'https://media.example/7.1.m4s', part } as FragmentLoaderContext;
    const config = { loadPolicy: { maxTimeToFirstByteMs: 10_000 } } as LoaderConfiguration;
    new Fragments({} as HlsConfig).load(context, config, {} as LoaderCallbacks<FragmentLoaderContext>);
  }
  assert.deepEqual(waits, [4000, 10_000]);
});
