// The settings of configure() apply to all later HTTP requests to the proxy.
import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { configure } from '../../src/elements/configure.ts';
import type { GenerateRequest } from '../../src/protocol/translation.ts';
import { createSignClient } from '../../src/session/rest/rest-client.ts';
import { clientHarness } from '../session/rest/rest-harness.ts';

const proxy = 'https://page.example/sign';
const asked: { address: string; init: RequestInit }[] = [];

const toDownload: GenerateRequest = {
  content: { type: 'text', data: 'Good morning.' },
  output: { format: 'mp4', delivery: { method: 'download' } },
  context: { application: 'website' },
};

/** A page's own fetch, which answers every request for silence. */
const own = (address: string, init: RequestInit): Promise<Response> => {
  asked.push({ address, init });
  return Promise.resolve(Response.json({ segments: ['https://media.example/0.ts'] }));
};

const headerNames = (): string[][] => asked.map(({ init }) => [...new Headers(init.headers).keys()]);

/** The HEAD request before a POST. It has no headers, which a proxy on another origin would have to permit. */
const isHead = ({ init }: { init: RequestInit }): boolean => init.method === 'HEAD';

afterEach(() => {
  configure({ fetch: undefined, headers: undefined });
  asked.length = 0;
});

test('the fetch of the page makes all requests, also for a client that was created before', async () => {
  const client = createSignClient({ proxy });
  configure({ fetch: own });
  await client.silence();
  assert.deepEqual(
    asked.map(({ address }) => new URL(address).pathname),
    ['/sign/v1/silence'],
  );
});

test('each request has the headers of the page besides its own, until the page removes them', async () => {
  const client = createSignClient({ proxy });
  configure({ fetch: own, headers: { 'X-Site': 'one', 'Content-Type': 'application/json; v=2' } });
  configure({ strings: {} });
  await client.silence();
  await client.generate(toDownload).catch(() => {});
  configure({ headers: undefined });
  await client.silence();
  assert.deepEqual(headerNames(), [['content-type', 'x-site'], [], ['content-type', 'x-site'], []]);
  assert.deepEqual(asked.map(isHead), [false, true, false, false]);
  assert.equal(new Headers(asked[2]!.init.headers).get('content-type'), 'application/json; v=2');
});

test('a client with a fetch of its own keeps it', async () => {
  configure({ fetch: own });
  const { client, proxy: fake } = clientHarness();
  void client.silence().catch(() => {});
  await Promise.resolve();
  assert.equal(fake.asked.length, 1);
  assert.equal(asked.length, 0);
});
