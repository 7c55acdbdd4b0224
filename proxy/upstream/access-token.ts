// The access token of the announcement API, by client credentials (document 1, Obtain a token).
// - One token for all clients, fetched on first use, one fetch at a time. It is renewed in the background in the last
//   tenth of its life (at most 5 minutes), and not used in the last twentieth (at most 5 s).
// - A token that the service refuses is replaced once for all requests refused with it, at most twice a minute: more
//   refusals have another cause.
// - At most 12 requests a minute go to the token server. Replicas with a Redis share all of this (shared-token.ts).
// - Neither a token nor a response of the token server is logged.
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { TransportConfig } from '../config.ts';
import { TokenBucket } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import { nameOf, ProblemError } from '../problem.ts';
import { requestToken } from './token-request.ts';
import type { Upstream } from './upstream.ts';

/** The lifetime in document 1, for a response without `expires_in`, or with 0. */
const LIFETIME_SECONDS = 3_600;
/** Redis refuses a key that lives for 1e300 ms. */
const LONGEST_SECONDS = 86_400;
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
  /** Sends requests to `transport.authUrl`. */
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'tokenFetched'>;
  readonly sharing: TokenSharing;
}

/** It is not logged: the fetches before it have named the reason, and each request would write a line that names none. */
class TooManyFetches extends Error {}

export const accessTokens = (deps: AccessTokenDeps): AccessTokens => new FetchedTokens(deps);

class FetchedTokens implements AccessTokens {
  readonly #deps: AccessTokenDeps;
  readonly #refusals: TokenBucket;
  #current: Issued | null = null;
  #fetching: Promise<Issued> | null = null;
  /** How often the client secret was replaced. */
  #secretChanges = 0;

  constructor(deps: AccessTokenDeps) {
    this.#deps = deps;
    this.#refusals = new TokenBucket(REFUSED_PER_MINUTE, deps.clock);
  }

  async get(): Promise<string> {
    const now = this.#deps.clock.now();
    const current = this.#current;
    if (current === null || now >= current.expiresAt)
      return (await this.#renew(current?.token ?? null)).token;
    // A failure is logged, and the next request tries again.
    if (now >= current.renewAt) this.#renew(current.token).catch(() => undefined);
    return current.token;
  }

  async another(refused: string): Promise<string | null> {
    const current = this.#current;
    const isOther = current !== null && current.token !== refused;
    if (isOther && this.#deps.clock.now() < current.expiresAt) return current.token;
    if (this.#fetching === null && this.#refusals.take() > 0) return null;
    return (await this.#renew(refused)).token;
  }

  async replace(): Promise<void> {
    this.#secretChanges += 1;
    this.#fetching = null;
    const token = this.#current?.token;
    const issued = await this.#renew(token ?? null);
    // Another replica may have made it with the old secret.
    if (token === undefined) await this.#renew(issued.token);
  }

  #renew(replaced: string | null): Promise<Issued> {
    if (this.#fetching !== null) return this.#fetching;
    const begunWith = this.#secretChanges;
    const fetched = this.#deps.sharing
      .obtain(replaced, () => this.#fetch())
      .then(
        (issued) =>
          begunWith === this.#secretChanges ? (this.#current = issued) : this.#latest(issued.token),
        (error: unknown) => {
          if (begunWith !== this.#secretChanges) return this.#latest(null);
          if (!(error instanceof TooManyFetches)) this.#logFailure(error);
          throw new ProblemError('upstream_unreachable');
        },
      )
      .finally(() => {
        if (this.#fetching === fetched) this.#fetching = null;
      });
    this.#fetching = fetched;
    return fetched;
  }

  #logFailure(error: unknown): void {
    const cause = (error instanceof ProblemError && error.cause) || error;
    this.#deps.log.warn({ error: nameOf(cause) }, 'no access token');
  }

  /** The result of a fetch during which the client secret was replaced: the token of the new secret. */
  async #latest(old: string | null): Promise<Issued> {
    const issued = await (this.#fetching ?? this.#current ?? this.#renew(old));
    return issued.token === old ? this.#renew(old) : issued;
  }

  async #fetch(): Promise<Issued> {
    const { metrics, sharing } = this.#deps;
    if ((await sharing.mayFetch()) > 0) throw new TooManyFetches();
    try {
      const issued = await this.#fetchOnce();
      metrics.tokenFetched('ok');
      return issued;
    } catch (error) {
      metrics.tokenFetched('failed');
      throw error;
    }
  }

  async #fetchOnce(): Promise<Issued> {
    const { transport, upstream, clock, log } = this.#deps;
    const sentAt = clock.now();
    const { access_token: token, expires_in } = await requestToken(transport, upstream);
    const seconds = Math.min(expires_in || LIFETIME_SECONDS, LONGEST_SECONDS);
    if (!isToken(token)) throw new ProblemError('protocol_error');
    const life = seconds * 1000;
    const expiresAt = sentAt + life - Math.min(life / 20, MAX_MARGIN_MS);
    log.info({ seconds }, 'access token fetched');
    return {
      token,
      renewAt: Math.min(expiresAt, sentAt + life - Math.min(life / 10, MAX_RENEWAL_MS)),
      expiresAt,
    };
  }
}
