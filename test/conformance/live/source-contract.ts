// Document 2, HLS source contract: the outcome of each row, with a source that is made for it, and of sources that cannot be
// fetched or read.
// - While there is no capacity to encode, a source that passes unchanged is accepted, and one that must be encoded again is
//   refused. So a client sees which of the two it is.
import assert from 'node:assert/strict';
import { staged, type Case } from '../case.ts';
import type { Service } from '../service.ts';
import { assertLive, create, withSession, type LiveError } from './api.ts';
import { assertBusy, noCapacity } from './capacity.ts';
import { sourceRows, type SourceRow } from './source-rows.ts';
import { withSource } from './source-server.ts';

const bodyOf = (hlsSourceUrl: string) => ({ sourceType: 'HLS_PULL', hlsSourceUrl, pictureInPicture: true });

async function refusedWith(service: Service, url: string, code: string): Promise<LiveError> {
  const error = assertLive(await create(service, bodyOf(url)), 400);
  assert.deepEqual([error.code, error.type], [code, 'VALIDATION_ERROR']);
  return error;
}

async function outcomeIs({ outcome }: SourceRow, service: Service, url: string): Promise<void> {
  if (typeof outcome === 'object') {
    const { details } = await refusedWith(service, url, 'HLS_INPUT_INCOMPATIBLE');
    assert.equal(details?.['dimension'], outcome.refusedFor);
    assert.ok(Array.isArray(details?.['expected']), 'says what is expected');
    return;
  }
  if (outcome !== 'too much') service.set(noCapacity);
  if (outcome === 'pass') await withSession(service, bodyOf(url), async () => {});
  else assertBusy(await create(service, bodyOf(url)));
}

const rows = sourceRows.map((row) => {
  const { name, shows, make, outcome } = row;
  const what = typeof outcome === 'object' ? 'is refused' : outcome === 'pass' ? 'passes' : 'is encoded anew';
  const also = typeof outcome === 'object' ? (['2.live.error.incompatible'] as const) : [];
  return staged(`a source with ${name} ${what}`, [...shows, ...also], (service) =>
    withSource(make, (url) => outcomeIs(row, service, url)),
  );
});

const text =
  (...lines: string[]) =>
  async () =>
    new Map([['index.m3u8', Buffer.from(lines.join('\n'))]]);

export const sourceContract: readonly Case[] = [
  ...rows,
  staged(
    'an origin that nobody answers at is unreachable',
    ['2.source.no.origin', '2.live.error.unreachable'],
    async (service) => {
      const url = 'http://127.0.0.1:1/index.m3u8';
      const { details } = await refusedWith(service, url, 'HLS_INPUT_UNREACHABLE');
      assert.equal(details?.['url'], url);
      assert.ok(details['reason'], 'a reason');
    },
  ),
  staged(
    'a presigned URL that has expired is unreachable',
    ['2.source.no.origin', '2.live.error.unreachable'],
    (service) =>
      withSource(text('#EXTM3U'), async (url) => {
        const { details } = await refusedWith(service, `${url}?expired`, 'HLS_INPUT_UNREACHABLE');
        assert.match(String(details?.['reason']), /403/);
      }),
  ),
  ...(
    [
      ['a URL that is no HLS', text('<!doctype html>')],
      ['a manifest without segments', text('#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-ENDLIST')],
      ['a manifest without a version', text('#EXTM3U', '#EXTINF:2,', 'a.ts', '#EXT-X-ENDLIST')],
    ] as const
  ).map(([what, make]) =>
    staged(`${what} is malformed`, ['2.source.no.manifest', '2.live.error.malformed'], (service) =>
      withSource(make, async (url) => {
        const { details } = await refusedWith(service, url, 'HLS_INPUT_MALFORMED');
        assert.equal(details?.['url'], url);
      }),
    ),
  ),
];
