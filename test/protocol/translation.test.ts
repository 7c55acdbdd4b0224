// The answers of document 2's text translation and silence, as the document shows them and as they might be.
import assert from 'node:assert/strict';
import test from 'node:test';
import { findManifests } from '../../src/protocol/find-url.ts';
import { parseSilence, silenceQuery } from '../../src/protocol/silence.ts';
import { type JobStatus, parseGenerated, parseJobStatus } from '../../src/protocol/translation.ts';

const manifests = { hls: 'https://cdn.test/p/main.m3u8?s=1', dash: 'https://cdn.test/p/main.mpd?s=1' };

test('a stream has job id, status and manifests', () => {
  assert.deepEqual(parseGenerated({ jobId: 'j-1', status: 'processing', manifests }), {
    jobId: 'j-1',
    status: 'processing',
    mediaUrl: null,
    manifests,
  });
});

test('a 303 that the proxy turned into JSON has its media address', () => {
  assert.deepEqual(parseGenerated({ mediaUrl: 'https://cdn.test/v?s=1' }), {
    jobId: null,
    status: null,
    mediaUrl: 'https://cdn.test/v?s=1',
    manifests: null,
  });
});

test('a job id alone is an answer', () => {
  assert.deepEqual(parseGenerated({ status: 'queued', jobId: 'j-1' }), {
    jobId: 'j-1',
    status: 'queued',
    mediaUrl: null,
    manifests: null,
  });
});

for (const body of [{}, [], null, 'text', { jobId: 7 }, { jobId: '' }, { mediaUrl: 'javascript:alert(1)' }]) {
  test(`null for ${JSON.stringify(body)}`, () => assert.equal(parseGenerated(body), null));
}

test('one manifest of two is enough', () => {
  assert.deepEqual(findManifests({ manifest_url: manifests.hls }), { hls: manifests.hls, dash: null });
  assert.equal(findManifests({ manifests: { hls: 'data:,#EXTM3U' } }), null);
});

const states: [body: object, state: JobStatus['state']][] = [
  [{ status: 'queued' }, 'running'],
  [{ status: 'processing', progress: 40 }, 'running'],
  [{}, 'running'],
  [{ status: 'not_ready' }, 'running'],
  [{ status: 'incomplete' }, 'running'],
  [{ status: 'finishing' }, 'running'],
  [{ status: 'SUSPENDED' }, 'running'],
  [{ status: 'running', url: 'https://api.test/v1/status/j-1' }, 'running'],
  [{ status: 'completed' }, 'done'],
  [{ status: 'SUCCEEDED' }, 'done'],
  [{ state: 'done' }, 'done'],
  [{ status: 'job_finished' }, 'done'],
  [{ status: 'processing', manifests }, 'done'],
  [{ result: { file: 'https://cdn.test/v.mp4' } }, 'done'],
  [{ status: 'failed' }, 'failed'],
  [{ status: 'FAILED', downloadUrl: 'https://cdn.test/v.mp4' }, 'failed'],
  [{ status: 'cancelled' }, 'failed'],
];

for (const [body, state] of states) {
  test(`a job with ${JSON.stringify(body)} is ${state}`, () =>
    assert.equal(parseJobStatus('j-1', body)?.state, state));
}

test('a job has progress, media and a message', () => {
  assert.deepEqual(
    parseJobStatus('j-1', {
      jobId: 'j-1',
      status: 'completed',
      progress: 100,
      downloadUrl: 'https://cdn.test/v',
    }),
    {
      jobId: 'j-1',
      status: 'completed',
      state: 'done',
      progress: 100,
      mediaUrl: 'https://cdn.test/v',
      manifests: null,
      message: null,
    },
  );
  assert.equal(parseJobStatus('j-1', { status: 'failed', error: 'no pose' })?.message, 'no pose');
  assert.equal(
    parseJobStatus('j-1', { status: 'failed', error: {}, message: 'no pose' })?.message,
    'no pose',
  );
  assert.equal(parseJobStatus('j-1', 'completed'), null);
});

for (const extras of [
  { progress: '50%' },
  { message: { en: 'rendered' } },
  { state: 2 },
  { status: 200, state: ['done'] },
  { jobId: 7 },
  { jobId: '' },
]) {
  test(`${JSON.stringify(extras)} does not hide the media of a job`, () =>
    assert.deepEqual(parseJobStatus('j-1', { downloadUrl: 'https://cdn.test/v', ...extras }), {
      jobId: 'j-1',
      status: null,
      state: 'done',
      progress: null,
      mediaUrl: 'https://cdn.test/v',
      manifests: null,
      message: null,
    }));
}

test('the only address among the download addresses of a job is its media, whatever its extension', () => {
  const only = ['https://cdn.test/v?s=1'];
  assert.equal(parseJobStatus('j-1', { status: 'completed', downloadUrls: only })?.mediaUrl, only[0]);
  assert.equal(parseJobStatus('j-1', { status: 'completed', download_urls: only })?.mediaUrl, only[0]);
  const two = [...only, 'https://cdn.test/w?s=1'];
  assert.equal(parseJobStatus('j-1', { status: 'completed', downloadUrls: two })?.mediaUrl, null);
});

test('an empty job id does not hide the media beside it', () => {
  assert.deepEqual(parseGenerated({ jobId: '', mediaUrl: 'https://cdn.test/v' }), {
    jobId: null,
    status: null,
    mediaUrl: 'https://cdn.test/v',
    manifests: null,
  });
});

test('a query for silence has only the requested values', () => {
  assert.equal(silenceQuery({}), '');
  assert.equal(
    silenceQuery({ language: 'ASL', signer: ' JAY', format: 'mp4' }),
    'language=asl&signer=jay&format=mp4',
  );
  assert.equal(silenceQuery({ transparent: true }), 'transparent=true');
  assert.equal(silenceQuery({ transparent: false }), '');
});

test('silence in one file is one address', () => {
  const body = { url: 'https://cdn.test/s.mp4', durationSeconds: 12, expiresAt: '2026-01-01T00:05:00Z' };
  assert.deepEqual(parseSilence({ format: 'mp4' }, body), {
    urls: ['https://cdn.test/s.mp4'],
    durationSeconds: 12,
    expiresAt: '2026-01-01T00:05:00Z',
  });
  assert.deepEqual(
    parseSilence({ transparent: true }, { wo: 'https://cdn.test/s.mov', durationSeconds: 'x' }),
    {
      urls: ['https://cdn.test/s.mov'],
      durationSeconds: null,
      expiresAt: null,
    },
  );
});

for (const body of [
  { segments: ['https://cdn.test/s?sig=1'] },
  { urls: [{ href: 'https://cdn.test/s?sig=1' }] },
]) {
  test(`silence in one file is the only address of ${JSON.stringify(body)}`, () => {
    assert.deepEqual(parseSilence({ format: 'mp4' }, body)?.urls, ['https://cdn.test/s?sig=1']);
    assert.deepEqual(parseSilence({ transparent: true }, body)?.urls, ['https://cdn.test/s?sig=1']);
  });
}

test('silence in one file has no address when nothing says which of several addresses is the file', () => {
  const body = { segments: ['https://cdn.test/s?sig=1', 'https://cdn.test/t?sig=1'] };
  assert.equal(parseSilence({ format: 'mp4' }, body), null);
});

test('a time without an offset at which silence expires is in UTC, not in the time zone of the visitor', () => {
  const expires = (expiresAt: string) =>
    parseSilence({ format: 'mp4' }, { url: 'https://cdn.test/s', expiresAt })?.expiresAt;
  const zone = process.env.TZ;
  process.env.TZ = 'America/New_York';
  try {
    for (const time of ['2026-01-01T12:05:00', '2026-01-01 12:05:00.250', '2026-01-01T12:05:00Z'])
      assert.equal(new Date(expires(time)!).getUTCHours(), 12, time);
    for (const time of ['2026-01-01T14:05:00+02:00', '2026-01-01T07:05:00.1-05:00'])
      assert.equal(new Date(expires(time)!).getUTCHours(), 12, time);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('silence in segments is a list of addresses', () => {
  const urls = [0, 1, 2, 3, 4, 5].map((n) => `https://cdn.test/s${n}.ts?sig=${n}`);
  assert.deepEqual(parseSilence({}, { segments: urls })?.urls, urls);
  assert.deepEqual(
    parseSilence({ format: 'ts' }, { help: 'https://cdn.test/help', list: urls.map((src) => ({ src })) })
      ?.urls,
    urls,
  );
  assert.deepEqual(parseSilence({}, ['https://cdn.test/a', 'https://cdn.test/b'])?.urls.length, 2);
});

test('a segment that is named twice is played once', () => {
  const urls = [1, 2, 3].map((part) => `https://cdn.test/${part}.ts`);
  assert.deepEqual(parseSilence({ format: 'ts' }, { url: urls[0], segments: urls })?.urls, urls);
});

test('silence without media reads as null', () => {
  assert.equal(parseSilence({ format: 'mp4' }, { url: 'file:///s.mp4' }), null);
  assert.equal(parseSilence({}, { segments: [] }), null);
  assert.equal(parseSilence({}, null), null);
});
