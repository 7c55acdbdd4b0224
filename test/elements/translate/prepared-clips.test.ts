// The list of a prepared edition: which texts have a clip, and what happens when the list does not load.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { install } from '@sinonjs/fake-timers';
import { PreparedClips } from '../../../src/elements/translate/prepared-clips.ts';
import type { SessionSettings } from '../../../src/elements/translate/session-settings.ts';
import { replaceGlobals } from '../../replace-globals.ts';

/** The answers of the site, in order; null for no answer until the request is aborted. */
function answerWith(t: TestContext, ...answers: readonly (object | number | null)[]): string[] {
  const asked: string[] = [];
  const waiting = [...answers];
  t.mock.method(console, 'warn', () => {});
  t.mock.method(globalThis, 'fetch', (url: string, { signal }: RequestInit) => {
    asked.push(url);
    const answer = waiting.shift()!;
    if (answer instanceof Response) return Promise.resolve(answer);
    if (typeof answer === 'number') return Promise.resolve(new Response('', { status: answer }));
    if (answer) return Promise.resolve(Response.json(answer));
    return new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
    });
  });
  replaceGlobals(t, {
    document: { baseURI: 'https://site.example/a/' },
    navigator: { onLine: true },
    window: new EventTarget(),
  });
  return asked;
}

const settings = (digital_signer: string, language: 'BSL' | 'ASL'): SessionSettings =>
  ({ proxy: 'https://site.example/sign', config: { digital_signer, language } }) as SessionSettings;
const rae = settings('rae', 'BSL');

const text = (words: string, state: string): object => ({
  ...{ hash: words, text: words, file: `clips/${words}.mp4`, state, seconds: 1, bytes: 1 },
});
const edition = (...texts: object[]): object => ({
  ...{ version: 1, signer: 'RAE', language: 'BSL', resolution: '720p', texts },
});

test('a text plays when it is approved or replaced, for its signer and language, from beside the list', async (t) => {
  const texts = ['approved', 'replaced', 'draft', 'rejected'].map((state) => text(state, state));
  const asked = answerWith(t, edition(...texts));
  const clips = await PreparedClips.load('../signs/one.json');
  const found = (words: string, who = rae): unknown[] => {
    const clip = clips.find(words, who);
    return clip ? [clip.url, clip.origin] : [];
  };
  assert.deepEqual(found(' approved'), ['https://site.example/signs/clips/approved.mp4', 'reviewed']);
  assert.deepEqual(found('replaced'), ['https://site.example/signs/clips/replaced.mp4', 'human']);
  assert.deepEqual([...found('draft'), ...found('rejected'), ...found('none')], []);
  assert.deepEqual(
    [...found('approved', settings('Jay', 'ASL')), ...found('approved', settings('Ann', 'BSL'))],
    [],
  );
  assert.equal((await PreparedClips.load('../signs/one.json  only')).only, true);
  assert.deepEqual(asked, ['https://site.example/signs/one.json']);
});

test('a clip that is missing is made by the service, with the ticket of the element', async (t) => {
  answerWith(t, edition(text('here', 'approved')));
  const clips = await PreparedClips.load('/ticket.json');
  const tickets: (string | null)[] = [];
  t.mock.method(globalThis, 'fetch', (_: string, { method, headers }: RequestInit) => {
    if (method !== 'POST') return Promise.resolve(new Response());
    tickets.push(new Headers(headers).get('x-sign-ticket'));
    return Promise.resolve(Response.json({ mediaUrl: 'https://media.example/new.mp4' }));
  });
  const clip = clips.find('here', { ...rae, ticket: 'key.payload.mac' })!;
  assert.equal(await clip.renew(new AbortController().signal), 'https://media.example/new.mp4');
  assert.deepEqual(tickets, ['key.payload.mac']);
});

test('what is no address is a list that does not load', async (t) => {
  answerWith(t);
  t.mock.method(globalThis, 'fetch', (url: string) => Promise.reject(new TypeError(`no address: ${url}`)));
  assert.equal((await PreparedClips.load('http://')).find('here', rae), null);
});

test('a list of which no byte comes for 10 s is given up, and requested again the next time', async (t) => {
  const asked = answerWith(t, null, 500, { version: 9 }, edition(text('here', 'approved')));
  const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const late = PreparedClips.load('/late.json');
  await clock.tickAsync(10_099);
  assert.equal(await Promise.race([late, Promise.resolve('waits')]), 'waits');
  await clock.tickAsync(1);
  assert.equal((await late).find('here', rae), null);
  for (const found of [false, false, true]) {
    const clips = await PreparedClips.load('/late.json');
    assert.equal(clips.find('here', rae) !== null, found);
  }
  assert.equal(asked.length, 4);
});

test('where only prepared texts are signed, a list that the site may have later is requested again, and no text is lost', async (t) => {
  const asked = answerWith(t, 503, new Response('<!doctype html>'), 429, edition(text('here', 'approved')));
  const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  t.after(() => clock.uninstall());
  const late = PreparedClips.load('/again.json only');
  await clock.tickAsync(3_500);
  assert.notEqual((await late).find('here', rae), null);
  assert.equal(asked.length, 4);
});

test('where only prepared texts are signed, each text fails with media_error when the list does not come in a minute or is not there', async (t) => {
  answerWith(t, ...Array<number>(11).fill(503), 404);
  const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  t.after(() => clock.uninstall());
  const never = PreparedClips.load('/away.json only');
  await clock.tickAsync(60_000);
  for (const clips of [await never, await PreparedClips.load('/away.json only')])
    assert.throws(() => clips.find('here', rae), { code: 'media_error' });
});

test('a list is requested again for no longer than a minute, also when the system clock is set back', async (t) => {
  answerWith(t, ...Array<number>(30).fill(503));
  const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: Date.now() });
  t.after(() => clock.uninstall());
  const answer = globalThis.fetch;
  t.mock.method(globalThis, 'fetch', (url: string, init: RequestInit) => {
    clock.setSystemTime(Date.now() - 3_600_000);
    return answer(url, init);
  });
  let isOver = false;
  void PreparedClips.load('/set-back.json only').then(() => (isOver = true));
  await clock.tickAsync(90_000);
  assert.ok(isOver);
});

test('while the browser is offline a text waits for the list, and the service is not asked', async (t) => {
  const asked = answerWith(t, edition(text('here', 'approved')));
  replaceGlobals(t, { navigator: { onLine: false } });
  const answer = globalThis.fetch;
  t.mock.method(globalThis, 'fetch', (url: string, init: RequestInit) =>
    navigator.onLine ? answer(url, init) : Promise.reject(new TypeError('Failed to fetch')),
  );
  const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  t.after(() => clock.uninstall());
  const late = PreparedClips.load('/offline.json');
  await clock.tickAsync(600_000);
  Object.assign(navigator, { onLine: true });
  window.dispatchEvent(new Event('online'));
  assert.notEqual((await late).find('here', rae), null);
  assert.equal(asked.length, 1);
});

test('a text waits for a slow list while bytes come, and no longer when no more come', async (t) => {
  const whole = new TextEncoder().encode(JSON.stringify(edition(text('here', 'approved'))));
  const streams: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>[] = [];
  const slow = (): Response =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (stream) => void streams.push(stream) }),
    );
  const answers = [slow(), slow()];
  const asked = answerWith(t);
  t.mock.method(globalThis, 'fetch', (url: string, { signal }: RequestInit) => {
    asked.push(url);
    const stream = streams[asked.length - 1]!;
    signal!.addEventListener('abort', () => stream.error(signal!.reason));
    return Promise.resolve(answers[asked.length - 1]);
  });
  const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const late = PreparedClips.load('/slow.json');
  for (let at = 0; at < whole.length; at += 20) {
    await clock.tickAsync(9_000);
    streams[0]!.enqueue(whole.slice(at, at + 20));
  }
  streams[0]!.close();
  assert.notEqual((await late).find('here', rae), null);
  const never = PreparedClips.load('/stands.json');
  streams[1]!.enqueue(whole.slice(0, 20));
  await clock.tickAsync(10_100);
  assert.equal((await never).find('here', rae), null);
});

test('a hostile list is refused, and the page goes on without it', async (t) => {
  const here = text('here', 'approved');
  let sent = 0;
  let isEnded = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (stream) => {
      stream.enqueue(new Uint8Array(1_000_000).fill(32));
      sent += 1;
    },
    cancel: () => void (isEnded = true),
  });
  const files = ['javascript:alert(1)', 'https://evil.example/a.mp4', '//evil.example/a.mp4', '/a.mp4'];
  files.push('../a.mp4', 'clips/../../a.mp4', 'a\\b.mp4', 'data:video/mp4,a', 'clips/%2e%2e/a.mp4');
  const lists = files.map((file) => edition({ ...here, file }));
  const odd = [[], { texts: {} }, edition(null as never), edition({ ...here, seconds: '1' })];
  answerWith(t, new Response(endless), new Response('<!doctype html>'), ...lists, ...odd, edition(here));
  const load = async (): Promise<boolean> =>
    (await PreparedClips.load('/bad.json')).find('here', rae) !== null;
  for (let bad = 2 + lists.length + odd.length; bad > 0; bad -= 1) assert.equal(await load(), false);
  assert.ok(isEnded && sent < 40);
  assert.equal(await load(), true);
});

test('a text with the name of a property that every object has is found only when the list has it', async (t) => {
  answerWith(t, edition(text('constructor', 'approved')));
  const clips = await PreparedClips.load('/names.json');
  const found = ['constructor', '__proto__', 'toString'].map((words) => clips.find(words, rae) !== null);
  assert.deepEqual(found, [true, false, false]);
});

test('clips of a list on another site come from there', async (t) => {
  answerWith(t, edition(text('here', 'approved')));
  const clips = await PreparedClips.load('https://media.example/signs/signs.json');
  assert.equal(clips.find('here', rae)?.url, 'https://media.example/signs/clips/here.mp4');
});
