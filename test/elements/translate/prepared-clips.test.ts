// The list of a prepared edition: which texts it gives, and what becomes of a list that does not come.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { install } from '@sinonjs/fake-timers';
import { PreparedClips } from '../../../src/elements/translate/prepared-clips.ts';
import type { SessionSettings } from '../../../src/elements/translate/session-settings.ts';

/** What the site answers in turn; null: nothing, until the request is given up. */
function answerWith(t: TestContext, ...answers: readonly (object | number | null)[]): string[] {
  const asked: string[] = [];
  const waiting = [...answers];
  t.mock.method(console, 'warn', () => {});
  t.mock.method(globalThis, 'fetch', (url: string, { signal }: RequestInit) => {
    asked.push(url);
    const answer = waiting.shift()!;
    if (typeof answer === 'number') return Promise.resolve(new Response('', { status: answer }));
    if (answer) return Promise.resolve(Response.json(answer));
    return new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
    });
  });
  Object.defineProperty(globalThis, 'document', {
    value: { baseURI: 'https://site.example/a/' },
    configurable: true,
  });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
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

test('a list that is not here in 5 s is given up, and asked for again the next time', async (t) => {
  const asked = answerWith(t, null, 500, { version: 9 }, edition(text('here', 'approved')));
  const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const late = PreparedClips.load('/late.json');
  await clock.tickAsync(4_999);
  assert.equal(await Promise.race([late, Promise.resolve('waits')]), 'waits');
  await clock.tickAsync(1);
  assert.equal((await late).find('here', rae), null);
  for (const found of [false, false, true]) {
    const clips = await PreparedClips.load('/late.json');
    assert.equal(clips.find('here', rae) !== null, found);
  }
  assert.equal(asked.length, 4);
});
