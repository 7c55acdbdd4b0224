// The REST half of the headless client (SEMANTICS, Headless client): what a page asks of the proxy beside the socket.
// Policy: every method rejects with a SignError, or with the reason of its signal; what it resolves with is there to be
// used: a job or an announcement is asked for until its media is there (rest-polling.ts). Tries: rest-request.ts.
import {
  announcementBody,
  type AnnouncementFields,
  parseAnnouncementStatus,
  parseSubmitted,
} from '../../protocol/announcement.ts';
import { type LiveSession, parseLiveSession } from '../../protocol/live-session.ts';
import { errorFromFrame } from '../../protocol/service-errors.ts';
import { ownError } from '../../protocol/sign-error.ts';
import { parseSilence, type Silence, silenceQuery, type SilenceRequest } from '../../protocol/silence.ts';
import {
  type Generated,
  type GenerateRequest,
  type JobStatus,
  parseGenerated,
  parseJobStatus,
} from '../../protocol/translation.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Fetch } from '../diagnose-upgrade.ts';
import { proxyPrefix } from '../proxy-prefix.ts';
import { pollUntil } from './rest-polling.ts';
import { request, type RequestOptions, type RequestSurroundings } from './rest-request.ts';

export interface SignClientOptions {
  /** Absolute http(s) prefix of the proxy, e.g. `https://example.org/sign`. */
  readonly proxy: string;
  /** Default the platform's. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** For jitter only, as Math.random. */
  readonly random?: (() => number) | undefined;
}

export interface GenerateOptions extends RequestOptions {
  /** Hears of the first answer: the service took the text. */
  readonly accepted?: ((answer: Generated) => void) | undefined;
}

export interface AnnounceOptions extends RequestOptions {
  /** Hears the id under which the service took the request. */
  readonly accepted?: ((requestId: string) => void) | undefined;
  /** Does, between two looks at it, the wait that is due, and whatever else the next look is to wait for. Default: that wait. */
  readonly between?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/** A train announcement that was made. */
export interface Announcement {
  readonly requestId: string;
  /** Presigned video. */
  readonly url: string;
}

export interface SignClient {
  /**
   * Translates a text (document 2, `POST /v2/generate`). Resolves with media or manifests, for `display` and `push` with
   * what the service said. Rejects with `render_failed` when its job failed.
   */
  generate(body: GenerateRequest, options?: GenerateOptions): Promise<Generated>;
  /** One look at a job (document 2, `GET /v1/status/{job_id}`). */
  status(jobId: string, options?: RequestOptions): Promise<JobStatus>;
  /** Addresses of the idle signer (document 2, `GET /v1/silence`). */
  silence(query?: SilenceRequest, options?: RequestOptions): Promise<Silence>;
  /** A live session as a viewer may see it (document 2, `GET /v2/live/sessions/{id}`). */
  liveSession(id: string, options?: RequestOptions): Promise<LiveSession>;
  /** Makes a train announcement (document 1). Rejects with `announcement_failed` and the service's own words. */
  announce(fields: AnnouncementFields, options?: AnnounceOptions): Promise<Announcement>;
  /** One that was asked for, with an address that is fresh; looks at once, then as `announce` does. Rejects as it does. */
  announcement(requestId: string, options?: RequestOptions): Promise<Announcement>;
}

/** @throws SignError `invalid_request` when `proxy` is no absolute http(s) address. */
export function createSignClient({
  proxy,
  fetch = (address, init) => globalThis.fetch(address, init),
  clock = systemClock,
  random = Math.random,
}: SignClientOptions): SignClient {
  return new RestClient({ prefix: proxyPrefix(proxy), fetch, clock, random });
}

class RestClient implements SignClient {
  readonly #around: RequestSurroundings;

  constructor(around: RequestSurroundings) {
    this.#around = around;
  }

  async generate(body: GenerateRequest, options: GenerateOptions = {}): Promise<Generated> {
    const answer = understood(parseGenerated(await this.#ask('v2/generate', options, body)));
    options.accepted?.(answer);
    const { method } = body.output.delivery;
    if (answer.mediaUrl ?? answer.manifests ?? (method === 'display' || method === 'push' ? method : null)) {
      return answer;
    }
    const { jobId } = answer;
    if (jobId === null) throw ownError('protocol_error', 'neither media nor a job to ask for');
    const { status, mediaUrl, manifests } = await this.#poll(options, async () => {
      const job = await this.status(jobId, options);
      if (job.state === 'failed') throw jobError(job);
      return job.state === 'done' ? job : null;
    });
    if (mediaUrl === null && manifests === null) {
      throw ownError('protocol_error', 'the job is over and names no media');
    }
    return { jobId, status, mediaUrl, manifests };
  }

  async status(jobId: string, options: RequestOptions = {}): Promise<JobStatus> {
    const body = await this.#ask(`v1/status/${pathOf(jobId)}`, options);
    return understood(parseJobStatus(jobId, body));
  }

  async silence(query: SilenceRequest = {}, options: RequestOptions = {}): Promise<Silence> {
    const search = silenceQuery(query);
    return understood(parseSilence(query, await this.#ask(`v1/silence${search && `?${search}`}`, options)));
  }

  async liveSession(id: string, options: RequestOptions = {}): Promise<LiveSession> {
    return understood(parseLiveSession(await this.#ask(`v2/live/sessions/${pathOf(id)}`, options)));
  }

  async announce(fields: AnnouncementFields, options: AnnounceOptions = {}): Promise<Announcement> {
    const body = announcementBody(fields);
    const path = 'v1/sign-requests/train-announcements';
    const requestId = understood(parseSubmitted(await this.#ask(path, options, body)));
    options.accepted?.(requestId);
    const url = await this.#poll(options, () => this.#urlOf(requestId, options));
    return { requestId, url };
  }

  async announcement(requestId: string, options: RequestOptions = {}): Promise<Announcement> {
    const look = (): Promise<string | null> => this.#urlOf(requestId, options);
    return { requestId, url: (await look()) ?? (await this.#poll(options, look)) };
  }

  /** Null while it is being made. */
  async #urlOf(requestId: string, options: RequestOptions): Promise<string | null> {
    const answer = await this.#ask(`v1/sign-requests/${pathOf(requestId)}?filter=status`, options);
    const { status, url, message } = understood(parseAnnouncementStatus(answer));
    if (status === 'FAILED') throw ownError('announcement_failed', message || undefined, { requestId });
    return status === 'COMPLETED' ? understood(url) : null;
  }

  #ask(path: string, options: RequestOptions, body?: unknown): Promise<unknown> {
    return request({ path, body }, this.#around, options);
  }

  #poll<Answer>(
    { signal, between }: Pick<AnnounceOptions, 'signal' | 'between'>,
    ask: () => Promise<Answer | null>,
  ): Promise<Answer> {
    return pollUntil(ask, { ...this.#around, signal, between });
  }
}

/** @throws SignError `protocol_error` */
function understood<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw ownError('protocol_error', 'the answer is not one that is documented');
  return answer;
}

/** An id as one segment of a path. @throws SignError `invalid_request` */
function pathOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw ownError('invalid_request', 'id: missing or malformed');
  return encodeURIComponent(id);
}

/** The V3 service's own word for a text that came to no video. */
const jobError = ({ jobId, message }: JobStatus) =>
  errorFromFrame({ type: 'error', code: 'render_failed', message: message ?? 'the job failed' }, jobId);
