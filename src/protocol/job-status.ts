// How far a translation job is: `GET /v1/status/{job_id}` (document 2; shape and status words are not shown). Policy: a
// word that speaks of failure says that it failed; media or manifests say that it is done, whatever the word; so does a
// word that speaks of an end; with any other it goes on. A bare `url` is no media: it may be the job's own address.
import * as z from 'zod/mini';
import { findUrl } from './find-url.ts';
import { jobFields } from './generate.ts';
import { findManifests, type StreamManifests } from './manifests.ts';

export interface JobStatus {
  readonly jobId: string;
  /** The service's own word; null when it said none. */
  readonly status: string | null;
  readonly state: 'running' | 'done' | 'failed';
  /** As the service counts; null when it does not. */
  readonly progress: number | null;
  readonly mediaUrl: string | null;
  readonly manifests: StreamManifests | null;
  /** Why it failed, in the service's words. */
  readonly message: string | null;
}

const text = z.nullish(z.string());
const answerSchema = z.looseObject({
  ...jobFields,
  state: text,
  progress: z.nullish(z.number()),
  error: z.nullish(z.unknown()),
  message: text,
});

const mediaNames = ['downloadUrl', 'download_url', 'mediaUrl'];

const failure = /fail|error|cancel|abort|reject|expired/i;
const end = /complete|done|finish|succe|ready|ended/i;
/** "incomplete", "not ready": an end that is denied. */
const denied = /\b(in|un|not)[\s_-]?(complete|done|finish|succe|ready|ended)/i;

/** @returns null when the answer is no object at all. */
export function parseJobStatus(jobId: string, body: unknown): JobStatus | null {
  const parsed = z.safeParse(answerSchema, body);
  if (!parsed.success) return null;
  const { progress = null, error, message = null } = parsed.data;
  const status = parsed.data.status ?? parsed.data.state ?? null;
  const manifests = findManifests(body);
  const mediaUrl = findUrl(body, 'video', mediaNames);
  const why = typeof error === 'string' ? error : message;
  return {
    jobId,
    status,
    state: stateOf(status, mediaUrl ?? manifests),
    progress,
    mediaUrl,
    manifests,
    message: why,
  };
}

function stateOf(status: string | null, media: unknown): JobStatus['state'] {
  if (status !== null && failure.test(status)) return 'failed';
  if (media !== null) return 'done';
  return status !== null && end.test(status) && !denied.test(status) ? 'done' : 'running';
}
