// Which media the options give, one row for each (document 2, delivery.config).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGenerateRequest } from '../../../demo/sandbox/translation/generate-request.ts';
import { mediaChoiceOf } from '../../../demo/sandbox/translation/media-choice.ts';
import { bodyOf } from './harness.ts';
import { eachCase } from '../each-case.ts';

type Config = Readonly<Record<string, unknown>>;

function choiceOf(format: string, method: string, config?: Config, content: Config = {}) {
  const request = parseGenerateRequest(bodyOf(format, method, config, content));
  assert.ok(!('problem' in request), JSON.stringify(request));
  return mediaChoiceOf(request, null);
}

/** The file of an mp4 download, with these options. */
function fileOf(config?: Config, content: Config = {}, format = 'mp4') {
  const choice = choiceOf(format, 'download', config, content);
  assert.equal(choice.kind, 'file');
  return choice.spec;
}

test('without options a file is 720p, of RAE on white, h264, in constant quality and at its natural pace', () => {
  assert.deepEqual(fileOf(), {
    text: 'Hello there',
    seconds: null,
    style: {
      signer: 'RAE',
      width: 1280,
      height: 720,
      backdrop: '#ffffff',
      signerSize: 'large',
      wordPanel: true,
      subtitles: false,
      fit: 'fill',
      logo: null,
    },
    codec: 'h264',
    container: 'mp4',
    bitsPerSecond: null,
    segmentSeconds: null,
  });
});

test('without options a stream has fMP4 segments of 2 s and no low latency', () => {
  const { kind, spec } = choiceOf('hls', 'stream');
  assert.deepEqual(
    [kind, spec],
    [
      'stream',
      {
        style: fileOf().style,
        codec: 'h264',
        bitsPerSecond: null,
        segmentSeconds: 2,
        segmentType: 'fmp4',
        lowLatency: false,
        kind: 'job',
      },
    ],
  );
});

test('a stream has the requested options', () => {
  const config = {
    codec: 'h265',
    quality: 'low',
    hlsSegmentDuration: 4.5,
    hlsSegmentType: 'ts',
    lowLatencyMode: true,
  };
  const { codec, bitsPerSecond, segmentSeconds, segmentType, lowLatency } = choiceOf('hls', 'stream', config)
    .spec as Extract<ReturnType<typeof choiceOf>, { kind: 'stream' }>['spec'];
  assert.deepEqual(
    [codec, bitsPerSecond, segmentSeconds, segmentType, lowLatency],
    ['h265', 1_500_000, 4.5, 'ts', true],
  );
});

const tiers = { low: 1.5, SD: 1.5, standard: 5, HD: 5, HDR: 8, high: 15, '4K': 15 };
test('a quality sets the bit rate and does not change the resolution', () =>
  eachCase(Object.entries(tiers), ([quality, mbps]) => {
    const { bitsPerSecond, style } = fileOf({ quality });
    assert.deepEqual([bitsPerSecond, style.width, style.height], [mbps * 1_000_000, 1280, 720]);
  }));

const sizes: (readonly [config: Config, width: number, height: number])[] = [
  [{ resolution: '1920x1080' }, 1920, 1080],
  [{ resolution: '854x480' }, 854, 480],
  [{ resolution: '641x361' }, 640, 360],
  [{ resolution: '16x3840' }, 16, 3840],
  [{ socialMediaDimension: '16:9' }, 1280, 720],
  [{ socialMediaDimension: '1:1' }, 720, 720],
  [{ socialMediaDimension: '9:16' }, 720, 1280],
  [{ socialMediaDimension: '4:5' }, 720, 900],
  [{ socialMediaDimension: '9:16', resolution: '1920x1080' }, 1080, 1920],
  [{ socialMediaDimension: '16:9', resolution: '854x480' }, 854, 480],
  [{ socialMediaDimension: '16:9', resolution: '3840x3840' }, 3840, 2160],
  [{ socialMediaDimension: '9:16', resolution: '3840x3840' }, 2160, 3840],
  [{ fitMode: 'native', resolution: '720x720' }, 720, 406],
  [{ fitMode: 'native', resolution: '2000x720' }, 1280, 720],
  [{ fitMode: 'native', resolution: '16x16' }, 16, 16],
  [{ fitMode: 'native', socialMediaDimension: '9:16' }, 720, 406],
  [{ fitMode: 'pad', resolution: '720x720' }, 720, 720],
];
test('resolution, shape and fit mode give the size', () =>
  eachCase(sizes, ([config, width, height]) => {
    const { style } = fileOf(config);
    assert.deepEqual([style.width, style.height], [width, height]);
  }));

/** Options of the style and what they set in it. */
const styles: (readonly [config: Config, field: keyof ReturnType<typeof fileOf>['style'], value: unknown])[] =
  [
    [{ fitMode: 'pad' }, 'fit', 'pad'],
    [{ fitMode: 'native' }, 'fit', 'fill'],
    [{ backgroundColor: '#00AAFF' }, 'backdrop', '#00aaff'],
    [{ backgroundColor: 'transparent' }, 'backdrop', '#ffffff'],
    [{ signerSize: 'small' }, 'signerSize', 'small'],
    [{ signerOnly: true }, 'wordPanel', false],
    [{ signerOnly: false }, 'wordPanel', true],
    [{ embeddedSubtitles: { enabled: true } }, 'subtitles', true],
    [{ embeddedSubtitles: {} }, 'subtitles', false],
    [{ digitalSigner: 'JAY' }, 'signer', 'JAY'],
    [{ language: 'BSL' }, 'signer', 'RAE'],
    [{ language: 'ASL' }, 'signer', 'MAX'],
    [{ language: 'ASL', digitalSigner: 'JAY' }, 'signer', 'JAY'],
  ];
test('an option of the style sets its field', () =>
  eachCase(styles, ([config, field, value]) => {
    assert.equal(fileOf(config).style[field], value);
  }));

const files: (readonly [
  format: string,
  config: Config,
  container: string,
  codec: string,
  backdrop: string,
])[] = [
  ['mp4', { codec: 'av1' }, 'mp4', 'av1', '#ffffff'],
  ['mp4', { exportType: 'MP4' }, 'mp4', 'h264', '#ffffff'],
  ['mp4', { exportType: 'MOV' }, 'mov', 'h264', '#ffffff'],
  ['mp4', { exportType: 'MOV', backgroundColor: 'transparent' }, 'mov', 'prores', 'transparent'],
  ['mov', {}, 'mov', 'h264', '#ffffff'],
  ['mov', { exportType: 'MP4' }, 'mov', 'h264', '#ffffff'],
  ['mov', { backgroundColor: 'transparent', codec: 'h265' }, 'mov', 'prores', 'transparent'],
  ['hls', {}, 'segment', 'h264', '#ffffff'],
  ['hls', { hlsSegmentType: 'fmp4', codec: 'vp9' }, 'segment', 'vp9', '#ffffff'],
  ['hls', { hlsSegmentType: 'ts' }, 'ts', 'h264', '#ffffff'],
  ['hls', { backgroundColor: 'transparent', exportType: 'MOV' }, 'segment', 'h264', '#ffffff'],
];
test('format, exportType and transparency decide container and codec of a download', () =>
  eachCase(files, ([format, config, container, codec, backdrop]) => {
    const spec = fileOf(config, {}, format);
    assert.deepEqual([spec.container, spec.codec, spec.style.backdrop], [container, codec, backdrop]);
    assert.equal(spec.segmentSeconds, null);
  }));

test('ProRes gets no bit rate', () => {
  assert.equal(fileOf({ backgroundColor: 'transparent', quality: 'high' }, {}, 'mov').bitsPerSecond, null);
});

test('a requested duration is kept up to 240 s', () => {
  assert.equal(fileOf({}, { duration: 7.5 }).seconds, 7.5);
  assert.equal(fileOf({}, { duration: 100_000 }).seconds, 240);
});
