// The REST half of the headless client (SEMANTICS, Headless client): every resource that a page requests from the proxy without
// the socket. Every method rejects with a SignError, or with the reason of its signal.
// - A train announcement (document 1) is submitted, then polled until its video is there. In its first 30 s, "not found" and a
//   completed status without an address count as not ready, because not every server of the service may know it yet.
// - Translations, which the session needs too, are in generate.ts.
import {
  type AnnouncementFields,
  announcementBody,
  type AnnouncementStatus,
  parseAnnouncementStatus,
  parseSubmitted,
} from '../../protocol/announcement.ts';
import type { Generated, GenerateRequest, JobStatus } from '../../protocol/translation.ts';
import { type LiveSession, parseLiveSession } from '../../protocol/live-session.ts';
import { type Silence, type SilenceRequest, parseSilence, silenceQuery } from '../../protocol/silence.ts';
import { generate, jobStatus, type GenerateOptions } from './generate.ts';
import {
  requestDeps,
  type RequestOptions,
  type SignClientOptions,
  pathOf,
  request,
  understood,
  type RequestDeps,
} from './request.ts';
import { NEW_MS, noResultYet, pollUntil, unknownYet } from './poll-until.ts';
import { ownError } from '../../protocol/own-errors.ts';

export interface SignClient {
  /**
   * Translates a text (document 2, `POST /v2/generate`). Resolves with media or manifests, for `display` and `push` with
   * what the service said. Rejects with `render_failed` when its job failed.
   */
  generate(body: GenerateRequest, options?: GenerateOptions): Promise<Generated>;
  /** The status of a job, asked for once (document 2, `GET /v1/status/{job_id}`). */
  status(jobId: string, options?: RequestOptions): Promise<JobStatus>;
  /** Addresses of the idle signer (document 2, `GET /v1/silence`). */
  silence(query?: SilenceRequest, options?: RequestOptions): Promise<Silence>;
  /** A live session as a viewer may see it (document 2, `GET /v2/live/sessions/{id}`). */
  liveSession(id: string, options?: RequestOptions): Promise<LiveSession>;
  /** Makes a train announcement (document 1). Rejects with `announcement_failed` and the service's own words. */
  announce(fields: AnnouncementFields, options?: AnnounceOptions): Promise<Announcement>;
  /** A submitted announcement with a fresh address; asks for its status at once, then as `announce` does. Rejects as it does. */
  announcement(requestId: string, options?: RequestOptions): Promise<Announcement>;
}

/** @throws SignError `invalid_request` when `proxy` is no absolute http(s) address. */
export function createSignClient(options: SignClientOptions): SignClient {
  const deps = requestDeps(options);
  return {
    generate: async (body, each) => generate(deps, body, each),
    status: async (jobId, each) => jobStatus(deps, jobId, each),
    silence: async (query, each) => silence(deps, query, each),
    liveSession: async (id, each) => liveSession(deps, id, each),
    announce: async (fields, each) => announce(deps, fields, each),
    announcement: async (requestId, each) => announcement(deps, requestId, each),
  };
}

async function liveSession(
  deps: RequestDeps,
  id: string,
  options: RequestOptions = {},
): Promise<LiveSession> {
  const body = await request({ path: `v2/live/sessions/${pathOf(id)}` }, deps, options);
  return understood(parseLiveSession(body));
}

async function silence(
  deps: RequestDeps,
  query: SilenceRequest = {},
  options: RequestOptions = {},
): Promise<Silence> {
  const search = silenceQuery(query);
  const body = await request({ path: `v1/silence${search && `?${search}`}` }, deps, options);
  return understood(parseSilence(query, body));
}

export interface AnnounceOptions extends RequestOptions {
  /** Called with the id that the service has given to the request. */
  readonly accepted?: ((requestId: string) => void) | undefined;
  /** Runs before each status request and must call `wait`; it may delay the request further. Default: it only waits. */
  readonly between?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/** A train announcement that was made. */
export interface Announcement {
  readonly requestId: string;
  /** Presigned video. */
  readonly url: string;
}

async function announce(
  deps: RequestDeps,
  fields: AnnouncementFields,
  options: AnnounceOptions = {},
): Promise<Announcement> {
  const { signal, between } = options;
  const path = 'v1/sign-requests/train-announcements';
  const submitted = await request({ path, body: announcementBody(fields) }, deps, options);
  const requestId = understood(parseSubmitted(submitted));
  options.accepted?.(requestId);
  const acceptedAt = deps.clock.now();
  const look = (): Promise<string | null> =>
    urlOf(deps, requestId, options, deps.clock.now() - acceptedAt < NEW_MS);
  return { requestId, url: await pollUntil(look, { ...deps, signal, between }) };
}

/** A submitted announcement with a fresh address; asks for its status at once, then as `announce` does. */
async function announcement(
  deps: RequestDeps,
  requestId: string,
  options: RequestOptions = {},
): Promise<Announcement> {
  const look = (): Promise<string | null> => urlOf(deps, requestId, options);
  const url =
    (await look().catch(noResultYet)) ?? (await pollUntil(look, { ...deps, signal: options.signal }));
  return { requestId, url };
}

/** Null while the service makes the video; with `isNew` also while it does not know the announcement, or has no address of it. */
async function urlOf(
  deps: RequestDeps,
  requestId: string,
  options: RequestOptions,
  isNew = false,
): Promise<string | null> {
  const path = `v1/sign-requests/${pathOf(requestId)}`;
  const look = async (query: string): Promise<AnnouncementStatus | null> => {
    const answer = await request({ path: path + query }, deps, options).catch(unknownYet(isNew));
    return answer === null ? null : understood(parseAnnouncementStatus(answer));
  };
  let found = await look('?filter=status');
  // No document says that the compact status has the address, or the reason of a failure.
  const isComplete = { IN_PROGRESS: true, COMPLETED: found?.url, FAILED: found?.message };
  if (found && !isComplete[found.status]) found = (await look('')) ?? found;
  if (found?.status === 'FAILED') {
    throw ownError('announcement_failed', found.message || undefined, { requestId });
  }
  return found?.status === 'COMPLETED' && !(isNew && found.url === null) ? understood(found.url) : null;
}
