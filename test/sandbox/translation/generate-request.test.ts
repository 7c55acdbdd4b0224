// What a body of generate must be, one row for each rule of document 2.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGenerateRequest } from '../../../demo/sandbox/translation/generate-request.ts';
import { bodyOf } from './harness.ts';

/** Sets or, without a value, removes the field at `path`. */
function changed(path: string, value?: unknown): unknown {
  const body: Record<string, unknown> = structuredClone(bodyOf('hls', 'stream', {}));
  const keys = path.split('.');
  const last = keys.pop()!;
  let at = body;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return body;
}

const problemOf = (body: unknown): string => {
  const parsed = parseGenerateRequest(body);
  return 'problem' in parsed ? parsed.problem : '';
};
/** Paths of the fields that are named as wrong. */
const namedIn = (body: unknown): string[] =>
  problemOf(body)
    .split('; ')
    .map((problem) => problem.split(':')[0]!)
    .filter((path) => path !== '');

const config = (name: string) => `output.delivery.config.${name}`;

const required = [
  'content',
  'output',
  'context',
  'content.type',
  'content.data',
  'output.format',
  'output.delivery',
  'output.delivery.method',
  'context.application',
];
test('a missing required field is named', () => {
  for (const path of required) assert.deepEqual(namedIn(changed(path)), [path]);
});

const logo = (more: object) => ({ url: 'http://127.0.0.1/logo.png', position: 'top-left', ...more });

/** Field, a value that it cannot have, and the field that the refusal names when it is another one. */
const wrong: (readonly [path: string, value: unknown, named?: string])[] = [
  ['content', 'text'],
  ['content', []],
  ['content.type', 'audio'],
  ['content.data', 7],
  ['content.data', ''],
  ['content.data', ' \n'],
  ['content.data', 'é'.repeat(10_001)],
  ['content.duration', '4'],
  ['content.duration', 0],
  ['content.duration', -1],
  ['output', null],
  ['output.format', 'webm'],
  ['output.format', 'HLS'],
  ['output.delivery', 'stream'],
  ['output.delivery.method', 'upload'],
  ['output.delivery.config', 'h264'],
  ['output.delivery.config', []],
  ['output.delivery.config', null],
  [config('quality'), 'medium'],
  [config('resolution'), '720p'],
  [config('resolution'), '1280X720'],
  [config('resolution'), '15x16'],
  [config('resolution'), '3840x3841'],
  [config('resolution'), 720],
  [config('codec'), 'vp8'],
  [config('backgroundColor'), 'white'],
  [config('backgroundColor'), '#fff'],
  [config('digitalSigner'), 'SAM'],
  [config('digitalSigner'), 'rae'],
  [config('language'), 'LSF'],
  [config('signerSize'), 'huge'],
  [config('signerOnly'), 'true'],
  [config('fitMode'), 'crop'],
  [config('exportType'), 'AVI'],
  [config('socialMediaDimension'), '4:3'],
  [config('lowLatencyMode'), 1],
  [config('hlsSegmentDuration'), 0.9],
  [config('hlsSegmentDuration'), 10.1],
  [config('hlsSegmentDuration'), '2'],
  [config('hlsSegmentType'), 'mp4'],
  [config('embeddedSubtitles'), true],
  [config('embeddedSubtitles.enabled'), 'yes'],
  [config('logo'), 'http://127.0.0.1/logo.png'],
  [config('logo'), { position: 'top-left' }, config('logo.url')],
  [config('logo'), { url: 'http://127.0.0.1/' }, config('logo.position')],
  [config('logo'), logo({ url: 'file:///etc/hostname' }), config('logo.url')],
  [config('logo'), logo({ url: 'logo.png' }), config('logo.url')],
  [config('logo'), logo({ position: 'centre' }), config('logo.position')],
  [config('logo'), logo({ size: 'tiny' }), config('logo.size')],
  [config('screenId'), '7'],
  ['context', 'test'],
  ['context.application', 7],
  ['context.location', 7],
  ['context.sessionId', {}],
  ['context.screenId', 1.5],
  ['context.screenId', '7'],
  ['context.gate', 'A4'],
  ['context.gate', 1.5],
];
test('a value that a field cannot have is refused by the name of its field', () => {
  for (const [path, value, named = path] of wrong) {
    const said = `${path}: ${JSON.stringify(value).slice(0, 60)}`;
    assert.deepEqual(namedIn(changed(path, value)), [named], said);
  }
});

const right: (readonly [path: string, value: unknown])[] = [
  ['content.data', 'é'.repeat(10_000)],
  ['content.duration', 4.5],
  ...['hls', 'mp4', 'mov'].map((format) => ['output.format', format] as const),
  ...['stream', 'download', 'push'].map((method) => ['output.delivery.method', method] as const),
  ...['low', 'standard', 'high', 'SD', 'HD', 'HDR', '4K'].map((tier) => [config('quality'), tier] as const),
  ...['16x16', '3840x3840', '1281x721'].map((size) => [config('resolution'), size] as const),
  ...['h264', 'h265', 'vp9', 'av1'].map((codec) => [config('codec'), codec] as const),
  ...['transparent', '#00AAff'].map((colour) => [config('backgroundColor'), colour] as const),
  ...['RAE', 'JAY', 'MAX'].map((signer) => [config('digitalSigner'), signer] as const),
  ...['BSL', 'ASL'].map((language) => [config('language'), language] as const),
  ...['small', 'medium', 'large'].map((size) => [config('signerSize'), size] as const),
  ...['pad', 'native'].map((mode) => [config('fitMode'), mode] as const),
  ...['MP4', 'MOV'].map((type) => [config('exportType'), type] as const),
  ...['16:9', '1:1', '9:16', '4:5'].map((shape) => [config('socialMediaDimension'), shape] as const),
  ...[1, 2.5, 10].map((seconds) => [config('hlsSegmentDuration'), seconds] as const),
  ...['fmp4', 'ts'].map((type) => [config('hlsSegmentType'), type] as const),
  [config('signerOnly'), true],
  [config('lowLatencyMode'), true],
  [config('embeddedSubtitles'), { enabled: true }],
  [config('embeddedSubtitles'), {}],
  [config('logo'), logo({ size: 'small' })],
  [config('screenId'), 7],
  ['context.location', 'Platform 4'],
  ['context.sessionId', 'a'],
  ['context.screenId', 7],
  ['context.gate', 4],
  ['content.colour', 'unknown'],
  ['output.priority', 'unknown'],
  [config('speed'), 'unknown'],
  ['context.floor', 'unknown'],
  ['metadata', 'unknown'],
];
test('every documented value passes, and so do fields that the document does not name', () => {
  for (const [path, value] of right) {
    assert.equal(problemOf(changed(path, value)), '', `${path}: ${JSON.stringify(value).slice(0, 60)}`);
  }
});

test('delivery.config may be absent', () => {
  assert.equal(problemOf(bodyOf('mp4', 'download')), '');
});

test('a body that is no object is refused as a whole', () => {
  for (const body of [undefined, null, 'text', 7, []]) assert.deepEqual(namedIn(body), ['body']);
});

test('everything that is wrong is named at once, rules between fields included', () => {
  const body = {
    content: { type: 'video' },
    output: {
      format: 'gif',
      delivery: {
        method: 'display',
        config: { quality: 'best', digitalSigner: 'RAE', language: 'ASL', hlsSegmentDuration: 60 },
      },
    },
    context: { gate: 'A' },
  };
  assert.deepEqual(namedIn(body).sort(), [
    'content.data',
    'content.type',
    'context.application',
    'context.gate',
    'output.delivery.config.hlsSegmentDuration',
    'output.delivery.config.language',
    'output.delivery.config.quality',
    'output.delivery.config.screenId',
    'output.format',
  ]);
});

test('display needs a screen in delivery.config, whatever screen is in context', () => {
  const named = [config('screenId')];
  assert.deepEqual(namedIn(bodyOf('mp4', 'display')), named);
  assert.deepEqual(namedIn(bodyOf('mp4', 'display', {})), named);
  assert.equal(problemOf(bodyOf('mp4', 'display', { screenId: 7 })), '');
  const inContext = { ...bodyOf('mp4', 'display'), context: { application: 'test', screenId: 7 } };
  assert.deepEqual(namedIn(inContext), named);
});

const pairs = [
  ['RAE', 'BSL', true],
  ['RAE', 'ASL', false],
  ['JAY', 'ASL', true],
  ['JAY', 'BSL', false],
  ['MAX', 'ASL', true],
  ['MAX', 'BSL', false],
] as const;
test('a signer and a language that do not fit each other are refused', () => {
  for (const [digitalSigner, language, fits] of pairs) {
    const named = namedIn(bodyOf('hls', 'stream', { digitalSigner, language }));
    assert.deepEqual(named, fits ? [] : [config('language')], `${digitalSigner} ${language}`);
  }
});

/** Which codec fits which format: an impossible pair is refused. */
const held: (readonly [format: string, config: Readonly<Record<string, unknown>>, can: boolean])[] = [
  ['mp4', { codec: 'av1' }, true],
  ['mp4', { codec: 'vp9', exportType: 'MOV' }, false],
  ['mov', { codec: 'h265' }, true],
  ['mov', { codec: 'vp9' }, false],
  ['mov', { codec: 'av1' }, false],
  ['mov', { codec: 'av1', backgroundColor: 'transparent' }, true],
  ['hls', { codec: 'vp9' }, true],
  ['hls', { codec: 'h265', hlsSegmentType: 'ts' }, true],
  ['hls', { codec: 'vp9', hlsSegmentType: 'ts' }, false],
  ['hls', { codec: 'av1', hlsSegmentType: 'ts' }, false],
];
test('a codec that the format cannot hold is refused', () => {
  for (const [format, options, can] of held) {
    const named = namedIn(bodyOf(format, 'download', options));
    assert.deepEqual(named, can ? [] : [config('codec')], `${format} ${JSON.stringify(options)}`);
  }
});
