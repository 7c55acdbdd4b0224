// The thread that all growing streams share.
// - One timer is set to the frame that is due first. Streams are served one after the other, so that each gets its share of time.
// - Parts are transferred without a copy. A stream whose encoder fails ends with the encoder's message; the others go on.
// - The thread ends itself on a message (media/worker-thread.ts says why).
import { parentPort, workerData } from 'node:worker_threads';
import { now } from '../clock.ts';
import { logoImage } from '../media/logo-image.ts';
import { VideoEncoder } from '../media/video-encoder.ts';
import type { RenderOptions } from '../painter/render-options.ts';
import { ScenePainter } from '../painter/scene-painter.ts';
import { StreamEncoder, type StreamTools } from './stream-encoder.ts';
import { segmentFrames, type StreamCommand, type StreamReport, type StreamSpec } from './stream-spec.ts';

/** A report of this thread, and the stream that it is about. */
export interface StreamNews {
  readonly id: string;
  readonly report: StreamReport;
}

const port = parentPort;
const { stamp } = workerData as RenderOptions;
if (!port) throw new Error('stream-worker runs as a worker thread');

const streams = new Map<string, StreamEncoder>();
let timer: NodeJS.Timeout | undefined;

function tell(id: string, report: StreamReport): void {
  const handOver: ArrayBuffer[] = [];
  if (report.kind === 'opened') handOver.push(report.init.buffer);
  if (report.kind === 'part') {
    handOver.push(report.part.bytes.buffer);
    if (report.part.ts) handOver.push(report.part.ts.buffer);
  }
  const news: StreamNews = { id, report };
  port!.postMessage(news, handOver);
}

function toolsOf(spec: StreamSpec): StreamTools {
  const { style, codec, bitsPerSecond } = spec;
  const painter = new ScenePainter(style, { logo: style.logo && logoImage(style.logo.file), stamp });
  const { width, height } = style;
  const format = { width, height, keyEvery: segmentFrames(spec), codec, bitsPerSecond };
  return {
    openEncoder: () => new VideoEncoder(format),
    paint: (picture, script, frame) => painter.paint(picture, script, frame),
  };
}

/** Runs an action on a stream. When it fails, the stream ends. */
function attempt(id: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    streams.get(id)?.close();
    tell(id, { kind: 'ended', problem: error instanceof Error ? error.message : String(error) });
  }
  if (streams.get(id)?.hasEnded) streams.delete(id);
}

function tick(): void {
  for (const [id, stream] of streams) attempt(id, () => stream.advance(now()));
  wait();
}

function wait(): void {
  clearTimeout(timer);
  const due = [...streams.values()].flatMap(({ nextDue }) => nextDue ?? []);
  if (due.length > 0) timer = setTimeout(tick, Math.max(0, Math.min(...due) - now()));
}

function open(id: string, spec: StreamSpec): void {
  attempt(id, () =>
    streams.set(id, new StreamEncoder(spec, now(), toolsOf(spec), (report) => tell(id, report))),
  );
}

port.on('message', (command: StreamCommand) => {
  if (command.kind === 'close') {
    for (const stream of streams.values()) stream.close();
    // This ends only this thread, even when something would keep it running.
    process.exit();
  }
  const stream = streams.get(command.id);
  if (command.kind === 'open') open(command.id, command.spec);
  else if (command.kind === 'sign') attempt(command.id, () => stream?.sign(command.script, now()));
  else attempt(command.id, () => (command.kind === 'end' ? stream?.end() : stream?.stop()));
  wait();
});
