// The thread that makes clips: one job at a time, text in, MP4 out. Policy: all painting, encoding and muxing happens
// here, so that the service's own thread stays free; finished bytes are handed over without a copy; whatever goes wrong
// in a job is told as its failure.
import { parentPort, workerData } from 'node:worker_threads';
import { frameSizes, type ClipSpec, type EncodedClip, type Stage } from './clip.ts';
import { FRAMES_PER_SECOND, glossOf } from '../painter/gloss.ts';
import { encodeMp4 } from './mp4-file.ts';
import { clipPainter } from '../painter/clip-painter.ts';

/** What this thread tells the pool about the job it was given. */
export type WorkerReport =
  | { readonly kind: 'stage'; readonly stage: Stage; readonly durationMs: number }
  | { readonly kind: 'done'; readonly clip: EncodedClip }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (!port) throw new Error('encode-worker runs as a worker thread');

/** Not 0 once the pool is closed. */
const stop = new Int32Array(workerData as SharedArrayBuffer);

const tell = (report: WorkerReport, handOver: ArrayBuffer[] = []): void => port.postMessage(report, handOver);

async function encode({ text, signer, resolution }: ClipSpec): Promise<EncodedClip> {
  const started = performance.now();
  const size = frameSizes[resolution];
  const gloss = glossOf(text);
  const paint = clipPainter({ text, gloss, signer }, size);
  const glossed = performance.now() - started;
  tell({ kind: 'stage', stage: 'text_to_gloss', durationMs: glossed });
  let painted = 0;
  const bytes = await encodeMp4({ ...size, frames: gloss.frames }, (picture, frame) => {
    if (Atomics.load(stop, 0)) throw new Error('the sandbox is closed');
    const before = performance.now();
    paint(picture, frame);
    painted += performance.now() - before;
    if (frame === gloss.frames - 1) {
      tell({ kind: 'stage', stage: 'gloss_translation', durationMs: painted });
    }
  });
  const encoded = performance.now() - started - glossed - painted;
  tell({ kind: 'stage', stage: 'stream_generator', durationMs: encoded });
  return {
    bytes,
    durationSeconds: gloss.frames / FRAMES_PER_SECOND,
    stages: { text_to_gloss: glossed, gloss_translation: painted, stream_generator: encoded },
  };
}

port.on('message', (spec: ClipSpec) => {
  encode(spec).then(
    (clip) => tell({ kind: 'done', clip }, [clip.bytes.buffer as ArrayBuffer]),
    (error: unknown) =>
      tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
