// Document 2, `GET /v1/silence`: every parameter, its default, its effect, and what is refused.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { free, type Case } from '../case.ts';
import type { SentenceId } from '../sentences/index.ts';
import type { Service } from '../service.ts';
import { endsWith, urlsIn } from '../urls.ts';
import { assertSigned, fetchMedia, fetchVideo, readVideo } from '../video.ts';
import { get } from './api.ts';

const silence = (service: Service, query: Record<string, string>) =>
  get(service, `/v1/silence?${new URLSearchParams(query).toString()}`);

/** The URLs of the answer, which all name this kind of file; the document does not show their fields. */
async function filesOf(service: Service, query: Record<string, string>, ending: string): Promise<string[]> {
  const { status, body } = await silence(service, query);
  assert.equal(status, 200, JSON.stringify(body));
  const urls = urlsIn(body);
  for (const url of urls) assert.ok(endsWith(url, ending), `${ending} and nothing else`);
  return urls;
}

const firstOf = async (service: Service, query: Record<string, string>): Promise<Uint8Array> => {
  const [url] = await filesOf(service, query, '.ts');
  return (await fetchMedia(url!)).bytes;
};

const refused: readonly (readonly [query: Record<string, string>, names: RegExp, shows: SentenceId])[] = [
  [{ language: 'lsf' }, /language/i, '2.silence.language-values'],
  [{ signer: 'bob' }, /signer/i, '2.silence.signer-values'],
  [{ format: 'webm' }, /format/i, '2.silence.format-values'],
  [{ transparent: 'maybe' }, /transparent/i, '2.silence.transparent-values'],
  [{ transparent: 'true', format: 'ts' }, /transparent|format/i, '2.silence.conflict'],
  [{ language: 'asl', signer: 'rae' }, /signer|language/i, '2.silence.signer-match'],
  [{ language: 'bsl', signer: 'max' }, /signer|language/i, '2.silence.signer-match'],
  [{ language: 'bsl', signer: 'jay' }, /signer|language/i, '2.silence.signer-match'],
];

const onlyError = z.strictObject({ error: z.string() });

export const silenceCases: readonly Case[] = [
  free(
    'with no parameter there are 6 MPEG-TS segments, presigned',
    ['2.silence.ts', '2.silence.format-default', '2.silence.transparent-default', '2.key.signed'],
    async (service) => {
      const urls = await filesOf(service, {}, '.ts');
      assert.equal(new Set(urls).size, 6);
      assert.equal(urls.length, 6);
      for (const url of urls) {
        const { bytes, contentType } = await fetchMedia(url);
        assert.equal(contentType, 'video/mp2t');
        const { container, duration } = await readVideo(bytes);
        assert.equal(container, 'ts');
        assert.ok(duration > 0, 'a segment lasts');
      }
      await assertSigned(urls[0]!);
    },
  ),
  free(
    'no parameter is bsl, rae and ts, in any letter case of the language',
    [
      '2.silence.language-default',
      '2.silence.language-values',
      '2.silence.signer-default',
      '2.silence.format-default',
      '2.silence.transparent-default',
    ],
    async (service) => {
      const plain = await firstOf(service, {});
      const named = { language: 'BsL', signer: 'rae', format: 'ts', transparent: 'false' };
      assert.deepEqual(await firstOf(service, named), plain);
    },
  ),
  free(
    'asl is signed by max by default, and not as bsl is',
    ['2.silence.signer-default', '2.silence.signer-values', '2.silence.language-values'],
    async (service) => {
      const max = await firstOf(service, { language: 'ASL', signer: 'max' });
      assert.deepEqual(await firstOf(service, { language: 'asl' }), max);
      assert.notDeepEqual(await firstOf(service, {}), max);
    },
  ),
  free('jay signs asl', ['2.silence.signer-values', '2.silence.signer-match'], async (service) => {
    assert.equal((await filesOf(service, { language: 'asl', signer: 'jay' }, '.ts')).length, 6);
  }),
  free(
    'mp4 is one file, as long as the 6 segments together',
    ['2.silence.mp4', '2.silence.format-values'],
    async (service) => {
      const urls = await filesOf(service, { format: 'mp4' }, '.mp4');
      assert.equal(urls.length, 1);
      const { container, duration } = await fetchVideo(urls[0]!);
      assert.equal(container, 'mp4');
      let seconds = 0;
      for (const url of await filesOf(service, {}, '.ts')) seconds += (await fetchVideo(url)).duration;
      assert.ok(Math.abs(duration - seconds) < 0.5, `${duration} and ${seconds} s`);
    },
  ),
  free(
    'transparent is one ProRes 4444 mov with alpha',
    ['2.silence.transparent', '2.silence.transparent-values'],
    async (service) => {
      const urls = await filesOf(service, { transparent: 'true' }, '.mov');
      assert.equal(urls.length, 1);
      const { container, codec, codecString, alpha } = await fetchVideo(urls[0]!);
      assert.deepEqual([container, codec, codecString, alpha], ['mov', 'prores', 'ap4h', true]);
    },
  ),
  ...refused.map(([query, names, shows]) =>
    free(
      `silence with ${JSON.stringify(query)} is 400 and says why`,
      [shows, '2.silence.errors', '2.error.flat'],
      async (service) => {
        const { status, body } = await silence(service, query);
        assert.equal(status, 400);
        assert.match(z.parse(onlyError, body).error, names);
      },
    ),
  ),
];
