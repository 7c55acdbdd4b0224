// Translations over HTTP (document 2, `POST /v2/generate` and `GET /v1/status/{job_id}`).
// - An answer without media is a job, which is polled until its media is there. For a text that is shown elsewhere
//   (`display`, `push`) any success is enough: the document does not show the answer.
// - The body for a text of an element: translate mode asks for one MP4 to download, stream mode for an LL-HLS stream. What
//   the session's config leaves open is left to the service.
// - The page's own `generateOptions` win, but never over the text and the kind of answer that the session waits for.
import type { SessionConfig, SessionMode } from '../../protocol/client-frames.ts';
import {
  type GenerateRequest,
  type Generated,
  type JobStatus,
  parseGenerated,
  parseJobStatus,
} from '../../protocol/translation.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { errorFromFrame } from '../../protocol/service-errors.ts';
import { NEW_MS, pollUntil, unknownYet } from './poll-until.ts';
import { pathOf, request, understood, type RequestDeps, type RequestOptions } from './request.ts';

const APPLICATION = 'sign-elements';

const sizes = { '480p': '854x480', '720p': '1280x720', '1080p': '1920x1080' } as const;

/** How texts are to be signed. */
export interface TextOptions {
  readonly mode: SessionMode;
  /** The config of a V3 session, of which signer, language and resolution are used. */
  readonly config: SessionConfig;
  /** `#RRGGBB`; anything else leaves the service's own backplate. */
  readonly background?: string | null | undefined;
  /**
   * Part of a translation request in the service's own names: `content` (`duration`), `output.delivery.config`, `context`
   * (`location`; `application` is `sign-elements` unless it says otherwise). What else it holds is ignored.
   */
  readonly generateOptions?: Readonly<Record<string, unknown>> | null | undefined;
}

export function generateBody(
  text: string,
  { mode, config, background, generateOptions }: TextOptions,
): GenerateRequest {
  const { digital_signer: signer, language, resolution } = config;
  const isStream = mode === 'stream';
  const isColour = /^#[0-9a-f]{6}$/i.test(background ?? '');
  return {
    content: { ...objectAt(generateOptions, 'content'), type: 'text', data: text },
    output: {
      format: isStream ? 'hls' : 'mp4',
      delivery: {
        method: isStream ? 'stream' : 'download',
        config: {
          digitalSigner: asDocumented(signer),
          ...(language && { language }),
          ...(resolution && { resolution: sizes[resolution] }),
          ...(background && isColour && { backgroundColor: background }),
          ...(isStream && { lowLatencyMode: true }),
          ...objectAt(generateOptions, 'output', 'delivery', 'config'),
        },
      },
    },
    context: { application: APPLICATION, ...objectAt(generateOptions, 'context') },
  };
}

/** Plain JavaScript may pass any value; one that is no object adds nothing. */
function objectAt(root: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let value = root;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : {};
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The three signers that document 2 names are spelt as it spells them: only V3 promises to accept any letter case. */
const asDocumented = (signer: string): string =>
  /^(rae|jay|max)$/i.test(signer) ? signer.toUpperCase() : signer;

export interface GenerateOptions extends RequestOptions {
  /** Called with the first answer: the service took the text. */
  readonly accepted?: ((answer: Generated) => void) | undefined;
}

const nothing: Generated = { jobId: null, status: null, mediaUrl: null, manifests: null };

export async function generate(
  deps: RequestDeps,
  body: GenerateRequest,
  options: GenerateOptions = {},
): Promise<Generated> {
  const { signal } = options;
  const { delivery, format } = body.output;
  const isElsewhere = delivery.method === 'display' || delivery.method === 'push';
  const parsed = parseGenerated(await request({ path: 'v2/generate', body }, deps, options));
  const answer = understood(parsed ?? (isElsewhere ? nothing : null));
  options.accepted?.(answer);
  if (isElsewhere || (answer.mediaUrl ?? answer.manifests)) return answer;
  const { jobId } = answer;
  if (jobId === null) throw ownError('protocol_error', 'neither media nor a job to ask for');
  const acceptedAt = deps.clock.now();
  const look = (): Promise<JobStatus | null> =>
    finishedJob(deps, jobId, options, format).catch(unknownYet(deps.clock.now() - acceptedAt < NEW_MS));
  const job = await pollUntil(look, { ...deps, signal });
  if (job.state === 'failed') throw jobError(job);
  const { status, mediaUrl, manifests } = job;
  if (mediaUrl === null && manifests === null) {
    throw ownError('protocol_error', 'the job is over and names no media');
  }
  return { jobId, status, mediaUrl, manifests };
}

/** Null while the job is not over. */
async function finishedJob(
  deps: RequestDeps,
  jobId: string,
  options: RequestOptions,
  format: GenerateRequest['output']['format'],
): Promise<JobStatus | null> {
  const job = await jobStatus(deps, jobId, options, format === 'mov' ? 'mov' : 'mp4');
  return job.state === 'done' || job.state === 'failed' ? job : null;
}

export async function jobStatus(
  deps: RequestDeps,
  jobId: string,
  options: RequestOptions = {},
  file: 'mp4' | 'mov' = 'mp4',
): Promise<JobStatus> {
  const body = await request({ path: `v1/status/${pathOf(jobId)}` }, deps, options);
  return understood(parseJobStatus(jobId, body, file));
}

/** V3 has a code for a text whose video could not be made; a failed job gets the same. */
const jobError = ({ jobId, message }: JobStatus) =>
  errorFromFrame({ type: 'error', code: 'render_failed', message: message ?? 'the job failed' }, jobId);
