// The status of a job (document 2, Endpoints, `GET /v1/status/{job_id}`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodeError } from '../../../demo/sandbox/media/media-spec.ts';
import { defaultNames } from '../../../demo/sandbox/settings.ts';
import { bodyOf, Harness } from './harness.ts';
import { eachCase } from '../each-case.ts';

const DAY = 24 * 3600 * 1000;
const unknown = '00000000-0000-4000-8000-000000000000';

async function begin(
  harness: Harness,
  format: string,
  method = 'push',
  config?: Record<string, unknown>,
): Promise<string> {
  const { body } = await harness.generate(bodyOf(format, method, config));
  return (body as { jobId: string }).jobId;
}

/** The status of a job. */
const stateOf = async (harness: Harness, id: string) =>
  (await harness.get(`/v1/status/${id}`)).body as Record<string, unknown>;
const turn = () => new Promise((done) => setImmediate(done));

test('a file is queued, processing by stages, then completed with its address', async (t) => {
  const harness = new Harness(t);
  harness.atOnce = false;
  const jobId = await begin(harness, 'mp4');
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'queued', progress: 0 });
  const { onStage, done } = harness.last;
  onStage('text_to_gloss', 1);
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'processing', progress: 33 });
  onStage('gloss_translation', 1);
  assert.equal((await stateOf(harness, jobId))['progress'], 66);
  onStage('stream_generator', 1);
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'processing', progress: 99 });
  done({ files: [{ path: '/clips/a.mp4' }], durationSeconds: 2 });
  await turn();
  assert.deepEqual(await stateOf(harness, jobId), {
    jobId,
    status: 'completed',
    progress: 100,
    downloadUrl: `http://media.test/clips/a.mp4?expires=${harness.clock.now() + 300_000}`,
  });
});

test('each answer has a newly signed download URL, under the field name in force', async (t) => {
  const harness = new Harness(t);
  const jobId = await begin(harness, 'mp4');
  await turn();
  harness.clock.advance(300_000);
  harness.names = { ...defaultNames, job_download_url: 'media' };
  const state = await stateOf(harness, jobId);
  assert.equal(state['media'], `http://media.test/clips/0.mp4?expires=${harness.clock.now() + 300_000}`);
  assert.equal('downloadUrl' in state, false);
});

test('a stream has its manifests from the start, and is processing, with progress by its time, until it has ended', async (t) => {
  const harness = new Harness(t);
  const jobId = await begin(harness, 'hls', 'stream');
  const [stream] = harness.streams;
  const manifests = { hls: stream!.hlsUrl, dash: stream!.dashUrl };
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'processing', progress: 0, manifests });
  harness.clock.advance(2500);
  assert.equal((await stateOf(harness, jobId))['progress'], 25);
  harness.clock.advance(60_000);
  assert.equal((await stateOf(harness, jobId))['progress'], 99);
  stream!.finish();
  await turn();
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'completed', progress: 100, manifests });
});

test('a job whose media cannot be made has failed', async (t) => {
  const harness = new Harness(t);
  harness.atOnce = false;
  const jobId = await begin(harness, 'mov', 'display', { screenId: 7 });
  harness.last.fail(new EncodeError('too many wait'));
  await turn();
  assert.deepEqual(await stateOf(harness, jobId), { jobId, status: 'failed', progress: 0 });
});

test('a job fails when a fault says so, and the next job does not', async (t) => {
  const harness = new Harness(t);
  harness.setFaults({ fault: 'job_fails', count: 1 });
  const first = await begin(harness, 'mp4');
  const second = await begin(harness, 'mp4');
  await turn();
  assert.equal((await stateOf(harness, first))['status'], 'failed');
  assert.equal('downloadUrl' in (await stateOf(harness, first)), false);
  assert.equal((await stateOf(harness, second))['status'], 'completed');
});

test('a path that holds no job id is invalid_job_id', (t) =>
  eachCase(['', '/', '/7', '/not%20an%20id', '/a/b', `/${unknown}x`, `/${'a'.repeat(300)}`], async (path) => {
    const { status, body } = await new Harness(t).get(`/v1/status${path}`);
    assert.equal(status, 400);
    const { error, details } = body as { error: string; details: string };
    assert.equal(error, 'invalid_job_id');
    assert.match(details, /^job_id: /);
  }));

test('an id that no job has is 404', async (t) => {
  const { status, body } = await new Harness(t).get(`/v1/status/${unknown}`);
  assert.equal(status, 404);
  assert.deepEqual(body, { error: 'not_found', details: 'no job with this id' });
});

test('a job id may be written in capitals', async (t) => {
  const harness = new Harness(t);
  const jobId = await begin(harness, 'mp4');
  assert.equal((await stateOf(harness, jobId.toUpperCase()))['jobId'], jobId);
});

test('a job is known for a day', async (t) => {
  const harness = new Harness(t);
  const jobId = await begin(harness, 'mp4');
  harness.clock.advance(DAY - 1);
  assert.equal((await harness.get(`/v1/status/${jobId}`)).status, 200);
  harness.clock.advance(1);
  assert.equal((await harness.get(`/v1/status/${jobId}`)).status, 404);
});
