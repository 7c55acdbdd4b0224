// The jobs of the translation API that can be polled, and how far each has come (document 2, Translation response; the
// states of a job are not shown there). Policy: the newest 10 000 jobs are kept, for 24 hours; a file is as far as the
// stages of the pipeline that are through, a stream as the part of its time that has passed; 100 is said of what is
// completed only.
import type { SandboxClock } from '../clock.ts';
import { stages } from '../media/media-spec.ts';
import { ResultCache } from '../result-cache.ts';

const KEPT_MS = 24 * 3600 * 1000;

export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** Signed addresses of a job's manifests. */
export interface Manifests {
  readonly hls: string;
  readonly dash: string;
}

/** A job whose media are a file, or a stream with `manifests`. */
export class Job {
  readonly id: string;
  readonly manifests: Manifests | null;
  /** Path of the finished file on the media origin, unsigned; null while there is none. */
  path: string | null = null;
  readonly #progress: () => number;
  #stages = 0;
  #end: 'completed' | 'failed' | null = null;

  /** @param stream its manifests and the share of it (0 to 1) that has been made by now; null for a file */
  constructor(id: string, stream: { readonly manifests: Manifests; readonly share: () => number } | null) {
    this.id = id;
    this.manifests = stream?.manifests ?? null;
    this.#progress = stream?.share ?? (() => this.#stages / stages.length);
  }

  get status(): JobStatus {
    return this.#end ?? (this.manifests || this.#stages > 0 ? 'processing' : 'queued');
  }

  /** Whole, 0 to 100. */
  get progress(): number {
    return this.#end === 'completed' ? 100 : Math.min(99, Math.floor(this.#progress() * 100));
  }

  /** One more stage of the pipeline is through. */
  stageDone(): void {
    this.#stages += 1;
  }

  ended(how: 'completed' | 'failed'): void {
    this.#end = how;
  }
}

export class JobStore {
  readonly #clock: SandboxClock;
  readonly #jobs = new ResultCache<Job>();

  constructor(clock: SandboxClock) {
    this.#clock = clock;
  }

  keep(job: Job): void {
    this.#jobs.put(job.id, job, this.#clock.now() + KEPT_MS);
  }

  /** The job of this id, null when there is none (any more). */
  find(id: string): Job | null {
    return this.#jobs.get(id.toLowerCase(), this.#clock.now());
  }
}
