// Translations over HTTP (document 2, `POST /v2/generate` and `GET /v1/status/{job_id}`): an answer without media is a job,
// which is asked for until its media is there. A look that fails in passing is a look that brought nothing.
import {
  type Generated,
  type GenerateRequest,
  type JobStatus,
  parseGenerated,
  parseJobStatus,
} from '../../protocol/translation.ts';
import { ownError, SignError } from '../../protocol/sign-error.ts';
import { errorFromFrame } from '../../protocol/service-errors.ts';
import { pollUntil } from './polling.ts';
import { pathOf, request, understood, type RequestDeps, type RequestOptions } from './request.ts';

export interface GenerateOptions extends RequestOptions {
  /** Hears of the first answer: the service took the text. */
  readonly accepted?: ((answer: Generated) => void) | undefined;
}

export async function generate(
  deps: RequestDeps,
  body: GenerateRequest,
  options: GenerateOptions = {},
): Promise<Generated> {
  const { signal } = options;
  const answer = understood(parseGenerated(await request({ path: 'v2/generate', body }, deps, options)));
  options.accepted?.(answer);
  const { method } = body.output.delivery;
  if (answer.mediaUrl ?? answer.manifests ?? (method === 'display' || method === 'push' ? method : null)) {
    return answer;
  }
  const { jobId } = answer;
  if (jobId === null) throw ownError('protocol_error', 'neither media nor a job to ask for');
  const { status, mediaUrl, manifests } = await pollUntil(() => look(deps, jobId, options), {
    ...deps,
    signal,
  });
  if (mediaUrl === null && manifests === null) {
    throw ownError('protocol_error', 'the job is over and names no media');
  }
  return { jobId, status, mediaUrl, manifests };
}

/** Null while the job is not done. */
async function look(deps: RequestDeps, jobId: string, options: RequestOptions): Promise<JobStatus | null> {
  try {
    const job = await jobStatus(deps, jobId, options);
    if (job.state === 'failed') throw jobError(job);
    return job.state === 'done' ? job : null;
  } catch (error) {
    if (error instanceof SignError && error.retryable && error.code !== 'render_failed') return null;
    throw error;
  }
}

export async function jobStatus(
  deps: RequestDeps,
  jobId: string,
  options: RequestOptions = {},
): Promise<JobStatus> {
  const body = await request({ path: `v1/status/${pathOf(jobId)}` }, deps, options);
  return understood(parseJobStatus(jobId, body));
}

/** The V3 service's own word for a text that came to no video. */
const jobError = ({ jobId, message }: JobStatus) =>
  errorFromFrame({ type: 'error', code: 'render_failed', message: message ?? 'the job failed' }, jobId);
