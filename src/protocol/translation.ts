// A text translated by REST: `POST /v2/generate` and `GET /v1/status/{job_id}` (document 2).
// - A request uses the service's own names. The service checks its options.
// - Every field of an answer may be missing, but one of media, manifests, job id and status must be there. A field of another
//   type counts as missing: no document shows the shape of a status, and a wrong optional field must not hide the media.
// - A job has failed when its status names a failure. It is done when it has media or manifests, or when its status names an
//   end. Else it is running.
// - A bare `url` is not taken for media of a job: it may be the address of the job itself.
import * as z from 'zod/mini';
import { findManifests, findUrl, type StreamManifests } from './find-url.ts';

/** `output.delivery.config`, as document 2 lists it; other options pass unchanged. */
export interface DeliveryConfig {
  /** `<width>x<height>`. */
  readonly resolution?: string;
  /** `#RRGGBB` or `transparent`. */
  readonly backgroundColor?: string;
  readonly digitalSigner?: string;
  readonly language?: 'BSL' | 'ASL';
  readonly lowLatencyMode?: boolean;
  readonly [option: string]: unknown;
}

export interface GenerateRequest {
  readonly content: { readonly type: 'text'; readonly data: string; readonly [option: string]: unknown };
  readonly output: {
    readonly format: 'hls' | 'mp4' | 'mov';
    readonly delivery: {
      readonly method: 'stream' | 'download' | 'display' | 'push';
      readonly config?: DeliveryConfig;
    };
  };
  readonly context: { readonly application: string; readonly [option: string]: unknown };
}

/** The answer to a translation request. */
export interface Generated {
  /** Id for `status`; null when there is none. */
  readonly jobId: string | null;
  /** The service's own word; null when there is none. */
  readonly status: string | null;
  /** Presigned MP4, MOV or segment; null for a stream, and while there is only a job. */
  readonly mediaUrl: string | null;
  /** The manifests of a stream; null for a download. */
  readonly manifests: StreamManifests | null;
}

/** `mediaUrl` is the proxy's name for the `Location` header of a 303, which a page cannot read. */
const generatedMediaNames = ['mediaUrl', 'downloadUrl', 'download_url'];
const jobMediaNames = ['downloadUrl', 'download_url', 'mediaUrl', 'downloadUrls', 'download_urls'];

const short = z.string().check(z.refine(({ length }) => length <= 256));
const text = z.catch(z.nullish(z.string()), null);
const word = z.catch(z.nullish(short), null);

const generatedSchema = z.looseObject({ jobId: word, status: word });

/** @returns null when the answer has no media, manifest, job id or status */
export function parseGenerated(body: unknown): Generated | null {
  const parsed = z.safeParse(generatedSchema, body);
  if (!parsed.success) return null;
  const jobId = parsed.data.jobId || null;
  const { status = null } = parsed.data;
  const manifests = findManifests(body);
  const mediaUrl = findUrl(body, 'video', generatedMediaNames);
  const something = jobId ?? status ?? mediaUrl ?? manifests;
  return something === null ? null : { jobId, status, mediaUrl, manifests };
}

export interface JobStatus {
  readonly jobId: string;
  /** The service's own word; null when there is none. */
  readonly status: string | null;
  readonly state: 'running' | 'done' | 'failed';
  /** As the service counts; null when it does not. */
  readonly progress: number | null;
  readonly mediaUrl: string | null;
  readonly manifests: StreamManifests | null;
  /** Why it failed, in the service's words. */
  readonly message: string | null;
}

const jobStatusSchema = z.looseObject({
  status: word,
  state: text,
  progress: z.catch(z.nullish(z.number()), null),
  error: z.nullish(z.unknown()),
  message: text,
});

const failure = /fail|error|cancel|abort|reject|expired/i;
/** A status that names success, by a word of its own: not "finishing", "suspended" or "incomplete". */
const success = /(^|[^a-z])(completed?|done|finished|succe[a-z]*|ready|ended)([^a-z]|$)/i;
/** A status that denies success, as "not ready". */
const denied = /(^|[^a-z])(in|un|not)[^a-z]/i;

/**
 * @param file format of the download to take when the job has several
 * @returns null when the answer is no object at all.
 */
export function parseJobStatus(jobId: string, body: unknown, file: 'mp4' | 'mov' = 'mp4'): JobStatus | null {
  const parsed = z.safeParse(jobStatusSchema, body);
  if (!parsed.success) return null;
  const { progress = null, error, message = null } = parsed.data;
  const status = parsed.data.status ?? parsed.data.state ?? null;
  const manifests = findManifests(body);
  const mediaUrl = findUrl(body, 'video', [...jobMediaNames, file]);
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
  return status !== null && success.test(status) && !denied.test(status) ? 'done' : 'running';
}
