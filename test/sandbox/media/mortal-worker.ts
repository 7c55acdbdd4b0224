// A fake encoder thread for the tests of the pool: it returns the letters of the text and the number of its thread.
// - Some texts are commands, `die` for example.
import { parentPort, threadId } from 'node:worker_threads';
import type { EncodeOrder, WorkerReport } from '../../../demo/sandbox/media/encode-worker.ts';
import type { EncodedMedia } from '../../../demo/sandbox/media/media-spec.ts';

const tell = (report: WorkerReport): void => parentPort?.postMessage(report);

parentPort?.on('message', (order: EncodeOrder) => {
  if (order === 'close') process.exit();
  const { text } = order;
  if (text === null) return;
  if (text === 'die') process.exit(1);
  if (text === 'throw') throw new Error('thrown by the worker');
  if (text === 'fail') return tell({ kind: 'failed', of: 'encoder', message: 'refused by the encoder' });
  if (text === 'logo') return tell({ kind: 'failed', of: 'logo', message: 'no picture' });
  if (text === 'stay') return;
  const media: EncodedMedia = {
    files: [Buffer.from(text)],
    durationSeconds: threadId,
    stages: { text_to_gloss: 1, gloss_translation: 2, stream_generator: 3 },
  };
  tell({ kind: 'stage', stage: 'text_to_gloss', durationMs: 1 });
  tell({ kind: 'done', media });
});
