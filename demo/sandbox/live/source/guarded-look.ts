// Looks at a source's bytes in a process of its own. Policy: whatever they do there, fill its memory (128 MB of objects), never
// come to an end or end the process, is that they cannot be read; who looks says when it has taken too long. Bytes are given
// one segment at a time, so that no more than one of them waits.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startProcess } from '../own-process.ts';
import type { LookNews, SegmentToLookAt } from './look-process.ts';

const MOST_MEGABYTES = 128;

export class GuardedLook {
  readonly #process: ChildProcess;
  readonly #gone: Promise<null>;
  readonly #over: AbortSignal;
  readonly #end = (): void => void this.#process.kill('SIGKILL');

  /** @param over when it aborts, what is being looked at cannot be read */
  constructor(over: AbortSignal) {
    this.#process = startProcess('live/source/look-process', [`--max-old-space-size=${MOST_MEGABYTES}`]);
    this.#gone = once(this.#process, 'exit').then(() => null);
    // Heard by whoever asks for the next segment.
    this.#gone.catch(() => {});
    this.#over = over;
    over.addEventListener('abort', this.#end);
  }

  /**
   * What is known after this segment; null when it cannot be read.
   * @throws Error when there is no process to look at it
   */
  async add(segment: SegmentToLookAt): Promise<LookNews> {
    // What has gone hears nothing, and its end is told.
    this.#process.send(segment, () => {});
    const news = once(this.#process, 'message').then(([found]) => found as LookNews);
    news.catch(() => {});
    return Promise.race([news, this.#gone]);
  }

  /** Frees it. */
  async close(): Promise<void> {
    this.#over.removeEventListener('abort', this.#end);
    this.#end();
    await this.#gone.catch(() => {});
  }
}
