// A fake encoder thread for the tests of the pool: it returns the letters of the text and the number of its thread.
// - Some texts are commands, `die` for example.
// - In JavaScript, because a thread takes a second to load a compiler.
import { parentPort, threadId } from 'node:worker_threads';

/** @type {(report: import('../../../demo/sandbox/media/encode-worker.ts').WorkerReport) => void} */
const tell = (report) => parentPort?.postMessage(report);

parentPort?.on(
  'message',
  (/** @type {import('../../../demo/sandbox/media/encode-worker.ts').EncodeOrder} */ order) => {
    if (order === 'close') process.exit();
    const { text } = order;
    if (text === null) return;
    if (text === 'die') process.exit(1);
    if (text === 'throw') throw new Error('thrown by the worker');
    if (text === 'fail') return tell({ kind: 'failed', of: 'encoder', message: 'refused by the encoder' });
    if (text === 'logo') return tell({ kind: 'failed', of: 'logo', message: 'no picture' });
    if (text === 'stay') return;
    tell({ kind: 'stage', stage: 'text_to_gloss', durationMs: 1 });
    tell({
      kind: 'done',
      media: {
        files: [Buffer.from(text)],
        durationSeconds: threadId,
        stages: { text_to_gloss: 1, gloss_translation: 2, stream_generator: 3 },
      },
    });
  },
);
