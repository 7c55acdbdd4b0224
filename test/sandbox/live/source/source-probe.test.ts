// Probing a source over HTTP: the measurements of real media, and the errors for a source that cannot be loaded or read.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LiveError } from '../../../../demo/sandbox/live/live-error.ts';
import type { Outcome } from '../../../../demo/sandbox/live/source/source-contract.ts';
import { probeSource } from '../../../../demo/sandbox/live/source/source-probe.ts';
import { listening } from '../../../listening.ts';
import { ManualClock } from '../../manual-clock.ts';
import {
  aac,
  everyTwoSeconds,
  h264,
  makeSource,
  picture,
  tone,
  type SourceFiles,
} from '../encoded-source.ts';
import { eachCase } from '../../each-case.ts';

/** The signal of a sandbox that is not closed. */
const goesOn = new AbortController().signal;

const serving =
  (files: SourceFiles): RequestListener =>
  (request, response) => {
    const bytes = files.get((request.url ?? '').slice(1));
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (!bytes) response.writeHead(404).end();
    else if (from === undefined) response.end(bytes);
    else response.writeHead(206).end(bytes.subarray(Number(from), Number(to) + 1));
  };

async function probe(t: TestContext, listener: RequestListener): Promise<Outcome> {
  const clock = new ManualClock();
  const origin = await listening(t, createServer(listener));
  try {
    return await probeSource(`${origin}/index.m3u8`, clock, goesOn);
  } finally {
    assert.equal(clock.waiting, 0);
  }
}

/** Serves this text as the playlist, and nothing else. */
const playlist = (...lines: string[]): RequestListener =>
  serving(new Map([['index.m3u8', Buffer.from(lines.join('\n'))]]));

async function refused(
  promise: Promise<unknown>,
  code: LiveError['code'],
  reason?: RegExp,
): Promise<LiveError> {
  let refusal: unknown;
  await assert.rejects(promise, (error) => Boolean((refusal = error)));
  assert.ok(refusal instanceof LiveError, String(refusal));
  assert.equal(refusal.code, code);
  assert.match(String(refusal.details?.['url']), /^http:\/\/127\.0\.0\.1:\d+\//);
  if (reason) assert.match(String(refusal.details?.['reason']), reason);
  return refusal;
}

const short = [...picture, ...tone, '-t', '4', ...h264, ...everyTwoSeconds, ...aac];

for (const [container, options, hlsVersion] of [
  ['mpeg-ts', [], 3],
  ['fmp4', ['-hls_segment_type', 'fmp4'], 7],
  ['fmp4', ['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file'], 7],
] as const) {
  test(`the codecs, profile, size, rate, key frames and bitrate of ${container} ${options.at(-1) ?? ''} are measured`, async (t) => {
    const files = await makeSource(short, options);
    const { treatment, facts } = await probe(t, serving(files));
    assert.equal(treatment, 'pass');
    const { video, audio, ...rest } = facts;
    assert.deepEqual(rest, { container, hlsVersion, isEncrypted: false });
    assert.ok(video && audio, 'both tracks');
    const { frameRate, gopSeconds, idrSeconds, level, ...exact } = video;
    assert.deepEqual(exact, {
      codec: 'h264',
      profile: 'Main',
      width: 320,
      height: 180,
      isConstantRate: true,
      isAligned: true,
    });
    const near = (value: number | null, expected: number, tolerance: number): void =>
      assert.ok(value !== null && Math.abs(value - expected) <= tolerance, `${value} is about ${expected}`);
    near(frameRate, 25, 0.001);
    near(gopSeconds, 2, 0.001);
    near(idrSeconds, 2, 0.001);
    near(level, 1.3, 0.3);
    assert.deepEqual([audio.codec, audio.profile], ['aac', 'AAC-LC']);
    near(audio.bitsPerSecond, 96_000, 20_000);
  });
}

test('the variant of the highest bandwidth is probed, with its separate audio', async (t) => {
  const pictures = await makeSource([...picture, '-t', '4', ...h264, ...everyTwoSeconds]);
  const sound = await makeSource([...tone, '-t', '4', ...aac]);
  const files = new Map<string, Buffer>([
    [
      'index.m3u8',
      Buffer.from(
        [
          '#EXTM3U',
          '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,URI="sound/index.m3u8"',
          '#EXT-X-STREAM-INF:BANDWIDTH=10,AUDIO="sound"',
          'nowhere.m3u8',
          '#EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO="sound"',
          'pictures/index.m3u8',
        ].join('\n'),
      ),
    ],
    ...[...pictures].map(([name, bytes]) => [`pictures/${name}`, bytes] as const),
    ...[...sound].map(([name, bytes]) => [`sound/${name}`, bytes] as const),
  ]);
  const { treatment, facts } = await probe(t, serving(files));
  assert.equal(treatment, 'pass');
  assert.deepEqual([facts.video?.codec, facts.audio?.codec], ['h264', 'aac']);
});

test('the first 14 s of a finished source are probed, and the last 14 s of a live source', async (t) => {
  for (const [end, asked] of [
    ['#EXT-X-ENDLIST', ['/0.ts', '/1.ts', '/2.ts']],
    ['', ['/7.ts', '/8.ts', '/9.ts']],
  ] as const) {
    const segments = Array.from({ length: 10 }, (_, n) => `#EXTINF:6,\n${n}.ts`);
    const text = ['#EXTM3U', '#EXT-X-VERSION:3', ...segments, end].join('\n');
    const files = await makeSource([...picture, ...tone, '-t', '1', ...h264, ...aac]);
    const [segment] = [...files].filter(([name]) => name.endsWith('.ts')).map(([, bytes]) => bytes);
    const fetched: string[] = [];
    await probe(t, (request, response) => {
      if (request.url === '/index.m3u8') return void response.end(text);
      fetched.push(request.url ?? '');
      response.end(segment);
    });
    assert.deepEqual(fetched, asked);
  }
});

test('a manifest that is refused, missing or elsewhere than on http is unreachable, with the reason', async (t) => {
  for (const status of [403, 404, 500]) {
    const answer: RequestListener = (_request, response) => void response.writeHead(status).end();
    await refused(probe(t, answer), 'HLS_INPUT_UNREACHABLE', new RegExp(`answers ${status}`));
  }
  const away: RequestListener = (_request, response) =>
    void response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
  await refused(probe(t, away), 'HLS_INPUT_UNREACHABLE', /away from http/);
  const far: RequestListener = (_request, response) =>
    void response.writeHead(302, { Location: `/${'x'.repeat(4096)}` }).end();
  await refused(probe(t, far), 'HLS_INPUT_UNREACHABLE', /address that is too long/);
  const round: RequestListener = (request, response) =>
    void response.writeHead(302, { Location: request.url }).end();
  await refused(probe(t, round), 'HLS_INPUT_UNREACHABLE', /redirects more than 3 times/);
  const gone: RequestListener = (request) => void request.socket.destroy();
  await refused(probe(t, gone), 'HLS_INPUT_UNREACHABLE', /cannot be fetched/);
});

test('a manifest that is shorter than declared, or unpacks to too much, is unreachable', async (t) => {
  const less: RequestListener = (request, response) => {
    response.writeHead(200, { 'Content-Length': 1000 }).write('#EXTM3U\n#EXT-X-VERSION:3\n');
    setImmediate(() => request.socket.destroy());
  };
  await refused(probe(t, less), 'HLS_INPUT_UNREACHABLE', /cannot be fetched/);
  const packed = gzipSync(Buffer.alloc(50_000_000));
  const more: RequestListener = (_request, response) =>
    void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
  await refused(probe(t, more), 'HLS_INPUT_UNREACHABLE', /more than 1000000 bytes/);
});

test('a manifest that names a segment in a file is malformed, and the file is not opened', async (t) => {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXTINF:2,', 'file:///etc/passwd'];
  await refused(probe(t, playlist(...lines)), 'HLS_INPUT_MALFORMED');
});

test('a segment that is missing makes the source unreachable, by the segment’s address', async (t) => {
  const found = probe(t, playlist('#EXTM3U', '#EXT-X-VERSION:3', '#EXTINF:2,', 'gone.ts'));
  const { details } = await refused(found, 'HLS_INPUT_UNREACHABLE', /answers 404/);
  assert.match(String(details?.['url']), /\/gone\.ts$/);
});

test('the probe of a source that never answers fails after 5 s of the sandbox’s clock', async (t) => {
  const clock = new ManualClock();
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const origin = await listening(
    t,
    createServer(() => asked()),
  );
  const found = refused(
    probeSource(`${origin}/index.m3u8`, clock, goesOn),
    'HLS_INPUT_UNREACHABLE',
    /more than 5 s/,
  );
  await isAsked;
  clock.advance(5000);
  await found;
});

test('a sandbox that closes does not wait for sources', async (t) => {
  const clock = new ManualClock();
  const closing = new AbortController();
  const origin = await listening(
    t,
    createServer(() => closing.abort()),
  );
  const found = probeSource(`${origin}/index.m3u8`, clock, closing.signal);
  await refused(found, 'HLS_INPUT_UNREACHABLE', /cannot be fetched/);
  assert.equal(clock.waiting, 0);
});

test('the probe of a source whose segments each come in time fails after 60 s in all', async (t) => {
  const clock = new ManualClock();
  const segments = Array.from({ length: 14 }, (_, n) => `#EXTINF:1,\n${n}.ts`);
  const text = ['#EXTM3U', '#EXT-X-VERSION:3', ...segments].join('\n');
  const [segment] = [...(await makeSource([...picture, ...tone, '-t', '1', ...h264, ...aac]))]
    .filter(([name]) => name.endsWith('.ts'))
    .map(([, bytes]) => bytes);
  const origin = await listening(
    t,
    createServer((request, response) => {
      if (request.url === '/index.m3u8') return void response.end(text);
      clock.advance(4500);
      response.end(segment);
    }),
  );
  await refused(probeSource(`${origin}/index.m3u8`, clock, goesOn), 'HLS_INPUT_UNREACHABLE', /60 s in all/);
});

test('a playlist of more than 1 MB is not read further', async (t) => {
  const endless: RequestListener = (_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  };
  await refused(probe(t, endless), 'HLS_INPUT_UNREACHABLE', /more than 1000000 bytes/);
});

test('a manifest that is wrong is malformed', (t) =>
  eachCase(
    [
      ['that is a web page', ['<!doctype html>']],
      ['without a segment', ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-ENDLIST']],
      ['without a version', ['#EXTM3U', '#EXTINF:2,', 'a.ts']],
    ] as const,
    async ([, lines]) => {
      await refused(probe(t, playlist(...lines)), 'HLS_INPUT_MALFORMED');
    },
  ));

test('an encrypted source is refused before a segment of it is fetched', async (t) => {
  const lines = ['#EXT-X-VERSION:3', '#EXT-X-KEY:METHOD=AES-128,URI="key"', '#EXTINF:2,', 'a.ts'];
  const { treatment, failing } = await probe(t, playlist('#EXTM3U', ...lines));
  assert.deepEqual([treatment, failing[0]?.dimension], ['reject', 'encryption']);
});

test('tracks that only the initialisation section declares as encrypted are refused', async (t) => {
  const files = new Map(await makeSource(short, ['-hls_segment_type', 'fmp4']));
  const init = Buffer.from(files.get('init.mp4')!);
  init.write('encv', init.indexOf('avc1', init.indexOf('stsd')));
  files.set('init.mp4', init);
  const { treatment, failing } = await probe(t, serving(files));
  assert.deepEqual([treatment, failing[0]?.dimension], ['reject', 'encryption']);
});

const rubbish = {
  'a web page': Buffer.from('<!doctype html>'),
  nothing: Buffer.alloc(0),
  'transport packets of nothing': Buffer.from(Array.from({ length: 1880 }, (_, at) => (at % 188 ? 0 : 0x47))),
  'boxes that end too early': Buffer.from('\0\0\0\x18moof\0\0\xff\xffmfhd', 'latin1'),
};
for (const [what, bytes] of Object.entries(rubbish)) {
  test(`segments that are ${what} are incompatible`, async (t) => {
    const text = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXTINF:2,', 'a.ts', '#EXT-X-ENDLIST'].join('\n');
    const files = new Map([
      ['index.m3u8', Buffer.from(text)],
      ['a.ts', bytes],
    ]);
    assert.equal((await probe(t, serving(files))).treatment, 'reject');
  });
}
