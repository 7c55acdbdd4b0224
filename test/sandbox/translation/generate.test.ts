// The answers of generate: manifests, a redirect or a job, by format and method (document 2, Translation response).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { EncodeError, LogoError } from '../../../demo/sandbox/media/media-spec.ts';
import { listening } from '../../listening.ts';
import { until } from '../../until.ts';
import { bodyOf, Harness } from './harness.ts';
import { eachCase } from '../each-case.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');

const fieldsOf = (body: unknown): string[] => Object.keys(body as object).sort();

test('hls with stream gives the manifests of a job that is being made', async (t) => {
  const harness = new Harness(t);
  const { status, body } = await harness.generate(bodyOf('hls', 'stream', {}, { duration: 8 }));
  const [stream] = harness.streams;
  assert.ok(stream);
  assert.equal(status, 200);
  const { jobId, ...rest } = body as { jobId: string };
  assert.match(jobId, UUID);
  assert.deepEqual(rest, {
    status: 'processing',
    manifests: { hls: stream.hlsUrl, dash: stream.dashUrl },
  });
  assert.equal(stream.spec.kind, 'job');
  assert.deepEqual(stream.said, [['Hello there', 8]]);
  assert.equal(stream.hasEnd, true);
});

const redirected = [
  ['mp4', 'download', 'mp4'],
  ['mp4', 'stream', 'mp4'],
  ['mov', 'download', 'mov'],
  ['mov', 'stream', 'mov'],
  ['hls', 'download', 'segment'],
] as const;
test('a file is a redirect to one presigned address that lives 5 minutes', (t) =>
  eachCase(redirected, async ([format, method, container]) => {
    const harness = new Harness(t);
    const { status, headers, body } = await harness.generate(bodyOf(format, method));
    assert.equal(status, 303);
    const expires = harness.clock.now() + 300_000;
    assert.equal(headers.location, `http://media.test/clips/0.${container}?expires=${expires}`);
    assert.equal(body, null);
    assert.equal(harness.streams.length, 0);
  }));

for (const method of ['display', 'push']) {
  test(`${method} gives a job to be polled before its file is ready`, async (t) => {
    const harness = new Harness(t);
    harness.atOnce = false;
    const { status, body } = await harness.generate(bodyOf('mp4', method, { screenId: 7 }));
    assert.equal(status, 200);
    assert.deepEqual(fieldsOf(body), ['jobId', 'status']);
    assert.equal((body as { status: string }).status, 'queued');
    assert.equal(harness.last.spec.container, 'mp4');
  });
}

test('hls with display makes a stream, and the job has its manifests', async (t) => {
  const harness = new Harness(t);
  const { body } = await harness.generate(bodyOf('hls', 'display', { screenId: 7 }));
  assert.deepEqual(fieldsOf(body), ['jobId', 'status']);
  assert.equal(harness.streams.length, 1);
});

test('v1 answers every request with a job before its media are ready', (t) =>
  eachCase([...redirected, ['hls', 'stream']] as const, async ([format, method]) => {
    const harness = new Harness(t);
    harness.atOnce = false;
    const { status, body } = await harness.generate(bodyOf(format, method), 'v1');
    assert.equal(status, 200);
    assert.deepEqual(fieldsOf(body), ['jobId', 'status']);
  }));

for (const [version, code] of [
  ['v2', 'validation_error'],
  ['v1', 'invalid_request'],
] as const) {
  test(`${version} refuses a wrong body with ${code} and the fields that are wrong`, async (t) => {
    const harness = new Harness(t);
    const { status, body } = await harness.generate(bodyOf('gif', 'upload'), version);
    assert.equal(status, 400);
    const { error, details, ...rest } = body as { error: string; details: string };
    assert.equal(error, code);
    assert.match(details, /^output\.format: .+; output\.delivery\.method: .+$/);
    assert.deepEqual(rest, {});
    assert.deepEqual([harness.asked, harness.streams], [[], []]);
  });
}

test('at the limit of growing streams the answer is 503, and says when to try again', async (t) => {
  const harness = new Harness(t);
  harness.streamsAreFull = true;
  for (const version of ['v1', 'v2'] as const) {
    const { status, headers, body } = await harness.generate(bodyOf('hls', 'stream'), version);
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.deepEqual(body, { error: 'service_unavailable', details: 'too many streams are growing' });
  }
});

test('media that cannot be rendered are a 500 without internal details', async (t) => {
  const harness = new Harness(t);
  harness.atOnce = false;
  const answer = harness.generate(bodyOf('mp4', 'download'));
  await until(() => harness.asked.length === 1);
  harness.last.fail(new EncodeError('x264 said something private'));
  const { status, body } = await answer;
  assert.equal(status, 500);
  assert.deepEqual(body, { error: 'media_failed', details: 'the media could not be made' });
});

test('an address that cannot be signed is presign_failed', async (t) => {
  const harness = new Harness(t);
  const printed = t.mock.method(console, 'error', () => {});
  harness.urlOf = () => {
    throw new Error('no secret');
  };
  const { status, body } = await harness.generate(bodyOf('mp4', 'download'));
  assert.equal(status, 500);
  assert.equal((body as { error: string }).error, 'presign_failed');
  assert.equal(printed.mock.callCount(), 1);
});

const withLogo = async (t: TestContext, more: object = {}) => {
  const url = await listening(
    t,
    createServer((_request, response) => response.end(png)),
  );
  return { logo: { url, position: 'top-right', ...more } };
};

test('a logo is fetched and goes into the style, with size medium when none is requested', async (t) => {
  const harness = new Harness(t);
  await harness.generate(bodyOf('mp4', 'download', await withLogo(t)));
  const { logo } = harness.last.spec.style;
  assert.deepEqual([Buffer.from(logo!.file), logo!.position, logo!.size], [png, 'top-right', 'medium']);
  await harness.generate(bodyOf('hls', 'stream', await withLogo(t, { size: 'small' })));
  assert.equal(harness.streams[0]?.spec.style.logo?.size, 'small');
});

test('a logo that cannot be fetched is a 400 about logo.url, and nothing is rendered', async (t) => {
  const harness = new Harness(t);
  const url = await listening(
    t,
    createServer((_request, response) => response.writeHead(404).end()),
  );
  const config = { logo: { url, position: 'top-left' } };
  for (const [version, code] of [
    ['v2', 'validation_error'],
    ['v1', 'invalid_request'],
  ] as const) {
    const { status, body } = await harness.generate(bodyOf('mp4', 'download', config), version);
    assert.equal(status, 400);
    assert.deepEqual(body, { error: code, details: 'output.delivery.config.logo.url: answers 404' });
  }
  assert.equal(harness.asked.length, 0);
});

test('a logo that is not a picture is a 400 before any media, for every kind of media', (t) =>
  eachCase([...redirected, ['hls', 'stream'], ['mp4', 'push']] as const, async ([format, method]) => {
    const harness = new Harness(t);
    harness.atOnce = false;
    const answer = harness.generate(bodyOf(format, method, await withLogo(t)));
    await until(() => harness.asked.length === 1);
    harness.last.fail(new LogoError('broken'));
    const { status, body } = await answer;
    assert.equal(status, 400);
    assert.deepEqual(body, { error: 'validation_error', details: 'output.delivery.config.logo.url: broken' });
    assert.deepEqual([harness.asked.length, harness.streams.length], [1, 0]);
  }));
