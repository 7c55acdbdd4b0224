// Document 2, the life of a live session whose source is pulled: how it starts and fails, what it does without capacity,
// and what its manifests give.
import assert from 'node:assert/strict';
import { aac, h264, makeSource, picture, tone } from '../../sandbox/live/encoded-source.ts';
import { staged, type Case } from '../case.ts';
import { playlistOnce, type Playlist } from '../hls.ts';
import { call } from '../http.ts';
import type { Service } from '../service.ts';
import { until } from '../until.ts';
import { endsWith } from '../urls.ts';
import { assertSigned } from '../video.ts';
import {
  create,
  get,
  hasEnded,
  holds,
  sessionIn,
  sessionOnce,
  withSession,
  type LiveSession,
} from './api.ts';
import { assertBusy, noCapacity } from './capacity.ts';
import { assertCanonical } from './canonical-picture.ts';
import { withSource } from './source-server.ts';

/** Waits until an address of the session serves something, and returns its answer. */
const served = (service: Service, { sessionId }: LiveSession, url: string) =>
  until(
    async () => {
      const answer = await call(url);
      if (answer.status !== 200) assert.equal((await get(service, sessionId)).error, undefined);
      return answer;
    },
    ({ status }) => status === 200,
  );

const isLiveProfile = (mpd: string): boolean => {
  const [tag = ''] = /<MPD[^>]*>/.exec(mpd) ?? [];
  return /type="dynamic"/.test(tag) && /profiles="[^"]*live[^"]*"/.test(tag);
};

async function assertAllSigned(playlist: Playlist): Promise<void> {
  const addresses = [playlist.url, ...new Set(playlist.inside)];
  assert.ok(addresses.length > 3, 'there is something inside');
  await Promise.all(addresses.map(assertSigned));
}

/** A source that the service must encode again: its GOP is twice as long as allowed, and its frame rate is not canonical. */
const outside = [...picture.slice(0, -1), 'testsrc2=size=320x180:rate=30000/1001', ...tone, '-t', '40'];

export const pulledSessions: readonly Case[] = [
  staged(
    'HLS_PULL for which there was no capacity starts by itself when there is, by the same request; its composite is low-latency fMP4 of the canonical shape, and the signer’s manifests serve beside it',
    [
      '2.live.error.capacity',
      '2.live.error.retry',
      '2.live.state.pull',
      '2.live.source-url',
      '2.live.started',
      '2.live.pip.sources',
      '2.live.pip.container',
      '2.live.pip.signer',
      '2.live.dash',
      '2.live.signed',
      '2.live.rtmp',
      '2.live.srt',
      '2.source.anew.output',
    ],
    (service) =>
      withSource(
        () => makeSource([...outside, ...h264, '-g', '240', '-keyint_min', '240', ...aac]),
        async (hlsSourceUrl) => {
          const body = { sourceType: 'HLS_PULL', hlsSourceUrl, pictureInPicture: true };
          service.set(noCapacity);
          assertBusy(await create(service, body));
          service.set();
          await withSession(service, body, async (made, { body: raw }) => {
            assert.ok(holds(raw, hlsSourceUrl), 'the pulled URL');
            const { rtmpEndpoints, relayActive, ingestUrl, srtPassphrase } = made;
            assert.deepEqual(
              [rtmpEndpoints, relayActive, ingestUrl, srtPassphrase],
              Array(4).fill(undefined),
            );
            const { hls, dash, pip } = made.manifests!;
            await served(service, made, pip!);
            const composite = await playlistOnce(pip!, ({ segments }) => segments.length > 1);
            assert.ok((await get(service, made.sessionId)).startedAt, 'it has started');
            assert.ok(endsWith(composite.map!, '/init.mp4'), composite.map!);
            for (const { url } of composite.segments) assert.ok(endsWith(url, '.m4s'), url);
            assert.ok(composite.partTarget !== null && composite.blocksReload, 'low latency');
            await assertCanonical(composite);
            await served(service, made, hls);
            const signer = await playlistOnce(hls, ({ segments }) => segments.length > 0);
            const mpd = await served(service, made, dash);
            assert.match(mpd.headers.get('content-type') ?? '', /^application\/dash\+xml/);
            assert.ok(isLiveProfile(String(mpd.body)), 'the live profile');
            const inside = [...String(mpd.body).matchAll(/(?:initialization|media)="([^"]+)"/g)];
            assert.equal(inside.length, 2, 'init and segments');
            const ofDash = inside.map(([, address]) => new URL(address!.replaceAll('&amp;', '&'), dash).href);
            for (const url of [dash, ...ofDash]) await assertSigned(url);
            for (const playlist of [composite, signer]) await assertAllSigned(playlist);
          });
        },
      ),
  ),
  staged(
    'a source outside the contract may be pulled for the signer alone; a session that fails is ended with its error',
    ['2.source.applies', '2.live.state.failed', '2.live.error-field', '2.live.stopped'],
    (service) =>
      withSource(
        // This source has no sound, and a frame rate that is not canonical.
        () => makeSource(['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=12', '-t', '4', ...h264]),
        async (hlsSourceUrl) => {
          service.set({ fault: 'live_session_fails', error: 'as it was asked to' });
          const answer = await create(service, { sourceType: 'HLS_PULL', hlsSourceUrl });
          const { sessionId } = sessionIn(answer, 201);
          const { error, stoppedAt } = await sessionOnce(service, sessionId, hasEnded);
          assert.deepEqual([error, typeof stoppedAt], ['as it was asked to', 'string']);
        },
      ),
  ),
];
