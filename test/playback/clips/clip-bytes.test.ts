// The bytes of a clip from media servers that misbehave.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  dripping,
  open,
  refused,
  silent,
  standing,
  status,
  URL_OF_CLIP,
  whole,
  type Answer,
} from './media-server.ts';

for (const [what, answer, longest] of [
  ['never answers', silent, 20],
  ['answers and then sends nothing', standing, 20],
  ['sends a few bytes now and then, for ever,', dripping(100), 20],
  ['sends and sends and comes to no end', dripping(20_000), 300],
] as const) {
  test(`a server that ${what} gets ${longest} s for each of four tries, and then the clip fails`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(1300);
    assert.equal(clip.code, 'media_error');
    assert.equal(clip.askedAt.length, 4);
    assert.ok(clip.seconds() >= 4 * longest, `it took ${clip.seconds()} s`);
  });
}

test('a clip whose length is known is fetched to its end, however long that takes', async (t) => {
  const slow: Answer = async (request) => {
    const { body } = await dripping(20_000, 100)(request);
    return new Response(body, { headers: { 'content-length': '2000000' } });
  };
  const clip = open(t, slow);
  await clip.pass(600);
  assert.deepEqual([clip.size, clip.askedAt], [2_000_000, [0]]);
});

for (const [what, headers, longest] of [
  ['says that it has', { 'content-length': '300000000' }, 6],
  ['turns out to have', {}, 60],
] as const) {
  test(`a clip that ${what} more than 256 MB is played by its address, and not read to its end`, async (t) => {
    const large: Answer = async (request) =>
      new Response((await dripping(30_000_000)(request)).body, { headers });
    const clip = open(t, large);
    await clip.pass(longest);
    assert.deepEqual([clip.outcome, clip.askedAt], [URL_OF_CLIP, [0]]);
  });
}

for (const [what, answer] of [
  ['refuses connections', refused],
  ['answers 500', status(500)],
  ['answers 503', status(503)],
  ['answers 429', status(429)],
  ['answers 202', () => Promise.resolve(new Response('later', { status: 202 }))],
  ['answers 204', status(204)],
  ['answers 200 and no byte', () => Promise.resolve(new Response(''))],
  ['answers 200 and a page', () => Promise.resolve(new Response('\n<!doctype html><title>Log in</title>'))],
  ['answers 200 and an error in JSON', () => Promise.resolve(Response.json({ error: 'busy' }))],
] as const) {
  test(`a media server that ${what} for 50 s loses no clip`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(50);
    assert.equal(clip.outcome, undefined);
    clip.server.answer = whole;
    await clip.pass(9);
    assert.equal(clip.size, 5);
  });

  test(`a media server that ${what} for ever gets requests less and less often, and the clip fails after a minute`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(1000);
    assert.equal(clip.code, 'media_error');
    assert.deepEqual(clip.askedAt.slice(0, 6), [0, 0.5, 1.5, 3.5, 7.5, 15.5]);
    assert.ok(clip.askedAt.length <= 12, `asked ${clip.askedAt.length} times`);
    assert.ok(clip.seconds() > 60 && clip.seconds() < 70, `it took ${clip.seconds()} s`);
  });
}

/** The first bytes, this many, of an MP4 file of 56 bytes (`ftyp` and `mdat`). */
function mp4(length: number): Uint8Array<ArrayBuffer> {
  const file = new DataView(new ArrayBuffer(56));
  for (const [at, word] of [16, 0x66747970, 0, 0, 40, 0x6d646174].entries()) file.setUint32(at * 4, word);
  return new Uint8Array(file.buffer.slice(0, length));
}
const cut: Answer = () => Promise.resolve(new Response(mp4(30)));

test('a file that is cut short is fetched again, not from the cache, and taken when it is whole', async (t) => {
  const clip = open(t, cut);
  await clip.pass(1);
  assert.equal(clip.outcome, undefined);
  clip.server.answer = ({ cache }) => Promise.resolve(new Response(mp4(cache === 'reload' ? 56 : 30)));
  await clip.pass(9);
  assert.equal(clip.size, 56);
});

test("a try uses the browser's cache after one that broke off or stalled, and not after an answer", async (t) => {
  const caches: unknown[] = [];
  const answers = [standing, refused, status(503), refused, whole];
  const next: Answer = (init) => {
    caches.push(init.cache);
    return answers.shift()!(init);
  };
  const clip = open(t, next, { head: refused });
  await clip.pass(60);
  assert.deepEqual([clip.size, caches], [5, ['default', 'default', 'default', 'reload', 'reload']]);
});

test('a file that stays cut short is used as it is after 3.5 s, because a player shows the part that is there', async (t) => {
  const clip = open(t, cut);
  await clip.pass(100);
  assert.equal(clip.size, 30);
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5, 3.5]);
});

test('a clip that its host serves only 2 s after its address is known is fetched there, without a fresh address', async (t) => {
  const clip = open(t, status(404));
  await clip.pass(2);
  clip.server.answer = whole;
  await clip.pass(9);
  assert.equal(clip.size, 5);
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5, 3.5]);
});

test('a clip is renewed after 3.5 s of 404, and a fresh address that answers 404 at once', async (t) => {
  let renewals = 0;
  const renew = (): Promise<string> => Promise.resolve(`${URL_OF_CLIP}?${++renewals}`);
  const clip = open(t, status(404), { renew });
  await clip.pass(100);
  assert.equal(clip.code, 'media_refused');
  assert.equal(renewals, 2);
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5, 3.5, 3.5, 3.5]);
});

test('a file with bytes behind its last box is used at once', async (t) => {
  const clip = open(t, () => Promise.resolve(new Response(new Blob([mp4(56), 'behind it']))));
  await clip.pass(100);
  assert.equal(clip.size, 65);
  assert.deepEqual(clip.askedAt, [0]);
});

test("a clip is fetched once, also when the page's own `fetch` asks for the same clip while it runs", async (t) => {
  const clip = open(t, whole);
  await clip.pass(1);
  clip.askedAt.length = 0;
  clip.bytes.forget();
  clip.server.answer = (init) => {
    clip.server.answer = whole;
    void clip.bytes.load();
    return whole(init);
  };
  clip.again();
  await clip.pass(1);
  assert.equal(clip.size, 5);
  assert.equal(clip.askedAt.length, 1);
});

test('an HTML page in place of a prepared clip is passed on at once, without another try', async (t) => {
  const clip = open(t, () => Promise.resolve(new Response('<!doctype html>')), { isWrong: () => false });
  await clip.pass(100);
  assert.equal(clip.size, 15);
  assert.deepEqual(clip.askedAt, [0]);
});

test('an address that died while the server was away is renewed', async (t) => {
  const clip = open(t, status(503), { renew: () => Promise.resolve('https://media.example/new.mp4') });
  await clip.pass(20);
  const answers = [status(403), whole];
  clip.server.answer = (init) => answers.shift()!(init);
  await clip.pass(9);
  assert.equal(clip.size, 5);
  assert.equal(clip.bytes.url, 'https://media.example/new.mp4');
});

test('a clip that was released while its server is away is not requested again', async (t) => {
  const clip = open(t, refused);
  await clip.pass(2);
  clip.bytes.release();
  await clip.pass(30);
  assert.equal((clip.outcome as Error).name, 'AbortError');
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5]);
});

test('a slow body that comes to its end is used', async (t) => {
  const clip = open(t, dripping(10_000, 10));
  await clip.pass(100);
  assert.equal(clip.size, 100_000);
  assert.equal(clip.askedAt.length, 1);
});

test('after four tries, a clip that a video may play and no script may read is played by its address', async (t) => {
  const clip = open(t, refused);
  clip.page.videoLoads = true;
  await clip.pass(100);
  assert.equal(clip.outcome, URL_OF_CLIP);
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5, 3.5]);
});

test('a clip of a host without CORS is played by its address at once', async (t) => {
  const clip = open(t, refused, { head: () => Promise.resolve({ type: 'opaque' } as Response) });
  await clip.pass(100);
  assert.equal(clip.outcome, URL_OF_CLIP);
  assert.equal(clip.askedAt.length, 1);
});

for (const [videoLoads, ends] of [
  [true, 'is played by its address'],
  [false, 'fails as media_refused'],
] as const) {
  test(`a clip with a 403 at each of three addresses ${videoLoads ? 'that a video gets past, because it sends a referrer,' : ''} ${ends}`, async (t) => {
    const clip = open(t, status(403), { renew: () => Promise.resolve(URL_OF_CLIP) });
    clip.page.videoLoads = videoLoads;
    await clip.pass(100);
    assert.equal(videoLoads ? clip.outcome : clip.code, videoLoads ? URL_OF_CLIP : 'media_refused');
    assert.equal(clip.askedAt.length, 3);
  });
}

test('an address that no script may read and no video plays is renewed twice and then tried for a minute', async (t) => {
  const renewed: string[] = [];
  const renew = (): Promise<string> => {
    renewed.push(`https://media.example/${renewed.length}.mp4`);
    return Promise.resolve(renewed.at(-1)!);
  };
  const clip = open(t, refused, { renew, head: () => Promise.resolve({ type: 'opaque' } as Response) });
  await clip.pass(1);
  assert.equal(await clip.bytes.load(), URL_OF_CLIP);
  for (const times of [1, 2]) {
    assert.equal(clip.bytes.expire(), true);
    assert.equal(await clip.bytes.load(), renewed[times - 1]);
  }
  const start = clip.seconds();
  while (clip.bytes.expire()) {
    clip.again();
    await clip.pass(10);
    assert.equal(clip.outcome, renewed[1]);
  }
  assert.ok(clip.seconds() - start > 60 && clip.seconds() - start < 70, `${clip.seconds() - start} s`);
  assert.equal(renewed.length, 2);
});

test('a clip that is played by its address is shown again, however often its address expires in between', async (t) => {
  let renewals = 0;
  const renew = (): Promise<string> => Promise.resolve(`${URL_OF_CLIP}?${++renewals}`);
  const clip = open(t, refused, { renew, head: () => Promise.resolve({ type: 'opaque' } as Response) });
  await clip.pass(1);
  for (const times of [1, 2, 3]) {
    clip.freeze(600);
    assert.equal(clip.bytes.expire(), true);
    assert.equal(await clip.bytes.load(), `${URL_OF_CLIP}?${times}`);
  }
});

test('a body that breaks off is fetched again: a host whose answer was read has CORS', async (t) => {
  const broken: Answer = () =>
    Promise.resolve(
      new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) })),
    );
  const clip = open(t, broken, { head: () => Promise.resolve({ type: 'opaque' } as Response) });
  await clip.pass(0.1);
  clip.server.answer = whole;
  await clip.pass(9);
  assert.equal(clip.size, 5);
});

for (const refusal of [400, 401]) {
  test(`after a ${refusal} a fresh address is requested, because some stores answer so when a signature has expired`, async (t) => {
    const clip = open(t, status(refusal), { renew: () => Promise.resolve('https://media.example/new.mp4') });
    const answers = [status(refusal), whole];
    clip.server.answer = (init) => answers.shift()!(init);
    await clip.pass(1);
    assert.equal(clip.size, 5);
    assert.equal(clip.bytes.url, 'https://media.example/new.mp4');
  });
}

test('an answer of 402 is final', async (t) => {
  const clip = open(t, status(402));
  await clip.pass(100);
  assert.equal(clip.code, 'media_error');
  assert.equal(clip.askedAt.length, 1);
});

test('released bytes are fetched again, by a fresh address when the old one has come to be refused', async (t) => {
  const clip = open(t, whole, { renew: () => Promise.resolve('https://media.example/new.mp4') });
  await clip.pass(1);
  await clip.bytes.load();
  assert.equal(clip.askedAt.length, 1);
  clip.bytes.forget();
  const answers = [status(403), whole];
  clip.server.answer = (init) => answers.shift()!(init);
  const again = await clip.bytes.load();
  assert.equal(typeof again === 'string' ? null : new TextDecoder().decode(again.bytes), 'bytes');
  assert.equal(clip.bytes.url, 'https://media.example/new.mp4');
  assert.deepEqual(answers, []);
});
