// The thread that makes media: one job at a time, text in, files out.
// - Painting, encoding and muxing happen here, so that the service's own thread stays free.
// - Finished bytes are transferred without a copy. Any error in a job is reported as the failure of the job.
import { parentPort, workerData } from 'node:worker_threads';
import { FRAMES_PER_SECOND, idleScript, scriptOf } from '../painter/script.ts';
import { paintedSize, type RenderOptions } from '../painter/render-options.ts';
import { ScenePainter } from '../painter/scene-painter.ts';
import { logoImage } from './logo-image.ts';
import { encodeFiles, secondsAt } from './media-files.ts';
import { LogoError, type EncodedMedia, type MediaSpec, type Stage } from './media-spec.ts';

/** Commands for this thread: make these media, or end after the current job. */
export type EncodeCommand = MediaSpec | 'close';

/** What this thread is started with. */
export interface EncodeWorkerData {
  /** Not 0 once the pool is closed. */
  readonly stop: SharedArrayBuffer;
  readonly render: RenderOptions;
}

/** What this thread tells the pool about the job it was given. */
export type WorkerReport =
  | { readonly kind: 'stage'; readonly stage: Stage; readonly durationMs: number }
  | { readonly kind: 'done'; readonly media: EncodedMedia }
  | { readonly kind: 'failed'; readonly message: string; readonly of: 'encoder' | 'logo' };

const port = parentPort;
if (!port) throw new Error('encode-worker runs as a worker thread');

const { stop: stopMemory, render } = workerData as EncodeWorkerData;
const stop = new Int32Array(stopMemory);

const tell = (report: WorkerReport, transfer: ArrayBuffer[] = []): void => port.postMessage(report, transfer);

async function encode(requested: MediaSpec): Promise<EncodedMedia> {
  const spec = { ...requested, style: paintedSize(requested.style, render) };
  const { text, seconds, style } = spec;
  const started = performance.now();
  const script = text === null ? idleScript : scriptOf(text, seconds, render.framesPerWord);
  const scripted = text === null ? Math.round((seconds ?? 0) * FRAMES_PER_SECOND) : script.gloss.frames;
  const frames = Math.min(scripted, spec.encoding?.frames ?? Infinity);
  if (frames === 0) throw new Error('no frame was asked for');
  const painter = new ScenePainter(style, {
    logo: style.logo && logoImage(style.logo.file),
    stamp: render.stamp,
  });
  const glossed = performance.now() - started;
  tell({ kind: 'stage', stage: 'text_to_gloss', durationMs: glossed });
  let painted = 0;
  const files = await encodeFiles(
    spec,
    frames,
    (picture, frame) => {
      if (Atomics.load(stop, 0)) throw new Error('the sandbox is closed');
      const before = performance.now();
      painter.paint(picture, script, frame);
      painted += performance.now() - before;
      if (frame === frames - 1) tell({ kind: 'stage', stage: 'gloss_translation', durationMs: painted });
    },
    render.bFrames ? 'b_frames' : 'as_shown',
  );
  const encoded = performance.now() - started - glossed - painted;
  tell({ kind: 'stage', stage: 'stream_generator', durationMs: encoded });
  return {
    files,
    durationSeconds: secondsAt(frames, spec.encoding),
    stages: { text_to_gloss: glossed, gloss_translation: painted, stream_generator: encoded },
  };
}

let job = Promise.resolve();

function run(spec: MediaSpec): Promise<void> {
  return encode(spec).then(
    (media) =>
      tell(
        { kind: 'done', media },
        media.files.map(({ buffer }) => buffer as ArrayBuffer),
      ),
    (error: unknown) =>
      tell({
        kind: 'failed',
        message: error instanceof Error ? error.message : String(error),
        of: error instanceof LogoError ? 'logo' : 'encoder',
      }),
  );
}

port.on('message', (command: EncodeCommand) => {
  // `process.exit()` ends this thread only, even when a library would keep it running.
  job = command === 'close' ? job.then(() => process.exit()) : run(command);
});
