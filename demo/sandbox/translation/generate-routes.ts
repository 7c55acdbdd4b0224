// `POST /v2/generate` and `POST /v1/generate` (document 2, Endpoints, Translation response). Policy: v2 answers `hls` with
// `stream` by manifests that grow, every file by a 303 when it is there, and `display` and `push` by a job to be polled,
// with no screen behind it; v1 always answers by a job. As many streams as may grow: 503 with `Retry-After`.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MediaSpec } from '../media/media-spec.ts';
import { StreamsFull, type StreamSpec } from '../streams/stream-service.ts';
import { uuidOf } from '../uuid.ts';
import { badRequest, FlatError, onlyServe } from './flat-error.ts';
import type { GenerateRequest } from './generate-fields.ts';
import { parseGenerateRequest } from './generate-request.ts';
import { Job, type JobStore, type Manifests } from './job-store.ts';
import { mediaChoiceOf, secondsOf, type MediaChoice } from './media-choice.ts';
import { logoOf } from './request-logo.ts';
import { issue, made, type TranslationSurroundings } from './surroundings.ts';

const RETRY_AFTER_SECONDS = '5';

/** The jobs that requests begin. */
class Jobs {
  readonly #around: TranslationSurroundings;
  readonly #store: JobStore;

  constructor(around: TranslationSurroundings, store: JobStore) {
    this.#around = around;
    this.#store = store;
  }

  begin(request: GenerateRequest, choice: MediaChoice): Job {
    return choice.kind === 'file' ? this.#file(choice.spec) : this.#stream(request, choice.spec);
  }

  #file(spec: MediaSpec): Job {
    const job = new Job(uuidOf(this.#around.chance()), null);
    this.#track(
      job,
      this.#around.mediaOf(spec, () => job.stageDone()).then(({ files }) => void (job.path = files[0]!.path)),
    );
    return job;
  }

  /** @throws FlatError 503 when as many streams grow as may */
  #stream(request: GenerateRequest, spec: StreamSpec): Job {
    const { clock, chance, streams } = this.#around;
    try {
      const stream = streams.open(spec);
      const seconds = stream.sign(request.content.data, secondsOf(request));
      stream.end();
      const began = clock.now();
      const share = (): number => (clock.now() - began) / (seconds * 1000);
      const manifests = { hls: stream.hlsUrl, dash: stream.dashUrl };
      const job = new Job(uuidOf(chance()), { manifests, share });
      this.#track(job, stream.ended);
      return job;
    } catch (error) {
      if (!(error instanceof StreamsFull)) throw error;
      const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
      throw new FlatError(503, 'service_unavailable', 'too many streams are growing', headers);
    }
  }

  /** Keeps a job, which ends as its work does, or fails when a fault says so. */
  #track(job: Job, work: Promise<void>): void {
    this.#store.keep(job);
    const fails = this.#around.faults.take('job_fails') !== null;
    work.then(
      () => job.ended(fails ? 'failed' : 'completed'),
      () => job.ended('failed'),
    );
  }
}

interface Asked {
  readonly request: GenerateRequest;
  readonly choice: MediaChoice;
}

/** What a request asks for. @throws FlatError 400 */
async function read(request: FastifyRequest, around: TranslationSurroundings): Promise<Asked> {
  const parsed = parseGenerateRequest(request.body);
  if ('problem' in parsed) throw badRequest(request, parsed.problem);
  const logo = await logoOf(parsed, around);
  if (logo && 'problem' in logo) throw badRequest(request, logo.problem);
  return { request: parsed, choice: mediaChoiceOf(parsed, logo) };
}

interface JobAnswer {
  readonly jobId: string;
  readonly status: string;
  readonly manifests?: Manifests;
}

export function generateRoutes(app: FastifyInstance, around: TranslationSurroundings, store: JobStore): void {
  const jobs = new Jobs(around, store);

  const v2 = { config: { operation: 'generate', codes: { 400: 'validation_error' } } } as const;
  app.post('/v2/generate', v2, async (incoming, reply) => {
    const { request, choice } = await read(incoming, around);
    const { method } = request.output.delivery;
    if (choice.kind === 'stream' || method === 'display' || method === 'push') {
      const { id: jobId, status, manifests } = jobs.begin(request, choice);
      const answer: JobAnswer = { jobId, status };
      return manifests && method === 'stream' ? { ...answer, manifests } : answer;
    }
    const { files } = await made(around, choice.spec);
    return reply.code(303).header('Location', issue(around, files).urls[0]).send();
  });
  onlyServe(app, '/v2/generate', 'POST');

  const v1 = { config: { operation: 'generate', codes: { 400: 'invalid_request' } } } as const;
  app.post('/v1/generate', v1, async (incoming): Promise<JobAnswer> => {
    const { request, choice } = await read(incoming, around);
    const { id: jobId, status } = jobs.begin(request, choice);
    return { jobId, status };
  });
  onlyServe(app, '/v1/generate', 'POST');
}
