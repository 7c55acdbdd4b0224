// Document 2, `hls` with `stream`: the answer, both manifests of the job, and the options of their segments.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { paid, type Case } from '../case.ts';
import { playlistOnce, type Playlist } from '../hls.ts';
import { call } from '../http.ts';
import type { Service } from '../service.ts';
import { until } from '../until.ts';
import { endsWith, urlsIn } from '../urls.ts';
import { assertSigned, fetchMedia, readVideo } from '../video.ts';
import { generate, get, requestOf, type Options } from './api.ts';

/** More than two segments of the default length. */
const FIVE_SECONDS = 5;

const streamResponse = z.strictObject({
  jobId: z.string().check(z.minLength(1)),
  status: z.string().check(z.minLength(1)),
  manifests: z.strictObject({ hls: z.url(), dash: z.url() }),
});

async function streamOf(service: Service, options: Options = {}): Promise<z.infer<typeof streamResponse>> {
  const { status, body } = await generate(
    service,
    requestOf({ format: 'hls', method: 'stream', ...options }),
  );
  assert.equal(status, 200, JSON.stringify(body));
  return z.parse(streamResponse, body);
}

const twoSegments = ({ segments }: Playlist): boolean => segments.length >= 2;

/** First segment with its init segment in front when there is one. */
async function firstSegment({ map, segments }: Playlist) {
  const pieces = map === null ? [] : [(await fetchMedia(map)).bytes];
  pieces.push((await fetchMedia(segments[0]!.url)).bytes);
  return readVideo(new Uint8Array(Buffer.concat(pieces)));
}

const prefixOf = (url: string): string => new URL('.', url).href;

export const streams: readonly Case[] = [
  paid(
    'hls with stream gives a job with both manifests, and segments of 2 seconds',
    [
      '2.stream.answer',
      '2.stream.hls',
      '2.stream.dash',
      '2.stream.prefix',
      '2.segment-duration.default',
      '2.low-latency.default',
      '2.key.signed',
      '2.method.values',
      '2.format.values',
    ],
    async (service) => {
      const { manifests } = await streamOf(service, { duration: FIVE_SECONDS });
      assert.deepEqual([endsWith(manifests.hls, '.m3u8'), endsWith(manifests.dash, '.mpd')], [true, true]);
      assert.equal(prefixOf(manifests.hls), prefixOf(manifests.dash));
      const playlist = await playlistOnce(manifests.hls, twoSegments);
      assert.ok(Math.abs(playlist.segments[0]!.duration - 2) < 0.1, `${playlist.segments[0]!.duration} s`);
      assert.equal(playlist.partTarget, null);
      assert.equal(playlist.parts, 0);
      const video = await firstSegment(playlist);
      assert.deepEqual(
        [video.codec, video.width, video.height],
        ['avc', service.linesOf(320), service.linesOf(180)],
      );
      const dash = await until(
        () => call(manifests.dash),
        ({ status }) => status !== 404 && status !== 503,
      );
      assert.equal(dash.status, 200);
      assert.match(String(dash.body), /<MPD[\s>]/);
      await assertSigned(manifests.hls);
      await assertSigned(manifests.dash);
    },
  ),
  paid(
    'segments of 1 second in MPEG-TS',
    ['2.segment-type.values', '2.segment-duration.range', '2.stream.hls'],
    async (service) => {
      const config = { hlsSegmentDuration: 1, hlsSegmentType: 'ts' };
      const { manifests } = await streamOf(service, { duration: 3, config });
      const playlist = await playlistOnce(manifests.hls, twoSegments);
      assert.ok(Math.abs(playlist.segments[0]!.duration - 1) < 0.1, 'segments of 1 s');
      assert.equal((await firstSegment(playlist)).container, 'ts');
    },
  ),
  paid(
    'lowLatencyMode gives LL-HLS of fMP4',
    ['2.low-latency.ll-hls', '2.segment-type.values'],
    async (service) => {
      const config = { lowLatencyMode: true, hlsSegmentType: 'fmp4', hlsSegmentDuration: 1 };
      const { manifests } = await streamOf(service, { duration: 3, config });
      const playlist = await playlistOnce(manifests.hls, ({ parts }) => parts > 0);
      assert.ok(playlist.partTarget !== null && playlist.blocksReload, 'LL-HLS');
      assert.ok(playlist.map !== null, 'fMP4 has an init segment');
      const whole = await playlistOnce(manifests.hls, ({ segments }) => segments.length > 0);
      assert.equal((await firstSegment(whole)).container, 'mp4');
    },
  ),
  paid('a segment duration of 10 seconds is accepted', ['2.segment-duration.range'], async (service) => {
    await streamOf(service, { duration: 1, config: { hlsSegmentDuration: 10 } });
  }),
  paid(
    'the status of a job gives URLs that can be fetched, once it is done',
    ['2.status.job', '2.stream.answer'],
    async (service) => {
      const { jobId } = await streamOf(service, { duration: 1 });
      const done = await until(
        () => get(service, `/v1/status/${encodeURIComponent(jobId)}`),
        ({ status, body }) => {
          assert.equal(status, 200, JSON.stringify(body));
          return urlsIn(body).length > 0;
        },
      );
      const [url] = urlsIn(done.body);
      await until(
        () => call(url!),
        ({ status }) => status === 200,
      );
    },
  ),
];
