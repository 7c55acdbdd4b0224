// Silence in all its forms (document 2, Silence segment request parameters).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodeError, type MediaSpec } from '../../../demo/sandbox/media/media-spec.ts';
import { defaultNames } from '../../../demo/sandbox/settings.ts';
import { until } from '../../until.ts';
import { Harness } from './harness.ts';
import { eachCase } from '../each-case.ts';

const silence = (harness: Harness, query = '') => harness.get(`/v1/silence${query}`);

/** Query, and the media that it requests. */
const forms: (readonly [query: string, signer: string, container: string])[] = [
  ['', 'RAE', 'ts'],
  ['?format=ts', 'RAE', 'ts'],
  ['?format=mp4', 'RAE', 'mp4'],
  ['?language=bsl', 'RAE', 'ts'],
  ['?language=BSL&signer=rae', 'RAE', 'ts'],
  ['?language=asl', 'MAX', 'ts'],
  ['?language=ASL&signer=max', 'MAX', 'ts'],
  ['?language=Asl&signer=jay&format=mp4', 'JAY', 'mp4'],
  ['?transparent=false', 'RAE', 'ts'],
  ['?transparent=false&format=ts', 'RAE', 'ts'],
  ['?transparent=true', 'RAE', 'mov'],
  ['?transparent=true&format=mp4', 'RAE', 'mov'],
  ['?transparent=true&language=asl', 'MAX', 'mov'],
  ['?cache=no', 'RAE', 'ts'],
];
test('silence is 12 s of the requested signer, as a file or as segments', (t) =>
  eachCase(forms, async ([query, signer, container]) => {
    const harness = new Harness(t);
    const { status, body } = await silence(harness, query);
    assert.equal(status, 200);
    const { spec } = harness.last;
    assert.deepEqual([spec.style.signer, spec.container], [signer, container]);
    assert.deepEqual([spec.text, spec.seconds], [null, 12]);
    const expires = harness.clock.now() + 300_000;
    const urls = Array.from(
      { length: container === 'ts' ? 6 : 1 },
      (_, n) => `http://media.test/clips/${n}.${container}?expires=${expires}`,
    );
    assert.deepEqual(body, {
      ...(container === 'ts' ? { segments: urls } : { url: urls[0] }),
      durationSeconds: 12,
      expiresAt: new Date(expires).toISOString(),
    });
  }));

test('segments are 2 s of h264 on the backplate, and the transparent file is ProRes with alpha', async (t) => {
  const harness = new Harness(t);
  const specOf = async (query: string): Promise<MediaSpec> => {
    await silence(harness, query);
    return harness.last.spec;
  };
  const said = ({ codec, segmentSeconds, style }: MediaSpec) => [codec, segmentSeconds, style.backdrop];
  assert.deepEqual(said(await specOf('')), ['h264', 2, null]);
  assert.deepEqual(said(await specOf('?format=mp4')), ['h264', null, null]);
  assert.deepEqual(said(await specOf('?transparent=true')), ['prores', null, 'transparent']);
});

/** Query, and the parameters that its refusal names. */
const wrong: (readonly [query: string, ...named: string[]])[] = [
  ['?language=lsf', 'language'],
  ['?language=', 'language'],
  ['?language=bsl&language=asl', 'language'],
  ['?signer=sam', 'signer'],
  ['?signer=RAE', 'signer'],
  ['?signer=max', 'signer'],
  ['?signer=jay&language=bsl', 'signer'],
  ['?signer=rae&language=asl', 'signer'],
  ['?format=webm', 'format'],
  ['?format=TS', 'format'],
  ['?transparent=1', 'transparent'],
  ['?transparent=', 'transparent'],
  ['?transparent=true&format=ts', 'transparent'],
  ['?language=lsf&signer=sam&format=webm&transparent=maybe', 'language', 'signer', 'format', 'transparent'],
];
test('a wrong query is refused with only a message, which names what is wrong', (t) =>
  eachCase(wrong, async ([query, ...named]) => {
    const harness = new Harness(t);
    const { status, body } = await silence(harness, query);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body as object), ['error']);
    const { error } = body as { error: string };
    assert.deepEqual(
      [...error.matchAll(/invalid (\w+)/g)].map(([, name]) => name),
      named,
    );
    assert.equal(harness.asked.length, 0);
  }));

test('the refusal of a transparent segment names the format too', async (t) => {
  const { body } = await silence(new Harness(t), '?transparent=true&format=ts');
  assert.match((body as { error: string }).error, /transparent.*format=ts/);
});

test('the address fields have the names in force', async (t) => {
  const harness = new Harness(t);
  harness.names = { ...defaultNames, silence_segments: 'urls', silence_url: 'href' };
  assert.ok('urls' in ((await silence(harness)).body as object));
  assert.ok('href' in ((await silence(harness, '?format=mp4')).body as object));
});

test('an address that cannot be signed is presign_failed', async (t) => {
  const harness = new Harness(t);
  t.mock.method(console, 'error', () => {});
  harness.urlOf = () => {
    throw new Error('no secret');
  };
  const { status, body } = await silence(harness);
  assert.equal(status, 500);
  assert.equal((body as { error: string }).error, 'presign_failed');
});

test('media that cannot be made are a 500', async (t) => {
  const harness = new Harness(t);
  harness.atOnce = false;
  const answer = silence(harness);
  await until(() => harness.asked.length === 1);
  harness.last.fail(new EncodeError('x264'));
  const { status, body } = await answer;
  assert.deepEqual([status, (body as { error: string }).error], [500, 'media_failed']);
});
