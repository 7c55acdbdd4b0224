// `POST /v2/generate` and `POST /v1/generate`, and the jobs that they begin (document 2, Translation response).
// - The document does not show the states of a job: here they are `queued`, `processing`, `completed`, `failed`.
// - The progress of a file counts the finished stages of the pipeline; that of a stream follows the time that has passed. Only a
//   completed job has 100.
// - The newest 10,000 jobs are kept, for 24 hours.
// - When the limit of growing streams is reached, the answer is 503 with `Retry-After`.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxClock } from '../clock.ts';
import { type MediaSpec, stages } from '../media/media-spec.ts';
import { ResultCache } from '../result-cache.ts';
import { StreamsFull } from '../streams/stream-service.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';
import { uuidOf } from '../ids.ts';
import { badRequest, FlatError, onlyServe } from './flat-error.ts';
import { type GenerateRequest, parseGenerateRequest } from './generate-request.ts';
import { logoOf } from './logo.ts';
import { type MediaChoice, mediaChoiceOf, secondsOf } from './media-choice.ts';
import { renderMedia, signUrls, type TranslationDeps } from './translation-media.ts';

const KEPT_MS = 24 * 3600 * 1000;

type JobStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** Signed addresses of a job's manifests. */
interface Manifests {
  readonly hls: string;
  readonly dash: string;
}

/** A job that makes a file, or a stream with `manifests`. */
class Job {
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

  /** A whole number from 0 to 100. */
  get progress(): number {
    return this.#end === 'completed' ? 100 : Math.min(99, Math.floor(this.#progress() * 100));
  }

  /** One more stage of the pipeline is finished. */
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

  /** The job with this id; null when it does not exist or is no longer kept. */
  find(id: string): Job | null {
    return this.#jobs.get(id.toLowerCase(), this.#clock.now());
  }
}

const RETRY_AFTER_SECONDS = '5';

/** The jobs that requests begin. */
class Jobs {
  readonly #deps: TranslationDeps;
  readonly #store: JobStore;

  constructor(deps: TranslationDeps, store: JobStore) {
    this.#deps = deps;
    this.#store = store;
  }

  begin(request: GenerateRequest, choice: MediaChoice): Job {
    return choice.kind === 'file' ? this.#file(choice.spec) : this.#stream(request, choice.spec);
  }

  #file(spec: MediaSpec): Job {
    const job = new Job(uuidOf(this.#deps.newHex()), null);
    this.#track(
      job,
      this.#deps.mediaOf(spec, () => job.stageDone()).then(({ files }) => void (job.path = files[0]!.path)),
    );
    return job;
  }

  /** @throws FlatError 503 at the limit of growing streams */
  #stream(request: GenerateRequest, spec: StreamSpec): Job {
    const { clock, newHex, streams } = this.#deps;
    try {
      const stream = streams.open(spec);
      const seconds = stream.sign(request.content.data, secondsOf(request));
      stream.end();
      const began = clock.now();
      const share = (): number => (clock.now() - began) / (seconds * 1000);
      const manifests = { hls: stream.hlsUrl, dash: stream.dashUrl };
      const job = new Job(uuidOf(newHex()), { manifests, share });
      this.#track(job, stream.ended);
      return job;
    } catch (error) {
      if (!(error instanceof StreamsFull)) throw error;
      const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
      throw new FlatError(503, 'service_unavailable', 'too many streams are growing', headers);
    }
  }

  /** Keeps a job. The job ends with its work, or fails when a fault asks for it. */
  #track(job: Job, work: Promise<void>): void {
    this.#store.keep(job);
    const fails = this.#deps.faults.take('job_fails') !== null;
    work.then(
      () => job.ended(fails ? 'failed' : 'completed'),
      () => job.ended('failed'),
    );
  }
}

interface CheckedRequest {
  readonly request: GenerateRequest;
  readonly choice: MediaChoice;
}

/** Checks a request. @throws FlatError 400 */
async function check(request: FastifyRequest, deps: TranslationDeps): Promise<CheckedRequest> {
  const parsed = parseGenerateRequest(request.body);
  if ('problem' in parsed) throw badRequest(request, parsed.problem);
  const logo = await logoOf(parsed, deps);
  if (logo && 'problem' in logo) throw badRequest(request, logo.problem);
  return { request: parsed, choice: mediaChoiceOf(parsed, logo) };
}

interface JobAnswer {
  readonly jobId: string;
  readonly status: string;
  readonly manifests?: Manifests;
}

export function generateRoutes(app: FastifyInstance, deps: TranslationDeps, store: JobStore): void {
  const jobs = new Jobs(deps, store);

  const v2 = { config: { operation: 'generate', codes: { 400: 'validation_error' } } } as const;
  app.post('/v2/generate', v2, async (incoming, reply) => {
    const { request, choice } = await check(incoming, deps);
    const { method } = request.output.delivery;
    if (choice.kind === 'stream' || method === 'display' || method === 'push') {
      const { id: jobId, status, manifests } = jobs.begin(request, choice);
      const answer: JobAnswer = { jobId, status };
      return manifests && method === 'stream' ? { ...answer, manifests } : answer;
    }
    const { files } = await renderMedia(deps, choice.spec);
    return reply.code(303).header('Location', signUrls(deps, files).urls[0]).send();
  });
  onlyServe(app, '/v2/generate', 'POST');

  const v1 = { config: { operation: 'generate', codes: { 400: 'invalid_request' } } } as const;
  app.post('/v1/generate', v1, async (incoming): Promise<JobAnswer> => {
    const { request, choice } = await check(incoming, deps);
    const { id: jobId, status } = jobs.begin(request, choice);
    return { jobId, status };
  });
  onlyServe(app, '/v1/generate', 'POST');
}
