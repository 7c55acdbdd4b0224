// The worker pool: with a fake worker that the test controls, and once with the real one.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { EncodePool } from '../../../demo/sandbox/media/encode-pool.ts';
import { EncodeError, LogoError, type Stage } from '../../../demo/sandbox/media/media-spec.ts';
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { decodeClip } from './decode-clip.ts';
import { specOf, stampOf } from './media-spec.ts';
import { stamped } from '../stamped.ts';

function poolOf(t: TestContext) {
  const pool = new EncodePool(stamped, new URL('./scripted-worker.mjs', import.meta.url));
  t.after(() => pool.close());
  return {
    pool,
    encode: async (text: string) => {
      const { files, durationSeconds } = await pool.encode(specOf(text), () => {});
      return { text: Buffer.from(files[0]!).toString(), thread: durationSeconds };
    },
  };
}

const failsWith = (words: RegExp) => (error: unknown) =>
  error instanceof EncodeError && words.test(error.message);

test('every job is answered with its own clip', async (t) => {
  const { encode } = poolOf(t);
  const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
  const clips = await Promise.all(texts.map(encode));
  assert.deepEqual(
    clips.map(({ text }) => text),
    texts,
  );
});

test('a long job does not delay the jobs after it', async (t) => {
  const { pool, encode } = poolOf(t);
  const long = assert.rejects(
    pool.encode(specOf('stay'), () => {}),
    failsWith(/closed/),
  );
  assert.deepEqual((await Promise.all(['a', 'b', 'c'].map(encode))).map(({ text }) => text), ['a', 'b', 'c']); // oxfmt-ignore
  await pool.close();
  await long;
});

for (const [how, words] of [
  ['die', /the encoding thread died/],
  ['throw', /the encoding thread died: thrown by the worker/],
] as const) {
  test(`workers that ${how} fail their own job only, and others take their place`, async (t) => {
    const { encode } = poolOf(t);
    const before = new Set((await Promise.all([encode('a'), encode('b')])).map(({ thread }) => thread));
    const jobs = [encode(how), encode(how), encode('c'), encode('d')];
    const settled = await Promise.allSettled(jobs);
    for (const job of settled.slice(0, 2)) {
      assert.ok(job.status === 'rejected' && failsWith(words)(job.reason));
    }
    for (const job of settled.slice(2)) {
      assert.ok(job.status === 'fulfilled' && !before.has(job.value.thread));
    }
  });
}

test('a job that fails leaves its worker for the next', async (t) => {
  const { encode } = poolOf(t);
  await assert.rejects(encode('fail'), failsWith(/refused by the encoder/));
  assert.equal((await encode('a')).text, 'a');
});

test('a logo that is no picture is another error than an encoder that fails', async (t) => {
  const { encode } = poolOf(t);
  await assert.rejects(encode('logo'), LogoError);
  await assert.rejects(encode('fail'), (error) => !(error instanceof LogoError));
});

test('stages are reported as they complete', async (t) => {
  const { pool } = poolOf(t);
  const stages: [Stage, number][] = [];
  await pool.encode(specOf('a'), (stage, ms) => stages.push([stage, ms]));
  assert.deepEqual(stages, [['text_to_gloss', 1]]);
});

test('a sixty-seventh job is refused, while two run and 64 wait', async (t) => {
  const { pool } = poolOf(t);
  const jobs = Array.from({ length: 66 }, () => pool.encode(specOf('stay'), () => {}));
  const refused = Promise.all(jobs.map((job) => assert.rejects(job, EncodeError)));
  await assert.rejects(
    pool.encode(specOf('a'), () => {}),
    failsWith(/too many/),
  );
  await pool.close();
  await refused;
  await assert.rejects(
    pool.encode(specOf('a'), () => {}),
    failsWith(/closed/),
  );
});

test('the real worker makes a clip that decodes, and reports its three stages', async (t) => {
  const pool = new EncodePool(stamped);
  t.after(() => pool.close());
  const stages: Stage[] = [];
  const clip = await pool.encode(specOf('Hello'), (stage) => stages.push(stage));
  assert.deepEqual(stages, ['text_to_gloss', 'gloss_translation', 'stream_generator']);
  assert.ok(Object.values(clip.stages).every((ms) => ms >= 0));
  const { pictures, duration } = await decodeClip(clip.files[0]!);
  assert.ok(Math.abs(duration - clip.durationSeconds) < 1e-6);
  assert.deepEqual(stampOf(pictures[3]!), { clip: clipId('Hello'), frame: 3 });
});

test('closing a pool whose threads still load ends the threads, and not the process', async () => {
  // The threads have loaded differently far each time. A thread that is ended from outside while it loads aborts the process.
  await Promise.all([new EncodePool(stamped).close(), new EncodePool(stamped).close()]);
});

test('closing a pool in the middle of encoding ends its threads, and not the process', async (t) => {
  const pool = new EncodePool(stamped);
  t.after(() => pool.close());
  const begun = new Set<string>();
  const jobs = ['one', 'two'].map((text) => {
    const begins = new Promise<void>((resolve) => {
      const onStage = (): void => {
        begun.add(text);
        resolve();
      };
      const job = pool.encode(specOf(`${text} and very many words more `.repeat(40)), onStage);
      void assert.rejects(job, failsWith(/closed/)).then(() => begun.delete(text));
    });
    return begins;
  });
  await Promise.all(jobs);
  assert.equal(begun.size, 2);
  await pool.close();
  assert.equal(begun.size, 0);
});
