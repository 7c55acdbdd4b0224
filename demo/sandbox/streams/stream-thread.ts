// The thread of all growing streams, as the service uses it.
// - It starts with the first stream. After it has died, it starts again with the next stream.
// - When it dies, each of its streams gets the report that it has ended.
import type { Worker } from 'node:worker_threads';
import { endThread, startThread, threadUrl } from '../media/worker-thread.ts';
import type { RenderOptions } from '../painter/render-options.ts';
import type { StreamCommand, StreamReport } from './stream-spec.ts';
import type { StreamNews } from './stream-worker.ts';

export class StreamThread {
  readonly #url: URL;
  readonly #render: RenderOptions;
  readonly #hear: (id: string, report: StreamReport) => void;
  readonly #streams = new Set<string>();
  #worker: Worker | null = null;

  /** @param url the thread's module */
  constructor(
    hear: (id: string, report: StreamReport) => void,
    render: RenderOptions,
    url: URL = threadUrl('streams/stream-worker'),
  ) {
    this.#url = url;
    this.#hear = hear;
    this.#render = render;
  }

  /** Commands for a stream that has ended or was lost are ignored. */
  tell(command: Exclude<StreamCommand, { kind: 'close' }>): void {
    if (command.kind === 'open') this.#streams.add(command.id);
    else if (!this.#streams.has(command.id)) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(command);
  }

  async close(): Promise<void> {
    const command: StreamCommand = { kind: 'close' };
    if (this.#worker) await endThread(this.#worker, command);
  }

  #start(): Worker {
    const worker = startThread(this.#url, this.#render);
    worker.on('message', ({ id, report }: StreamNews) => this.#give(id, report));
    let cause = '';
    worker.on('error', (error) => (cause = `: ${error.message}`));
    worker.on('exit', () => {
      this.#worker = null;
      const problem = `the stream thread died${cause}`;
      for (const id of [...this.#streams]) this.#give(id, { kind: 'ended', problem });
    });
    return worker;
  }

  #give(id: string, report: StreamReport): void {
    if (report.kind === 'ended') this.#streams.delete(id);
    this.#hear(id, report);
  }
}
