// The requests of all clients to the service: how many are pending, which are tried again, and their metrics.
// - A GET without a response is sent once more, other methods never.
// - At most 256 requests are pending for all clients, each until its answer is taken; over that: 503 `overloaded`, because each
//   may hold 1 MB. Of one client at most 16 GETs and 16 others are pending, fewer when many places are taken (fair-share.ts);
//   over that: 429.
// - Connections are as many as pending requests. Not undici's Pool: it queues what its connections do not take, and in a queue
//   clients would wait for the slow requests of others.
import type { Clock } from '../clock.ts';
import { fairShare } from '../limits/fair-share.ts';
import { type Metrics, NO_STATUS } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { createHttpClient, type HttpRequest, type HttpResponse } from './http-client.ts';

const MAX_PENDING = 256;
/** The most pending requests of one client; GETs and others are counted apart. */
const MAX_PENDING_OF_CLIENT = 16;
/** `Retry-After` for a client that has as many pending requests as it may have. */
const RETRY_SECONDS = '1';

export interface UpstreamRequest extends HttpRequest {
  /** The template of `path`, for metrics; by default `path`, which then must be constant. */
  readonly route?: string;
  /** The key of the client's address, for its share of the pending requests; none for requests of the proxy itself. */
  readonly client?: string;
  /** Resolves when the client has taken the answer or has gone; until then the request keeps its place among those pending. */
  readonly taken?: Promise<void>;
  /** Awaited before each try; request() rejects with what it throws. */
  readonly onTry?: () => void | Promise<void>;
}

export type UpstreamResponse = HttpResponse;

export interface Upstream {
  /**
   * The response of the service, whatever its status but those that http-client.ts does not pass on.
   * @throws ProblemError `upstream_unreachable` (502, or 504 when connecting took too long), `no_answer` (504),
   * `protocol_error` (502) for a response that cannot be passed on, `client_closed` once `signal` aborted, `overloaded`
   * (503) when too many are pending, `rate_limited` (429) when too many of `client` are.
   */
  request(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** `baseUrl` is http(s) and has no slash at its end. */
export function createUpstream(baseUrl: string, clock: Clock, metrics: Metrics): Upstream {
  const client = createHttpClient(baseUrl, clock);
  const places = fairShare(MAX_PENDING, MAX_PENDING_OF_CLIENT);

  /** Measures each try. An aborted one says nothing about the service. */
  const measured = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const startedAt = clock.now();
    const observe = (status: number): void =>
      metrics.upstreamAnswered(request.route ?? request.path, status, (clock.now() - startedAt) / 1000);
    try {
      const response = await client.send(request);
      observe(response.status);
      return response;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'client_closed')) observe(NO_STATUS);
      throw error;
    }
  };

  const withRetry = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    let cause: unknown;
    for (const isLast of request.method === 'GET' ? [false, true] : [true]) {
      await request.onTry?.();
      try {
        return await measured(request);
      } catch (error) {
        if (error instanceof ProblemError) throw error;
        cause = error;
        if (isLast) break;
      }
    }
    throw new ProblemError('upstream_unreachable', { cause });
  };

  /** A place among the pending requests: a function that gives it back. @throws ProblemError */
  const takePlace = ({ method, client: key }: UpstreamRequest): (() => void) => {
    const place = places.take(key ?? null, method === 'GET' ? 'look-up' : 'other');
    if (place === 'full') {
      metrics.limitHit('upstream_requests');
      throw new ProblemError('overloaded');
    }
    if (place === 'share_used') {
      metrics.limitHit('upstream_requests_of_address');
      throw new ProblemError('rate_limited', {
        headers: { 'retry-after': RETRY_SECONDS },
        extra: { detail: 'this address has as many requests under way as the proxy allows' },
      });
    }
    return place;
  };

  return {
    async request(request) {
      const freePlace = takePlace(request);
      try {
        const response = await withRetry(request);
        if (request.taken === undefined) freePlace();
        else void request.taken.then(freePlace);
        return response;
      } catch (error) {
        freePlace();
        throw error;
      }
    },
    close: () => client.close(),
  };
}
