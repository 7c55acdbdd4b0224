// The media of live sessions (document 2): one process for each session reads the source and encodes the streams.
// - The caller bounds how many run at one time; after `close` none starts.
// - A run cannot end the sandbox: it is another process, and its messages are only data.
// - A run's process is ended by SIGKILL, because a process that waits in native code handles no message. Before that it has 1.5 s
//   to finish its last parts and to close its push.
// - When a process ends without a request, its run has failed. When it was asked to end, the run has stopped, whatever the exit
//   code is.
// - A run that cannot be started leaves nothing open.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { RenderOptions } from '../../painter/render-options.ts';
import type { StreamService, HostedStream } from '../../streams/stream-service.ts';
import { startProcess } from '../child-processes.ts';
import type { LiveSpec, LiveCommand, LiveNews, StreamName } from './live-messages.ts';

/**
 * `pending` until the first picture of the source, then `running`; `pending` again while the source is away. Either `stopped` or
 * `failed` is the last state.
 */
export type LiveState = 'pending' | 'running' | 'stopped' | { readonly failed: string };

/** Addresses of a run; null for what it does not have. */
export interface LiveAddresses {
  /** Where to push to: `rtmp:` or `srt:` on loopback. Null for a pulled source. */
  readonly ingestUrl: string | null;
  readonly hlsUrl: string | null;
  readonly dashUrl: string | null;
  /** The composite. Its address answers 503 until the source's first picture. */
  readonly pipUrl: string | null;
}

export interface LiveRun {
  /** Resolves when the process has loaded its code, or when the run has ended before that. */
  readonly loaded: Promise<void>;
  /** Rejects when the process cannot be started; the run has failed then. */
  readonly ready: Promise<LiveAddresses>;
  /** Reports the present state at once, and every later one. */
  on(report: (state: LiveState) => void): void;
  /** Ends the run and frees its process, port and memory within 5 seconds, also when the run has already ended. */
  stop(): Promise<void>;
}

const STOPPING_MS = 1500;

/** The streams of a run, by name. */
type Hosted = ReadonlyMap<StreamName, HostedStream>;

function hosted({ output, pictureInPicture }: LiveSpec, streams: Pick<StreamService, 'host'>): Hosted {
  const names: StreamName[] = output.kind === 'hls' ? ['signer'] : [];
  if (pictureInPicture) names.push('composite');
  return new Map(names.map((name) => [name, streams.host()]));
}

function endStreams(streams: Hosted, problem: string | null): void {
  for (const stream of streams.values()) stream.hear({ kind: 'ended', problem });
}

const startMedia = (): ChildProcess => startProcess('live/media/live-process');

export class ProcessRun implements LiveRun {
  readonly loaded: Promise<void>;
  readonly ready: Promise<LiveAddresses>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<unknown>;
  readonly #process: ChildProcess;
  readonly #streams: Hosted;
  readonly #listeners: ((state: LiveState) => void)[] = [];
  #state: LiveState = 'pending';
  #isReady = false;
  #isStopping = false;
  #isOver = false;
  #resolveLoaded: () => void = () => {};
  #resolveReady: (addresses: LiveAddresses) => void = () => {};
  #rejectReady: (error: Error) => void = () => {};

  /**
   * @param maxAwayMs longest that a source may be away
   * @throws Error when there is no room for its streams, or no process for it
   */
  constructor(
    spec: LiveSpec,
    streams: Pick<StreamService, 'host'>,
    render: RenderOptions,
    maxAwayMs: number,
    start: () => ChildProcess = startMedia,
  ) {
    this.#streams = hosted(spec, streams);
    try {
      this.#process = start();
    } catch (error) {
      endStreams(this.#streams, null);
      throw error;
    }
    this.loaded = new Promise((resolve) => (this.#resolveLoaded = resolve));
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // A failed run is also reported as a state, so callers need not await this.
    this.ready.catch(() => {});
    this.exited = new Promise((resolve) => {
      this.#process.once('exit', resolve);
      // A process that cannot be started never exits.
      this.#process.once('error', resolve);
    });
    this.#process.on('message', (news) => this.#receive(news as LiveNews));
    this.#process.on('error', () => this.#end('the media process cannot be started'));
    this.#process.on('exit', () => this.#end('the media process died'));
    this.#send({ kind: 'open', spec, render, maxAwayMs });
  }

  /** The process id; undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  on(report: (state: LiveState) => void): void {
    this.#listeners.push(report);
    report(this.#state);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // Before it is ready, the process has no parts and no push to finish.
    if (!this.#isReady) this.#end(null);
    if (!this.#isOver) this.#send({ kind: 'stop' });
    const stopped = new AbortController();
    const timeout = delay(STOPPING_MS, null, { signal: stopped.signal }).catch(() => {});
    await Promise.race([this.exited, timeout]);
    stopped.abort();
    this.#end(null);
    this.#process.kill('SIGKILL');
    await this.exited;
  }

  #send(command: LiveCommand): void {
    // A process that has ended is reported by `exit`, so the error of sending to it is ignored.
    this.#process.send(command, () => {});
  }

  #receive(news: LiveNews): void {
    if (this.#isOver) return;
    if (news.kind === 'loaded') this.#resolveLoaded();
    else if (news.kind === 'ready') {
      this.#isReady = true;
      this.#resolveReady(this.#addressesWith(news.ingestUrl));
    } else if (news.kind === 'running' || news.kind === 'pending') this.#enter(news.kind);
    else if (news.kind === 'begun') this.#streams.get(news.stream)?.begin(news.spec);
    else if (news.kind === 'stream') this.#streams.get(news.stream)?.hear(news.report);
    else this.#end(news.problem);
  }

  #addressesWith(ingestUrl: string | null): LiveAddresses {
    const signer = this.#streams.get('signer');
    return {
      ingestUrl,
      hlsUrl: signer?.hlsUrl ?? null,
      dashUrl: signer?.dashUrl ?? null,
      pipUrl: this.#streams.get('composite')?.hlsUrl ?? null,
    };
  }

  /** Ends the run; only the first call counts. */
  #end(why: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const problem = this.#isStopping ? null : why;
    this.#process.kill('SIGKILL');
    endStreams(this.#streams, problem);
    this.#resolveLoaded();
    this.#rejectReady(new Error(problem ?? 'stopped'));
    this.#enter(problem === null ? 'stopped' : { failed: problem });
  }

  #enter(state: LiveState): void {
    this.#state = state;
    for (const report of this.#listeners) report(state);
  }
}

export interface LiveMedia {
  /** @throws Error when these media or their streams are closed, or when no process can be started */
  start(spec: LiveSpec): LiveRun;
  /** Stops all runs. */
  close(): Promise<void>;
}

interface LiveMediaDeps {
  readonly streams: Pick<StreamService, 'host'>;
  readonly render: RenderOptions;
  /** Longest that a source may be away before its session ends, milliseconds. Default 15 000. */
  readonly maxAwayMs?: number;
}

const MAX_AWAY_MS = 15_000;

export function openLiveMedia({ streams, render, maxAwayMs = MAX_AWAY_MS }: LiveMediaDeps): LiveMedia {
  const runs = new Set<ProcessRun>();
  let isClosed = false;
  return {
    start(spec) {
      if (isClosed) throw new Error('the live media are closed');
      const run = new ProcessRun(spec, streams, render, maxAwayMs);
      runs.add(run);
      void run.exited.then(() => runs.delete(run));
      return run;
    },
    async close() {
      isClosed = true;
      await Promise.all([...runs].map((run) => run.stop()));
    },
  };
}
