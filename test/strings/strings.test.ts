// Interface texts: every language is complete, and every error has a sentence.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownErrors } from '../../src/protocol/own-errors.ts';
import { serviceErrors } from '../../src/protocol/service-errors.ts';
import { en } from '../../src/strings/en.ts';
import { liveEn } from '../../src/strings/live.ts';
import { readingEn } from '../../src/strings/reading.ts';
import { barEn } from '../../src/strings/bar.ts';
import { errorMessage, errorsEn } from '../../src/strings/errors.ts';
import { waitEn } from '../../src/strings/wait.ts';
import { configure } from '../../src/elements/configure.ts';
import { listeners, stringsFor } from '../../src/strings/strings.ts';

for (const [tag, play] of [
  ['en-GB', 'Play'],
  ['fr', 'Lire'],
  ['FR-ca', 'Lire'],
  ['es-419', 'Reproducir'],
  ['de_DE', 'Abspielen'],
  ['en_GB', 'Play'],
  ['tlh', 'Play'],
  ['', 'Play'],
  ['constructor', 'Play'],
] as const) {
  test(`lang="${tag}" reads "${play}"`, async () => assert.equal((await stringsFor(tag)).play, play));
}

/** Keys, those of groups included, with the texts. */
const textsOf = (strings: object): [string, string][] =>
  Object.entries(strings).flatMap(([key, text]: [string, string | object]) =>
    typeof text === 'string'
      ? [[key, text] as [string, string]]
      : textsOf(text).map(([own, one]) => [`${key}.${own}`, one] as [string, string]),
  );

const english = textsOf({
  ...en,
  bar: barEn,
  errors: errorsEn,
  live: liveEn,
  reading: readingEn,
  wait: waitEn,
});

for (const tag of ['ar', 'cy', 'de', 'es', 'fr', 'pt']) {
  test(`${tag} has every text that English has, none of them is empty, and it names its language`, async () => {
    const strings = await stringsFor(tag);
    const texts = textsOf(strings);
    assert.deepEqual(texts.map(([key]) => key).sort(), english.map(([key]) => key).sort());
    assert.ok(texts.every(([, text]) => text.trim() !== ''));
    assert.equal(strings.lang, tag);
  });
}

test('every error code, known or not, has a sentence, and a retry is offered when it may help', () => {
  const sentences = [...Object.values(errorsEn), en.errorLoad];
  const known = Object.entries({ ...ownErrors, ...serviceErrors });
  const errors = [
    ...known.map(([code, { severity }]) => ({ code, severity })),
    { code: 'new_code', severity: 'message' as const },
    { code: '__proto__', severity: 'message' as const },
  ];
  for (const error of errors) assert.ok(sentences.includes(errorMessage(error, en).text), error.code);
  const final = errors.filter((error) => !errorMessage(error, en).retry).map(({ code }) => code);
  const refused = ['invalid_request', 'origin_refused', 'ticket_refused', 'budget_spent', 'not_found'];
  assert.deepEqual(final, [
    'empty_text',
    'invalid_signer',
    ...refused,
    'invalid_session_start',
    'text_too_long',
  ]);
  // The severity that the REST client gives these errors.
  const byRest = ['proxy_unreachable', 'upstream_unreachable', 'rate_limited', 'overloaded', 'restarting'];
  for (const code of byRest)
    assert.equal(errorMessage({ code, severity: 'message' }, en).text, errorsEn.service, code);
  const ofService = errors.filter((error) => errorMessage(error, en).text === errorsEn.service);
  assert.deepEqual(ofService.map(({ code }) => code).sort(), [
    ...['gloss_unavailable', 'handshake_timeout', 'no_answer', 'proxy_unreachable', 'rate_limited'],
    ...['session_expired', 'session_failed', 'too_many_sockets', 'upstream_unreachable'],
  ]);
});

test('a page gives texts of its own, one by one, also in a group and in a language that we do not have', async () => {
  let changes = 0;
  const count = (): void => void (changes += 1);
  listeners.add(count);
  const dutch = { play: 'Afspelen', errors: { media: 'Geen video.' }, panel: { title: 'Gebarentaal' } };
  configure({
    strings: { en: { play: 'Start', reading: { stop: 'End' } }, cy: { pause: 'Saib' }, nl: dutch },
  });
  const english = await stringsFor('en-GB');
  assert.deepEqual(english, { ...en, play: 'Start', reading: { stop: 'End' } });
  assert.equal((await stringsFor('')).play, 'Start');
  const welsh = await stringsFor('cy');
  assert.deepEqual([welsh.lang, welsh.pause, welsh.play], ['cy', 'Saib', 'Chwarae']);
  const own = await stringsFor('nl-BE');
  assert.deepEqual([own.lang, own.play, own.pause, own.panel], ['nl', 'Afspelen', 'Pause', dutch.panel]);
  const [media, other] = [
    { code: 'media_error', severity: 'message' },
    { code: 'x', severity: 'message' },
  ];
  assert.equal(errorMessage(media, own).text, 'Geen video.');
  assert.equal(errorMessage(other, own).text, errorsEn.text);
  configure({});
  assert.equal((await stringsFor('en')).play, 'Start', 'what is not given stays');
  configure({ strings: {} });
  assert.equal(await stringsFor('en'), en);
  assert.equal(changes, 2);
  listeners.delete(count);
});
