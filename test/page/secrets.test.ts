// No credential ever reaches a browser: not in a file that it could load, not in a response, not in a frame.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { apiKey, clientSecret, clientId } = site.backend.sandbox.addresses;
const { proxy } = site.backend.addresses;

/** Each credential plain, in base64 and percent-encoded. */
const needles = [apiKey, clientSecret, clientId].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
]);

const holds = (bytes: Buffer | string): string | undefined =>
  needles.find((needle) => (typeof bytes === 'string' ? bytes.includes(needle) : bytes.includes(needle)));

function* filesIn(directory: string): Generator<string> {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

test('the sandbox has credentials that the tests search for', () => {
  for (const secret of [apiKey, clientSecret, clientId]) assert.match(secret, /sandbox/);
  assert.equal(holds(`x ${apiKey} y`), apiKey);
});

test('no file of the packages or of the demo pages contains a credential', () => {
  const files = ['dist/cdn', 'dist/demo/pages', 'dist/proxy', 'dist/elements', 'dist/session'].flatMap(
    (directory) => [...filesIn(directory)],
  );
  assert.ok(files.length > 20);
  for (const file of files) assert.equal(holds(readFileSync(file)), undefined, file);
});

test('no response, header or frame of a page that signs, fails and ends contains a credential', async () => {
  const { page } = await site.open('<p>Before</p>');
  const session = await page.createCDPSession();
  await session.send('Network.enable', { maxTotalBufferSize: 100_000_000 });
  const seen: { what: string; bytes: Buffer | string }[] = [];
  const bodies: Promise<void>[] = [];
  for (const event of [
    'Network.responseReceived',
    'Network.responseReceivedExtraInfo',
    'Network.webSocketHandshakeResponseReceived',
    'Network.webSocketFrameReceived',
    'Network.webSocketFrameSent',
  ] as const) {
    session.on(event, (params: unknown) => seen.push({ what: event, bytes: JSON.stringify(params) }));
  }
  session.on('Network.loadingFinished', ({ requestId }) => {
    const body = session.send('Network.getResponseBody', { requestId }).then(
      ({ body, base64Encoded }) =>
        void seen.push({ what: 'body', bytes: Buffer.from(body, base64Encoded ? 'base64' : 'utf8') }),
      () => {},
    );
    bodies.push(body);
  });
  await page.evaluate(async (prefix) => {
    await import(`${prefix}/elements.js`);
    const element = document.createElement('sign-translate');
    element.proxy = prefix;
    element.resolution = '480p';
    element.debug = true;
    document.body.append(element);
    await element.sign('Hello');
    element.signer = 'NOBODY';
    await element.sign('Hello again').catch(() => {});
    await element.end();
    await fetch(`${prefix}/ws/`);
    await fetch(`${prefix}/nothing-here`);
  }, proxy);
  await Promise.all(bodies);
  const kinds = new Set(seen.map(({ what }) => what));
  assert.ok(kinds.has('body') && kinds.has('Network.webSocketFrameReceived'), [...kinds].join(' '));
  for (const { what, bytes } of seen) assert.equal(holds(bytes), undefined, what);
  await page.close();
});
