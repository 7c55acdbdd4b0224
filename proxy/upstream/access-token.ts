// The access token of the announcement API, by client credentials (document 1, Obtain a token). Policy: one token for all
// pages, fetched when it is first needed, one fetch at a time; in the last tenth of its life (at most 5 minutes) it is
// renewed beside what goes on with the old one, and 5 s before its end it is not used any more. A token that the service
// refused is replaced once for all who were refused with it, and twice a minute at most: what is refused oftener is
// refused for another reason. The token server is asked at most 12 times a minute, whatever pages provoke. Replicas that
// share a Redis share all of this (shared/token.ts). No token and no answer of the token server is ever logged.
import {
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
} from 'oauth4webapi';
import type { FastifyBaseLogger } from 'fastify';
import { TokenBucket } from '../limits/client-rate.ts';
import type { Clock } from '../clock.ts';
import type { TransportConfig } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem-reply.ts';
import type { Upstream } from './upstream.ts';

const TOKEN_PATH = '/oauth2/token';
/** What document 1 promises, for an answer that does not say. */
const LIFETIME_SECONDS = 3_600;
const RENEW_AT_MOST_MS = 300_000;
const UNUSED_MS = 5_000;
export const TOKEN_FETCHES_PER_MINUTE = 12;
const REFUSED_PER_MINUTE = 2;

export interface AccessTokens {
  /** The token to send. @throws ProblemError `upstream_unreachable` when there is none to be had */
  get(): Promise<string>;
  /** Another one than `refused`; null when there is none to be had, or two were refused within the minute. */
  another(refused: string): Promise<string | null>;
  /** Fetches one in place of the one of now. @throws ProblemError `upstream_unreachable` */
  replace(): Promise<void>;
}

/** A token and this process's times for it. */
export interface Issued {
  readonly token: string;
  readonly renewAt: number;
  readonly unusedAt: number;
}

/** What may be shared of getting a token. */
export interface TokenSharing {
  /** Takes one fetch: 0 when the token server may be asked now, else the seconds to wait. */
  mayFetch(): number | Promise<number>;
  /** A token other than the useless one, from whoever has it, else from `fetch`. Rejects as `fetch` does. */
  obtain(useless: string | null, fetch: () => Promise<Issued>): Promise<Issued>;
}

/** True for what can stand in a header as a token. */
export const isToken = (value: string): boolean => /^[\x21-\x7e]{4,8192}$/.test(value);

export interface AccessTokenParts {
  readonly transport: TransportConfig;
  /** At `transport.authUrl`. */
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'tokenFetched'>;
  readonly sharing: TokenSharing;
}

export function accessTokens(parts: AccessTokenParts): AccessTokens {
  const { transport, upstream, clock, log, metrics, sharing } = parts;
  let current: Issued | null = null;
  let fetching: Promise<Issued> | null = null;
  const refusals = new TokenBucket(REFUSED_PER_MINUTE, clock);

  const askForOne = async (): Promise<Issued> => {
    const askedAt = clock.now();
    const { access_token: token, expires_in: seconds = LIFETIME_SECONDS } = await grant(transport, upstream);
    if (!isToken(token)) throw new ProblemError('protocol_error');
    const life = seconds * 1000;
    const unusedAt = askedAt + life - UNUSED_MS;
    log.info({ seconds }, 'access token fetched');
    return {
      token,
      renewAt: Math.min(unusedAt, askedAt + life - Math.min(life / 10, RENEW_AT_MOST_MS)),
      unusedAt,
    };
  };

  const fetchToken = async (): Promise<Issued> => {
    if ((await sharing.mayFetch()) > 0) throw new ProblemError('upstream_unreachable');
    try {
      const issued = await askForOne();
      metrics.tokenFetched('ok');
      return issued;
    } catch (error) {
      metrics.tokenFetched('failed');
      throw error;
    }
  };

  const renew = (useless: string | null): Promise<Issued> => {
    fetching ??= sharing
      .obtain(useless, fetchToken)
      .then((issued) => (current = issued))
      .catch((error: unknown) => {
        log.warn({ error: nameOf(error) }, 'no access token');
        throw new ProblemError('upstream_unreachable');
      })
      .finally(() => (fetching = null));
    return fetching;
  };

  const get = async (): Promise<string> => {
    const now = clock.now();
    if (current === null || now >= current.unusedAt) return (await renew(current?.token ?? null)).token;
    // Its failure is logged, and those who come later try again.
    if (now >= current.renewAt) renew(current.token).catch(() => undefined);
    return current.token;
  };

  return {
    get,
    async another(refused) {
      if (current !== null && current.token !== refused && clock.now() < current.unusedAt)
        return current.token;
      if (fetching === null && refusals.take() > 0) return null;
      return renew(refused).then(
        ({ token }) => token,
        () => null,
      );
    },
    async replace() {
      await renew(await get());
    },
  };
}

/** Asks for a token with the proxy's own HTTP client, so that its time-outs and bounds hold. */
async function grant({ authUrl, clientId, clientSecret }: TransportConfig, upstream: Upstream) {
  const server: AuthorizationServer = { issuer: authUrl, token_endpoint: authUrl + TOKEN_PATH };
  const client: Client = { client_id: clientId };
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    basic(clientSecret),
    {},
    {
      // Whether the operator's address is on TLS is the operator's to say.
      [allowInsecureRequests]: true,
      [customFetch]: async (_url, { headers, body }) => {
        const answer = await upstream.ask({ method: 'POST', path: TOKEN_PATH, headers, body: String(body) });
        const type = answer.headers['content-type'];
        return new Response(withoutNulls(answer.body), {
          status: answer.status,
          headers: type === undefined ? {} : { 'content-type': type },
        });
      },
    },
  );
  return processClientCredentialsResponse(server, client, response);
}

/** A field that is null is as if it were not there; RFC 6749 knows none, and what reads the answer refuses it. */
function withoutNulls(answer: Buffer): Uint8Array<ArrayBuffer> {
  try {
    const said: unknown = JSON.parse(
      new TextDecoder().decode(answer),
      (_name, value: unknown) => value ?? undefined,
    );
    return new TextEncoder().encode(JSON.stringify(said));
  } catch {
    return new Uint8Array(answer);
  }
}

/** `base64(client_id:client_secret)` as document 1 has it, without the form encoding that RFC 6749 puts before it. */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`);

/** What went wrong, in a word: the error itself may hold the answer. */
const nameOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? (error as { name?: unknown } | null)?.name);
