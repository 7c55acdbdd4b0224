// The HLS source contract of document 2, row by row: for each a source that ffmpeg makes, and its outcome.
// - All properties that a row does not name are canonical.
import { heAac, tone24k } from '../../sandbox/live/he-aac.ts';
import { aac, makeSource, tone, type SourceFiles } from '../../sandbox/live/encoded-source.ts';
import type { SentenceId } from '../sentences/index.ts';
import { canonical, edited, fmp4, noise, source } from './source-variant.ts';

export interface SourceRow {
  readonly name: string;
  readonly shows: readonly SentenceId[];
  readonly make: () => Promise<SourceFiles>;
  /**
   * `pass`: unchanged. `anew`: encoded again. `too much`: should be encoded again, but this sandbox cannot. Else the failing
   * dimension.
   */
  readonly outcome: 'pass' | 'anew' | 'too much' | { readonly refusedFor: string };
}

const gop = (pictures: number): string[] => ['-g', String(pictures), '-keyint_min', String(pictures)];
const small = { size: '160x90' };

const sixSeconds = source({
  ...small,
  seconds: 12,
  rate: '24',
  video: gop(144),
  sound: [...tone24k, ...aac],
  hls: fmp4,
});

const passing: readonly SourceRow[] = [
  {
    name: 'Baseline at 25 fps in MPEG-TS with audio and video only, AAC of 192 kbps, version 3',
    shows: [
      '2.source.video',
      '2.source.rate',
      '2.source.container',
      '2.source.version',
      '2.source.audio',
      '2.source.anew.interleaving',
    ],
    make: source({ video: ['-profile:v', 'baseline'], sound: noise('192k') }),
    outcome: 'pass',
  },
  {
    name: 'High, level 4.2, 1920x1080 at 60 fps in fMP4, version 7',
    shows: ['2.source.video', '2.source.rate', '2.source.container', '2.source.version'],
    make: source({
      seconds: 0.1,
      size: '1920x1080',
      rate: '60',
      video: ['-profile:v', 'high', '-level', '4.2', '-preset', 'superfast'],
      hls: fmp4,
    }),
    outcome: 'pass',
  },
  {
    name: 'Main at 24 fps with a GOP of 6 s, HE-AAC, in fMP4',
    shows: ['2.source.video', '2.source.rate', '2.source.gop', '2.source.audio.he', '2.source.container'],
    make: async () => heAac(await sixSeconds()),
    outcome: 'pass',
  },
  ...['30', '50'].map((rate): SourceRow => ({
    name: `Main at ${rate} fps, version 6`,
    shows: ['2.source.video', '2.source.rate', '2.source.version'],
    make: source({ rate, hls: ['-hls_flags', 'independent_segments'] }),
    outcome: 'pass',
  })),
];

const anew: readonly SourceRow[] = [
  {
    name: 'a GOP of 8 s',
    shows: ['2.source.anew.gop'],
    make: source({ ...small, seconds: 16, video: gop(200) }),
    outcome: 'anew',
  },
  {
    name: 'recovery points every 2 s and one IDR picture',
    shows: ['2.source.anew.idr'],
    make: source({
      ...small,
      seconds: 15,
      video: ['-bf', '2', '-x264-params', 'open-gop=1:keyint=50:scenecut=0'],
      hls: ['-hls_flags', 'split_by_time'],
    }),
    outcome: 'anew',
  },
  {
    name: 'a variable framerate',
    shows: ['2.source.anew.variable'],
    make: source({ seconds: 4, video: ['-vf', "select='not(eq(mod(n,7),3))'", '-vsync', 'vfr'] }),
    outcome: 'anew',
  },
  ...['24000/1001', '30000/1001'].map((rate): SourceRow => ({
    name: `${rate} fps`,
    shows: ['2.source.anew.rate'],
    make: source({ rate, seconds: 4 }),
    outcome: 'anew',
  })),
  {
    name: 'AAC of 256 kbps',
    shows: ['2.source.anew.audio'],
    make: source({ sound: noise('256k') }),
    outcome: 'anew',
  },
  {
    name: 'level 5.1',
    shows: ['2.source.anew.single'],
    make: source({ video: ['-level', '5.1'] }),
    outcome: 'anew',
  },
  {
    name: 'MP3',
    shows: ['2.source.anew.single'],
    make: source({ sound: [...tone, '-c:a', 'libmp3lame'] }),
    outcome: 'anew',
  },
  {
    name: 'version 5',
    shows: ['2.source.anew.single'],
    make: edited(canonical, (playlist) => playlist.replace('VERSION:3', 'VERSION:5')),
    outcome: 'anew',
  },
  {
    name: 'key frames that are not at the segments’ starts',
    shows: ['2.source.anew.single'],
    make: source({ seconds: 8, video: gop(75), hls: ['-hls_flags', 'split_by_time'] }),
    outcome: 'anew',
  },
  ...(['yuv420p10le', 'yuv422p10le'] as const).map((format): SourceRow => ({
    name: `${format === 'yuv420p10le' ? 'High-10' : 'High-422'}`,
    shows: ['2.source.anew.profile'],
    make: source({
      video: ['-profile:v', format === 'yuv420p10le' ? 'high10' : 'high422', '-pix_fmt', format],
    }),
    outcome: 'too much',
  })),
  {
    name: '3840x2160',
    shows: ['2.source.anew.4k'],
    make: source({ seconds: 0.08, size: '3840x2160' }),
    outcome: 'too much',
  },
];

const refused: readonly SourceRow[] = [
  ...(
    [
      [
        'HEVC',
        ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-preset', 'ultrafast', '-profile:v', 'main'],
        fmp4,
      ],
      ['VP9', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-profile:v', '0'], fmp4],
      ['AV1', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', '-profile:v', '0'], fmp4],
      ['MPEG-2', ['-c:v', 'mpeg2video'], []],
    ] as const
  ).map(([codec, video, hls]): SourceRow => ({
    name: codec,
    shows: ['2.source.no.codec'],
    make: source({ seconds: 1, ...small, video, hls }),
    outcome: { refusedFor: 'videoCodec' },
  })),
  {
    name: 'encrypted segments',
    shows: ['2.source.no.encrypted'],
    make: edited(canonical, (playlist) =>
      playlist.replace('#EXTINF', '#EXT-X-KEY:METHOD=AES-128,URI="key"\n#EXTINF'),
    ),
    outcome: { refusedFor: 'encryption' },
  },
  {
    name: '4096x2304',
    shows: ['2.source.no.resolution'],
    make: source({ seconds: 0.08, size: '4096x2304' }),
    outcome: { refusedFor: 'resolution' },
  },
  {
    name: 'a GOP of 13 s',
    shows: ['2.source.no.gop'],
    make: source({ ...small, seconds: 15, video: gop(325) }),
    outcome: { refusedFor: 'gopSeconds' },
  },
  {
    name: '31 s without a key frame',
    shows: ['2.source.no.gop'],
    make: source({ ...small, seconds: 31, video: gop(1000) }),
    outcome: { refusedFor: 'gopSeconds' },
  },
  {
    name: 'video without audio',
    shows: ['2.source.no.tracks'],
    make: source({ sound: null }),
    outcome: { refusedFor: 'audio' },
  },
  {
    name: 'audio without video',
    shows: ['2.source.no.tracks'],
    make: () => makeSource([...tone, '-t', '2', ...aac]),
    outcome: { refusedFor: 'video' },
  },
];

export const sourceRows: readonly SourceRow[] = [...passing, ...anew, ...refused];
