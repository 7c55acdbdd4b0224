// How far a job has come (document 2, Endpoints, `GET /v1/status/{job_id}`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodeError } from '../../../demo/sandbox/media/media-spec.ts';
import { defaultNames } from '../../../demo/sandbox/settings.ts';
import { bodyOf, Desk } from './desk.ts';
import { eachCase } from '../each-case.ts';

const DAY = 24 * 3600 * 1000;
const unknown = '00000000-0000-4000-8000-000000000000';

async function begin(
  desk: Desk,
  format: string,
  method = 'push',
  config?: Record<string, unknown>,
): Promise<string> {
  const { body } = await desk.generate(bodyOf(format, method, config));
  return (body as { jobId: string }).jobId;
}

/** What is said of a job. */
const stateOf = async (desk: Desk, id: string) =>
  (await desk.get(`/v1/status/${id}`)).body as Record<string, unknown>;
const turn = () => new Promise((done) => setImmediate(done));

test('a file is queued, processing by stages, then completed with its address', async (t) => {
  const desk = new Desk(t);
  desk.atOnce = false;
  const jobId = await begin(desk, 'mp4');
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'queued', progress: 0 });
  const { onStage, done } = desk.last;
  onStage('text_to_gloss', 1);
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'processing', progress: 33 });
  onStage('gloss_translation', 1);
  assert.equal((await stateOf(desk, jobId))['progress'], 66);
  onStage('stream_generator', 1);
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'processing', progress: 99 });
  done({ files: [{ path: '/clips/a.mp4' }], durationSeconds: 2 });
  await turn();
  assert.deepEqual(await stateOf(desk, jobId), {
    jobId,
    status: 'completed',
    progress: 100,
    downloadUrl: `http://media.test/clips/a.mp4?expires=${desk.clock.now() + 300_000}`,
  });
});

test('the download URL is signed anew for each answer, and called as the names in force say', async (t) => {
  const desk = new Desk(t);
  const jobId = await begin(desk, 'mp4');
  await turn();
  desk.clock.advance(300_000);
  desk.names = { ...defaultNames, job_download_url: 'media' };
  const state = await stateOf(desk, jobId);
  assert.equal(state['media'], `http://media.test/clips/0.mp4?expires=${desk.clock.now() + 300_000}`);
  assert.equal('downloadUrl' in state, false);
});

test('a stream is processing by its time, its manifests there from the start, until it has ended', async (t) => {
  const desk = new Desk(t);
  const jobId = await begin(desk, 'hls', 'stream');
  const [stream] = desk.streams;
  const manifests = { hls: stream!.hlsUrl, dash: stream!.dashUrl };
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'processing', progress: 0, manifests });
  desk.clock.advance(2500);
  assert.equal((await stateOf(desk, jobId))['progress'], 25);
  desk.clock.advance(60_000);
  assert.equal((await stateOf(desk, jobId))['progress'], 99);
  stream!.finish();
  await turn();
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'completed', progress: 100, manifests });
});

test('a job whose media cannot be made has failed', async (t) => {
  const desk = new Desk(t);
  desk.atOnce = false;
  const jobId = await begin(desk, 'mov', 'display', { screenId: 7 });
  desk.last.fail(new EncodeError('too many wait'));
  await turn();
  assert.deepEqual(await stateOf(desk, jobId), { jobId, status: 'failed', progress: 0 });
});

test('a job fails when a fault says so, the next one does not', async (t) => {
  const desk = new Desk(t);
  desk.setFaults({ fault: 'job_fails', count: 1 });
  const first = await begin(desk, 'mp4');
  const second = await begin(desk, 'mp4');
  await turn();
  assert.equal((await stateOf(desk, first))['status'], 'failed');
  assert.equal('downloadUrl' in (await stateOf(desk, first)), false);
  assert.equal((await stateOf(desk, second))['status'], 'completed');
});

test('a path that holds no job id is invalid_job_id', (t) =>
  eachCase(['', '/', '/7', '/not%20an%20id', '/a/b', `/${unknown}x`, `/${'a'.repeat(300)}`], async (path) => {
    const { status, body } = await new Desk(t).get(`/v1/status${path}`);
    assert.equal(status, 400);
    const { error, details } = body as { error: string; details: string };
    assert.equal(error, 'invalid_job_id');
    assert.match(details, /^job_id: /);
  }));

test('an id that no job has is 404', async (t) => {
  const { status, body } = await new Desk(t).get(`/v1/status/${unknown}`);
  assert.equal(status, 404);
  assert.deepEqual(body, { error: 'not_found', details: 'no job with this id' });
});

test('a job id may be written in capitals', async (t) => {
  const desk = new Desk(t);
  const jobId = await begin(desk, 'mp4');
  assert.equal((await stateOf(desk, jobId.toUpperCase()))['jobId'], jobId);
});

test('a job is known for a day', async (t) => {
  const desk = new Desk(t);
  const jobId = await begin(desk, 'mp4');
  desk.clock.advance(DAY - 1);
  assert.equal((await desk.get(`/v1/status/${jobId}`)).status, 200);
  desk.clock.advance(1);
  assert.equal((await desk.get(`/v1/status/${jobId}`)).status, 404);
});
