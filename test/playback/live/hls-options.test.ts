// Options of hls.js that a page sets with configure().
import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import type { HlsConfig, Loader, LoaderContext, LoaderStats } from 'hls.js';
import { configure } from '../../../src/elements/configure.ts';
import { hlsEngine } from './hls-in-node.ts';

const asked: string[] = [];
const configs: HlsConfig[] = [];

/** A page's own loader, which never answers. */
class OwnLoader {
  readonly context = null;
  readonly stats = {} as LoaderStats;
  constructor(config: HlsConfig) {
    configs.push(config);
  }
  load({ url }: LoaderContext): void {
    asked.push(url);
  }
  abort(): void {}
  destroy(): void {}
}
const loader = OwnLoader as unknown as new (config: HlsConfig) => Loader<LoaderContext>;

const address = 'https://media.example/live.m3u8';

/** Plays the address with the options in force. */
async function play(): Promise<void> {
  const engine = await hlsEngine();
  engine.load(address);
  await engine.destroy();
}

afterEach(() => {
  configure({ hls: undefined, log: undefined });
  asked.length = configs.length = 0;
});

test('the loader of a page makes the requests of a stream, and its other options count', async () => {
  configure({ hls: { loader, backBufferLength: 7, startPosition: 99 } });
  await play();
  assert.deepEqual(asked, [address]);
  assert.equal(configs[0]?.backBufferLength, 7);
  assert.equal(configs[0]?.startPosition, -1, 'where it starts is ours');
});

test('with the option cmcd each request has the session id for a CDN', async () => {
  configure({ hls: { loader, cmcd: { sessionId: 'one', useHeaders: false } } });
  await play();
  const sent = new URL(asked[0]!).searchParams.get('CMCD') ?? '';
  assert.match(sent, /\bsid="one"/);
});
