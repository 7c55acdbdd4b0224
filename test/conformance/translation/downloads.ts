// Document 2, files to download: the effect of each option of delivery.config on the video.
// - One short video for each option, as small as its resolution allows.
import assert from 'node:assert/strict';
import { paid, staged, type Case } from '../case.ts';
import { mainLuma, meanDifference, pictureAt } from '../picture.ts';
import type { SentenceId } from '../sentences/index.ts';
import { assertSigned, fetchVideo, type Video } from '../video.ts';
import { generate, locationOf, requestOf, videoOf, type Options } from './api.ts';
import { serveLogo } from './logo-server.ts';

const WHITE = 235;
const BLACK = 16;

/** Options of a request, and what its video must be. */
const files: readonly (readonly [
  name: string,
  shows: readonly SentenceId[],
  options: Options,
  expected: Partial<Video>,
])[] = [
  [
    'mp4 is an H.264 MP4 of the resolution asked for',
    ['2.codec.default', '2.resolution.exact', '2.format.values', '2.export-type.default', '2.method.values'],
    {},
    { container: 'mp4', contentType: 'video/mp4', codec: 'avc', width: 320, height: 180 },
  ],
  [
    'mov is a MOV',
    ['2.format.values'],
    { format: 'mov' },
    { container: 'mov', contentType: 'video/quicktime' },
  ],
  [
    'mp4 with exportType MOV is a MOV',
    ['2.export-type.legacy', '2.export-type.values'],
    { config: { exportType: 'MOV' } },
    { container: 'mov' },
  ],
  [
    'exportType MP4 is an MP4',
    ['2.export-type.values'],
    { config: { exportType: 'MP4' } },
    { container: 'mp4' },
  ],
  ['codec h264 is H.264', ['2.codec.values'], { config: { codec: 'h264' } }, { codec: 'avc' }],
  ['codec h265 is H.265', ['2.codec.values'], { config: { codec: 'h265' } }, { codec: 'hevc' }],
  ['codec vp9 is VP9', ['2.codec.values'], { config: { codec: 'vp9' } }, { codec: 'vp9' }],
  ['codec av1 is AV1', ['2.codec.values'], { config: { codec: 'av1' } }, { codec: 'av1' }],
  [
    'a transparent mov has an alpha plane',
    ['2.background.transparent'],
    { format: 'mov', config: { backgroundColor: 'transparent' } },
    { container: 'mov', alpha: true },
  ],
  [
    'quality does not change the resolution asked for',
    ['2.resolution.exact', '2.resolution.shape'],
    { config: { quality: 'high', resolution: '640x360' } },
    { width: 640, height: 360 },
  ],
  ...(['16:9', '1:1', '9:16', '4:5'] as const).map(
    (dimension) =>
      [
        `socialMediaDimension ${dimension} is accepted`,
        ['2.dimension.values'] as const,
        { config: { socialMediaDimension: dimension } },
        { container: 'mp4' as const },
      ] as const,
  ),
  ...(['HDR', 'HD', 'standard'] as const).map(
    (quality) =>
      [
        `quality ${quality} is accepted`,
        ['2.quality.values'] as const,
        { config: { quality } },
        { container: 'mp4' as const },
      ] as const,
  ),
  ...['small', 'medium', 'large'].map(
    (signerSize) =>
      [
        `signerSize ${signerSize} is accepted`,
        ['2.signer-size.values'] as const,
        { config: { signerSize } },
        { container: 'mp4' as const },
      ] as const,
  ),
  ...['pad', 'native'].map(
    (fitMode) =>
      [
        `fitMode ${fitMode} with signerOnly is accepted`,
        ['2.fit-mode.values', '2.signer-only.boolean'] as const,
        { config: { fitMode, signerOnly: fitMode === 'pad' } },
        { container: 'mp4' as const },
      ] as const,
  ),
  ...(['RAE BSL', 'JAY ASL', 'MAX ASL'] as const).map((pair) => {
    const [digitalSigner, language] = pair.split(' ');
    return [
      `${pair} go together`,
      ['2.signer.values', '2.language.values', '2.language.match'] as const,
      { config: { digitalSigner, language } },
      { container: 'mp4' as const },
    ] as const;
  }),
  [
    'a context of every field is accepted',
    ['2.context.optional', '2.context.types'],
    { context: { location: 'Hall 1', sessionId: 'visitor-1', screenId: 4, gate: 12 } },
    { container: 'mp4' },
  ],
];

const shapes = { '16:9': 16 / 9, '1:1': 1, '9:16': 9 / 16, '4:5': 4 / 5 } as const;

export const downloads: readonly Case[] = [
  ...files.map(([name, shows, options, expected]) =>
    paid(name, [...shows, '2.download.303'], async (service) => {
      const video = await videoOf(service, options);
      const found = Object.fromEntries(Object.keys(expected).map((key) => [key, video[key as keyof Video]]));
      const { width, height } = expected;
      const size = width && height && { width: service.linesOf(width), height: service.linesOf(height) };
      assert.deepEqual(found, { ...expected, ...size });
    }),
  ),
  paid(
    'a download needs no config, and its URL is presigned',
    ['2.config.optional', '2.key.signed', '2.download.303'],
    async (service) => {
      const { content, context } = requestOf();
      const output = { format: 'mp4', delivery: { method: 'download' } };
      const url = locationOf(await generate(service, { content, output, context }));
      assert.equal((await fetchVideo(url)).container, 'mp4');
      await assertSigned(url);
    },
  ),
  ...(Object.keys(shapes) as (keyof typeof shapes)[]).map((dimension) =>
    paid(`${dimension} is the shape of the video`, ['2.dimension.shape'], async (service) => {
      const body = requestOf({ config: { socialMediaDimension: dimension, resolution: undefined } });
      const { width, height } = await fetchVideo(locationOf(await generate(service, body)));
      assert.ok(Math.abs(width / height / shapes[dimension] - 1) < 0.02, `${width}x${height}`);
    }),
  ),
  ...(
    [
      ['low', 'SD'],
      ['standard', 'HD'],
      ['high', '4K'],
    ] as const
  ).map(([name, alias]) =>
    paid(
      `quality ${name} is quality ${alias}`,
      ['2.quality.aliases', '2.quality.values'],
      async (service) => {
        const one = await videoOf(service, { config: { quality: name } });
        const other = await videoOf(service, { config: { quality: alias } });
        const ratio = one.bytes.length / other.bytes.length;
        assert.ok(Math.abs(ratio - 1) < 0.1, `${ratio} times the bytes`);
      },
    ),
  ),
  paid('quality low has fewer bits than quality high', ['2.quality.tiers'], async (service) => {
    const options = (quality: string): Options => ({ config: { quality, resolution: '1280x720' } });
    const low = await videoOf(service, options('low'));
    const high = await videoOf(service, options('high'));
    assert.ok(low.bytes.length < high.bytes.length, `${low.bytes.length} and ${high.bytes.length} bytes`);
  }),
  paid('the background is white by default', ['2.background.default'], async (service) => {
    const luma = await mainLuma((await videoOf(service)).bytes);
    assert.ok(Math.abs(luma - WHITE) <= 4, `luma ${luma}`);
  }),
  paid('the background is the colour asked for', ['2.background.colour'], async (service) => {
    const { bytes } = await videoOf(service, { config: { backgroundColor: '#000000' } });
    const luma = await mainLuma(bytes);
    assert.ok(Math.abs(luma - BLACK) <= 4, `luma ${luma}`);
  }),
  paid(
    'without digitalSigner the signer looks like RAE, not like MAX',
    ['2.signer.default'],
    async (service) => {
      const first = async (config: object) => pictureAt((await videoOf(service, { config })).bytes, 0);
      const unnamed = await first({});
      const likeRae = meanDifference(unnamed, await first({ digitalSigner: 'RAE' }));
      const likeMax = meanDifference(unnamed, await first({ digitalSigner: 'MAX' }));
      assert.ok(likeRae < likeMax, `${likeRae} and ${likeMax}`);
    },
  ),
  ...[1, 4].map((duration) =>
    paid(`a duration of ${duration} s is kept within a tenth`, ['2.content.duration'], async (service) => {
      const video = await videoOf(service, { data: 'Good morning all', duration });
      assert.ok(Math.abs(video.duration / duration - 1) <= 0.1, `${video.duration} s`);
    }),
  ),
  paid('subtitles are burnt into the lower half', ['2.subtitles.burnt'], async (service) => {
    const options = (enabled: boolean): Options => ({ config: { embeddedSubtitles: { enabled } } });
    const without = await videoOf(service, options(false));
    const at = without.duration / 2;
    const lower = ({ width, height, y }: Awaited<ReturnType<typeof pictureAt>>) => ({
      width,
      height: height / 2,
      y: y.subarray((width * height) / 2),
    });
    const plain = lower(await pictureAt(without.bytes, at));
    const again = lower(await pictureAt((await videoOf(service, options(false))).bytes, at));
    const burnt = lower(await pictureAt((await videoOf(service, options(true))).bytes, at));
    const noise = meanDifference(plain, again);
    const difference = meanDifference(plain, burnt);
    assert.ok(difference > noise + 0.2, `luma differs by ${difference}, noise by ${noise}`);
  }),
  staged(
    'a logo with a URL and a position changes the picture; a size may be added',
    ['2.logo.url', '2.logo.position', '2.logo.size'],
    async (service) => {
      const server = await serveLogo();
      try {
        const first = async (config: object) => pictureAt((await videoOf(service, { config })).bytes, 0);
        const logo = { url: server.url, position: 'top-left' };
        const plain = await first({});
        const changed = meanDifference(plain, await first({ logo }));
        assert.ok(changed > 0, 'the logo is seen');
        const sized = meanDifference(plain, await first({ logo: { ...logo, size: 'large' } }));
        assert.ok(sized > 0, 'the logo is seen with a size, too');
      } finally {
        await server.close();
      }
    },
  ),
  paid('hls to download is one segment', ['2.download.segment'], async (service) => {
    const url = locationOf(await generate(service, requestOf({ format: 'hls' })));
    const segment = await fetchVideo(url);
    assert.match(segment.container, /^(mp4|ts)$/);
    assert.ok(segment.duration > 0, 'a segment lasts');
  }),
  paid(
    'display with a screenId is no error',
    ['2.display.accepted', '2.display.screen', '2.method.values'],
    async (service) => {
      const body = requestOf({ method: 'display', config: { screenId: 4 } });
      const { status } = await generate(service, body);
      assert.ok(status < 400, `status ${status}`);
    },
  ),
];
