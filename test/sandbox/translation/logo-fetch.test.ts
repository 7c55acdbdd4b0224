// Which logos can be fetched (document 2, logo.url), from a real server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { test, type TestContext } from 'node:test';
import { CappedFetchError } from '../../../demo/sandbox/capped-fetch.ts';
import { fetchLogo } from '../../../demo/sandbox/translation/logo.ts';
import { freePort } from '../../backend/free-port.mjs';
import { listening } from '../../listening.ts';
import { ManualClock } from '../manual-clock.ts';
import { eachCase } from '../each-case.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const png = bytes('\x89PNG\r\n\x1a\n and more');

const refused = (promise: Promise<unknown>, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof CappedFetchError);
    assert.match(error.message, message);
    return true;
  });

/** Fetches from a server that answers like this. */
async function fetched(t: TestContext, listener: RequestListener): Promise<Uint8Array> {
  const clock = new ManualClock();
  const url = await listening(t, createServer(listener));
  try {
    return await fetchLogo(`${url}/start`, clock);
  } finally {
    assert.equal(clock.waiting, 0);
  }
}

const pictures = {
  PNG: png,
  JPEG: bytes('\xff\xd8\xff\xe0 and more'),
  WebP: bytes('RIFF\x10\0\0\0WEBPVP8 and more'),
};
test('a picture is recognised by its bytes, not by its Content-Type', (t) =>
  eachCase(Object.entries(pictures), async ([, file]) => {
    const got = await fetched(t, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(file);
    });
    assert.deepEqual(Buffer.from(got), file);
  }));

const others = {
  GIF: 'GIF89a',
  SVG: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  WAV: 'RIFF\x10\0\0\0WAVE',
  nothing: '',
};
test('a file that is not a picture is refused, also with the Content-Type of a picture', (t) =>
  eachCase(Object.entries(others), async ([, content]) => {
    const got = fetched(t, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes(content));
    });
    await refused(got, /no PNG, JPEG or WebP/);
  }));

test('a logo of 1 MB is accepted, and one byte more is refused', async (t) => {
  const ofSize = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);
  const got = await fetched(t, (_request, response) => response.end(ofSize(1_000_000)));
  assert.equal(got.length, 1_000_000);
  await refused(
    fetched(t, (_request, response) => response.end(ofSize(1_000_001))),
    /more than 1000000 bytes/,
  );
});

test('the download of an endless logo is aborted at 1 MB', async (t) => {
  let wasClosed: Promise<unknown> | undefined;
  const got = fetched(t, (_request, response) => {
    wasClosed = once(response, 'close');
    const more = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(100_000), () => setImmediate(more));
    };
    more();
  });
  await refused(got, /more than 1000000 bytes/);
  await wasClosed;
});

test('the fetch fails when the server does not answer within 5 s', async (t) => {
  const clock = new ManualClock();
  let asked = (): void => {};
  const wasAsked = new Promise<void>((resolve) => (asked = resolve));
  const url = await listening(
    t,
    createServer(() => asked()),
  );
  const got = refused(fetchLogo(url, clock), /more than 5 s/);
  await wasAsked;
  clock.advance(5000);
  await got;
});

test('the fetch fails when the body does not come within 5 s', async (t) => {
  const clock = new ManualClock();
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const url = await listening(
    t,
    createServer((_request, response) => void response.write(png, () => begun())),
  );
  const got = refused(fetchLogo(url, clock), /more than 5 s/);
  await hasBegun;
  clock.advance(5000);
  await got;
});

/** Redirects from `/start` through `/1`, `/2` … to the logo at `/<hops>`. */
const redirects =
  (hops: number): RequestListener =>
  ({ url }, response) => {
    const at = Number(url === '/start' ? 0 : url?.slice(1));
    if (at === hops) response.end(png);
    else response.writeHead(302, { Location: `/${at + 1}` }).end('moved');
  };

test('three redirects are followed, and a fourth is not', async (t) => {
  assert.deepEqual(Buffer.from(await fetched(t, redirects(3))), png);
  await refused(fetched(t, redirects(4)), /redirects more than 3 times/);
});

test('a redirect away from http and https is not followed', (t) =>
  eachCase(
    ['file:///etc/hostname', 'ftp://127.0.0.1/logo.png', 'data:image/png;base64,iVBORw0KGgo='],
    async (location) => {
      const got = fetched(t, (_request, response) => response.writeHead(302, { Location: location }).end());
      await refused(got, /away from http and https/);
    },
  ));

test('a redirect to no address is refused', async (t) => {
  const got = fetched(t, (_request, response) => response.writeHead(302, { Location: 'http://' }).end());
  await refused(got, /leads to no address/);
});

test('an address that is not of http or https is not fetched', () =>
  eachCase(['file:///etc/hostname', 'data:image/png;base64,iVBORw0KGgo=', 'logo.png'], (url) =>
    refused(fetchLogo(url, new ManualClock()), /away from http and https/),
  ));

test('an answer other than success is refused with its status', async (t) => {
  await refused(
    fetched(t, (_request, response) => response.writeHead(404).end(png)),
    /answers 404/,
  );
});

test('a logo of a server that does not exist is refused', async () => {
  const port = await freePort();
  await refused(fetchLogo(`http://127.0.0.1:${port}/`, new ManualClock()), /cannot be fetched/);
});
