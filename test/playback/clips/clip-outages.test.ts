// The bytes of a clip over an outage: the browser goes offline, the page is frozen, or a media host that has worked refuses.
import assert from 'node:assert/strict';
import test from 'node:test';
import { open, refused, silent, status, URL_OF_CLIP, whole } from './media-server.ts';

test('a clip is fetched at once when the browser is online again, however long it was offline', async (t) => {
  const clip = open(t, refused);
  clip.page.navigator.onLine = false;
  await clip.pass(600);
  assert.equal(clip.outcome, undefined);
  clip.server.answer = whole;
  const before = clip.seconds();
  clip.page.goesOnline();
  await clip.pass(1);
  assert.equal(clip.size, 5);
  assert.ok(clip.seconds() - before <= 0.5);
});

for (const [offlineAfter, when] of [
  [0, 'before a video is asked'],
  [4, 'while a video is asked, which Chromium tries for long'],
] as const) {
  test(`a clip is fetched at once when the browser is online again, having gone offline ${when}`, async (t) => {
    const clip = open(t, refused);
    clip.page.videoLoads = null;
    await clip.pass(offlineAfter);
    clip.page.navigator.onLine = false;
    await clip.pass(5);
    clip.server.answer = whole;
    const before = clip.seconds();
    clip.page.goesOnline();
    await clip.pass(20);
    assert.equal(clip.size, 5);
    assert.ok(clip.seconds() - before <= 0.5, `${clip.seconds() - before} s`);
  });
}

test('a clip that a video may play and no script may read is played by its address, also after an offline spell', async (t) => {
  const clip = open(t, refused);
  clip.page.navigator.onLine = false;
  await clip.pass(30);
  clip.page.videoLoads = true;
  clip.page.goesOnline();
  await clip.pass(9);
  assert.equal(clip.outcome, URL_OF_CLIP);
});

test('a page that is frozen for two minutes while a clip is fetched loses no clip', async (t) => {
  const clip = open(t, refused);
  await clip.pass(2);
  clip.freeze(120);
  await clip.pass(2);
  assert.equal(clip.outcome, undefined);
  clip.server.answer = whole;
  await clip.pass(9);
  assert.equal(clip.size, 5);
});

test('a media host whose connections stay silent for 45 s loses no clip: each try waits for 20 s, and one more follows the minute', async (t) => {
  const clip = open(t, silent);
  await clip.pass(45);
  clip.server.answer = whole;
  await clip.pass(20);
  assert.equal(clip.size, 5);
});

test('a host that gave a clip and now refuses is tried for a minute, and no further address is requested', async (t) => {
  let renewals = 0;
  const renew = (): Promise<string> => Promise.resolve(`${URL_OF_CLIP}?${++renewals}`);
  const clip = open(t, whole, { renew, host: { servedAt: -1 } });
  await clip.pass(1);
  assert.equal(clip.size, 5);
  clip.server.answer = status(403);
  clip.bytes.forget();
  clip.again();
  await clip.pass(40);
  assert.deepEqual([clip.outcome, renewals], [undefined, 2]);
  clip.server.answer = whole;
  await clip.pass(8);
  assert.equal(clip.size, 5);
  clip.server.answer = status(410);
  clip.bytes.forget();
  clip.again();
  await clip.pass(70);
  assert.deepEqual([clip.code, renewals], ['media_refused', 4]);
});

for (const [answers, answer, renewedBefore, code] of [
  ['refuses', status(403), 2, 'media_refused'],
  ['has a page in place of', () => Promise.resolve(new Response('<Error/>')), 0, 'media_error'],
] as const) {
  test(`a host that ${answers} one clip while it gives another one has no outage: after two fresh addresses the refusal is final`, async (t) => {
    let renewals = 0;
    const renew = (): Promise<string> => Promise.resolve(`${URL_OF_CLIP}?${++renewals}`);
    const host = { servedAt: 0 };
    const clip = open(t, answer, { renew, host });
    await clip.pass(20);
    assert.deepEqual([clip.outcome, renewals], [undefined, renewedBefore]);
    host.servedAt = performance.now();
    await clip.pass(9);
    assert.deepEqual([clip.code, renewals], [code, 2]);
  });
}

test('a clip that was requested before another one and comes after it is not the latest that the host has given', async (t) => {
  const host = { servedAt: 1e9 };
  const clip = open(t, whole, { host });
  await clip.pass(1);
  assert.deepEqual([clip.size, host.servedAt], [5, 1e9]);
});
