// The access token of the announcement API, by client credentials (document 1, Obtain a token).
// - One token for all clients, fetched on first use, one fetch at a time. It is renewed in the background in the last
//   tenth of its life (at most 5 minutes), and not used in the last twentieth (at most 5 s).
// - A token that the service refuses is replaced once for all requests refused with it, at most twice a minute: more
//   refusals have another cause.
// - At most 12 requests a minute go to the token server. Replicas with a Redis share all of this (shared-token.ts).
// - Neither a token nor a response of the token server is logged.
import type { FastifyBaseLogger } from 'fastify';
import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi';
import type { Clock } from '../clock.ts';
import type { TransportConfig } from '../config.ts';
import { TokenBucket } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import type { Upstream } from './upstream.ts';

const TOKEN_PATH = '/oauth2/token';
/** The lifetime in document 1, for a response without `expires_in`. */
const LIFETIME_SECONDS = 3_600;
const MAX_RENEWAL_MS = 300_000;
const MAX_MARGIN_MS = 5_000;
export const TOKEN_FETCHES_PER_MINUTE = 12;
const REFUSED_PER_MINUTE = 2;

export interface AccessTokens {
  /** The token to send. @throws ProblemError `upstream_unreachable` when there is none */
  get(): Promise<string>;
  /**
   * Another token than `refused`; null when two were refused within the minute.
   * @throws ProblemError `upstream_unreachable` when there is none
   */
  another(refused: string): Promise<string | null>;
  /**
   * Replaces the current token, and one that is being fetched, after the client secret was replaced.
   * @throws ProblemError `upstream_unreachable`
   */
  replace(): Promise<void>;
}

/** A token with its times on this process's clock. */
export interface Issued {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** What replicas share when they fetch a token. */
export interface TokenSharing {
  /** Counts one fetch: 0 when it may be sent to the token server now, else the seconds to wait. */
  mayFetch(): number | Promise<number>;
  /** A token other than `replaced`, from another replica or from `fetch`. Rejects as `fetch` does. */
  obtain(replaced: string | null, fetch: () => Promise<Issued>): Promise<Issued>;
}

/** True for a token that can be sent in a header. */
export const isToken = (value: string): boolean => /^[\x21-\x7e]{4,8192}$/.test(value);

interface AccessTokenDeps {
  readonly transport: TransportConfig;
  /** At `transport.authUrl`. */
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'tokenFetched'>;
  readonly sharing: TokenSharing;
}

export function accessTokens(deps: AccessTokenDeps): AccessTokens {
  const { transport, upstream, clock, log, metrics, sharing } = deps;
  let current: Issued | null = null;
  let fetching: Promise<Issued> | null = null;
  /** How often the client secret was replaced. */
  let secretChanges = 0;
  const refusals = new TokenBucket(REFUSED_PER_MINUTE, clock);

  const fetchOnce = async (): Promise<Issued> => {
    const sentAt = clock.now();
    const { access_token: token, expires_in: seconds = LIFETIME_SECONDS } = await requestToken(
      transport,
      upstream,
    );
    if (!isToken(token)) throw new ProblemError('protocol_error');
    const life = seconds * 1000;
    const expiresAt = sentAt + life - Math.min(life / 20, MAX_MARGIN_MS);
    log.info({ seconds }, 'access token fetched');
    return {
      token,
      renewAt: Math.min(expiresAt, sentAt + life - Math.min(life / 10, MAX_RENEWAL_MS)),
      expiresAt,
    };
  };

  const fetchToken = async (): Promise<Issued> => {
    if ((await sharing.mayFetch()) > 0) throw new ProblemError('upstream_unreachable');
    try {
      const issued = await fetchOnce();
      metrics.tokenFetched('ok');
      return issued;
    } catch (error) {
      metrics.tokenFetched('failed');
      throw error;
    }
  };

  /** The result of a fetch during which the client secret was replaced: the token of the new secret. */
  const latest = async (old: string | null): Promise<Issued> => {
    const issued = await (fetching ?? current ?? renew(old));
    return issued.token === old ? renew(old) : issued;
  };

  const renew = (replaced: string | null): Promise<Issued> => {
    if (fetching !== null) return fetching;
    const begunWith = secretChanges;
    const fetched = sharing
      .obtain(replaced, fetchToken)
      .then(
        (issued) => (begunWith === secretChanges ? (current = issued) : latest(issued.token)),
        (error: unknown) => {
          if (begunWith !== secretChanges) return latest(null);
          log.warn({ error: nameOf(error) }, 'no access token');
          throw new ProblemError('upstream_unreachable');
        },
      )
      .finally(() => {
        if (fetching === fetched) fetching = null;
      });
    fetching = fetched;
    return fetched;
  };

  const get = async (): Promise<string> => {
    const now = clock.now();
    if (current === null || now >= current.expiresAt) return (await renew(current?.token ?? null)).token;
    // A failure is logged, and the next request tries again.
    if (now >= current.renewAt) renew(current.token).catch(() => undefined);
    return current.token;
  };

  return {
    get,
    async another(refused) {
      if (current !== null && current.token !== refused && clock.now() < current.expiresAt)
        return current.token;
      if (fetching === null && refusals.take() > 0) return null;
      return (await renew(refused)).token;
    },
    async replace() {
      secretChanges += 1;
      fetching = null;
      const token = current?.token;
      const issued = await renew(token ?? null);
      // Another replica may have made it with the old secret.
      if (token === undefined) await renew(issued.token);
    },
  };
}

/** Requests a token with the proxy's own HTTP client, so that its time-outs and limits hold. */
async function requestToken({ authUrl, clientId, clientSecret }: TransportConfig, upstream: Upstream) {
  const server: AuthorizationServer = { issuer: authUrl, token_endpoint: authUrl + TOKEN_PATH };
  const client: Client = { client_id: clientId };
  const tokenResponse = await clientCredentialsGrantRequest(
    server,
    client,
    basic(clientSecret),
    {},
    {
      // The operator decides whether the token server is on TLS.
      [allowInsecureRequests]: true,
      [customFetch]: async (_url, { headers, body }) => {
        const response = await upstream.request({
          method: 'POST',
          path: TOKEN_PATH,
          headers,
          body: String(body),
        });
        const type = response.headers['content-type'];
        return new Response(withoutNulls(response.body), {
          status: response.status,
          headers: type === undefined ? {} : { 'content-type': type },
        });
      },
    },
  );
  return processClientCredentialsResponse(server, client, tokenResponse);
}

/** Drops fields that are null: RFC 6749 has none, and oauth4webapi refuses them. */
function withoutNulls(body: Buffer): Uint8Array<ArrayBuffer> {
  try {
    const parsed: unknown = JSON.parse(
      new TextDecoder().decode(body),
      (_name, value: unknown) => value ?? undefined,
    );
    return new TextEncoder().encode(JSON.stringify(parsed));
  } catch {
    return new Uint8Array(body);
  }
}

/** `base64(client_id:client_secret)` as in document 1, without the form encoding of RFC 6749, 2.3.1. */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`);

/** One word for the error: its message may contain the response. */
const nameOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? (error as { name?: unknown } | null)?.name);
