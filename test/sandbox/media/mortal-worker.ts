// A worker for the pool's tests that encodes nothing: it answers with the text's own letters, in the number of its thread,
// and does as it is told by three of them.
import { parentPort, threadId } from 'node:worker_threads';
import type { ClipSpec, EncodedClip } from '../../../demo/sandbox/media/clip.ts';
import type { WorkerReport } from '../../../demo/sandbox/media/encode-worker.ts';

const tell = (report: WorkerReport): void => parentPort?.postMessage(report);

parentPort?.on('message', ({ text }: ClipSpec) => {
  if (text === 'die') process.exit(1);
  if (text === 'throw') throw new Error('thrown by the worker');
  if (text === 'fail') return tell({ kind: 'failed', message: 'refused by the encoder' });
  if (text === 'stay') return;
  const clip: EncodedClip = {
    bytes: Buffer.from(text),
    durationSeconds: threadId,
    stages: { text_to_gloss: 1, gloss_translation: 2, stream_generator: 3 },
  };
  tell({ kind: 'stage', stage: 'text_to_gloss', durationMs: 1 });
  tell({ kind: 'done', clip });
});
