// Two worker threads that make media, and the queue before them.
// - Jobs run in the order in which they come, one at a time on each worker; at most 64 wait. The second worker is started by the
//   first job that comes while the other is busy, because loading the encoders takes half a second of a core.
// - When a worker dies, its job fails. Its replacement is started with the next job, so that a worker that dies while it starts is
//   not started again and again.
import type { Worker } from 'node:worker_threads';
import { EncodeError, LogoError, type EncodedMedia, type MediaSpec, type OnStage } from './media-spec.ts';
import type { RenderOptions } from '../painter/render-options.ts';
import type { EncodeCommand, EncodeWorkerData, WorkerReport } from './encode-worker.ts';
import { endThread, startThread, threadUrl } from './worker-thread.ts';

const WORKERS = 2;
const MOST_WAITING = 64;
const CLOSED = 'the sandbox is closed';

interface Job {
  readonly spec: MediaSpec;
  readonly onStage: OnStage;
  readonly resolve: (media: EncodedMedia) => void;
  readonly reject: (error: EncodeError) => void;
}

interface Slot {
  worker: Worker | null;
  job: Job | null;
}

export class EncodePool {
  readonly #render: RenderOptions;
  readonly #url: URL;
  readonly #slots: Slot[] = Array.from({ length: WORKERS }, () => ({ worker: null, job: null }));
  readonly #waiting: Job[] = [];
  /** Memory shared with the threads, which read it once for each frame, because a thread reads a message only after its job. */
  readonly #stop = new SharedArrayBuffer(4);
  #closed = false;

  /** Starts a worker at once, so that the first text need not wait for it. `url` is the worker's module. */
  constructor(render: RenderOptions, url: URL = threadUrl('media/encode-worker')) {
    this.#render = render;
    this.#url = url;
    this.#start(this.#slots[0]!);
  }

  /** Makes one file, or all segments. @throws EncodeError, or LogoError when the logo cannot be used */
  encode(spec: MediaSpec, onStage: OnStage): Promise<EncodedMedia> {
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(new EncodeError(CLOSED));
      else if (this.#waiting.length >= MOST_WAITING)
        reject(new EncodeError('too many files are waiting to be made'));
      else this.#waiting.push({ spec, onStage, resolve, reject });
      this.#next();
    });
  }

  /** Fails the waiting jobs and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new EncodeError(CLOSED));
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    const command: EncodeCommand = 'close';
    await Promise.all(this.#slots.flatMap(({ worker }) => (worker ? endThread(worker, command) : [])));
  }

  #start(slot: Slot): Worker {
    const data: EncodeWorkerData = { stop: this.#stop, render: this.#render };
    const worker = startThread(this.#url, data);
    slot.worker = worker;
    worker.on('message', (report: WorkerReport) => this.#hear(slot, report));
    let cause = '';
    worker.on('error', (error) => (cause = `: ${error.message}`));
    worker.on('exit', () => {
      if (cause && !this.#closed) console.error(`an encoding thread died${cause}`);
      slot.worker = null;
      this.#finish(slot)?.reject(new EncodeError(this.#closed ? CLOSED : `the encoding thread died${cause}`));
    });
    return worker;
  }

  #next(): void {
    for (const slot of this.#slots) {
      if (slot.job || this.#closed) continue;
      const job = this.#waiting.shift();
      if (!job) return;
      slot.job = job;
      const command: EncodeCommand = job.spec;
      (slot.worker ?? this.#start(slot)).postMessage(command);
    }
  }

  #hear(slot: Slot, report: WorkerReport): void {
    switch (report.kind) {
      case 'stage':
        return slot.job?.onStage(report.stage, report.durationMs);
      case 'done':
        return this.#finish(slot)?.resolve(report.media);
      case 'failed':
        return this.#finish(slot)?.reject(
          report.of === 'logo' ? new LogoError(report.message) : new EncodeError(report.message),
        );
    }
  }

  /** Takes the job from its worker, and gives the worker the next one. */
  #finish(slot: Slot): Job | null {
    const { job } = slot;
    slot.job = null;
    this.#next();
    return job;
  }
}
