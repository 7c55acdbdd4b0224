// The token server of the announcement API (document 1, Authentication): `POST /oauth2/token` and the tokens that it issues.
// - Envelope and statuses are the document's, not those of RFC 6749; credentials are checked before the form is read.
// - No header, another scheme, unreadable credentials or a wrong secret are 403; an unknown client is 404. Secrets are compared
//   in constant time.
// - A token is a JWT that is signed with HS256 and a secret of this run. It is valid for 1 hour unless the limits in force say
//   otherwise.
// - The sandbox's clock decides when a token was issued and when it expires; a new lifetime leaves issued tokens as they are.
import formbody from '@fastify/formbody';
import type { FastifyPluginAsync } from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import { AUTH_PATH, type Credentials } from '../addresses.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import { isSame } from '../rest.ts';
import type { SandboxLimits } from '../settings.ts';
import { answerInEnvelope, MOST_BODY, onlyServe, Refusal } from './envelope.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'sign-elements-sandbox';

/** The body of a token response. */
interface IssuedToken {
  readonly access_token: string;
  /** Seconds, whole. */
  readonly expires_in: number;
  readonly token_type: 'Bearer';
}

export class AccessTokens {
  readonly #clock: SandboxClock;
  readonly #limits: () => SandboxLimits;
  readonly #key: Uint8Array;

  /** @param secret signs the tokens; 32 characters or more */
  constructor(clock: SandboxClock, limits: () => SandboxLimits, secret: string) {
    this.#clock = clock;
    this.#limits = limits;
    this.#key = new TextEncoder().encode(secret);
  }

  async issue(clientId: string): Promise<IssuedToken> {
    const seconds = this.#limits().token_lifetime_seconds;
    const now = Math.floor(this.#clock.now() / 1000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(clientId)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(this.#key);
    return { access_token: token, expires_in: seconds, token_type: 'Bearer' };
  }

  /** True for a token of this run that has not expired. */
  async isValid(token: string): Promise<boolean> {
    try {
      await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: new Date(this.#clock.now()),
      });
      return true;
    } catch {
      return false;
    }
  }
}

type Client = Pick<Credentials, 'clientId' | 'clientSecret'>;

/** The client id and secret in an `Authorization` header of the scheme Basic (RFC 7617); null for any other header. */
export function basicCredentials(authorization: string): Client | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const words = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = words.indexOf(':');
  return colon < 0 ? null : { clientId: words.slice(0, colon), clientSecret: words.slice(colon + 1) };
}

/** Accepts only the credentials of this client. @throws Refusal */
function checkClient(authorization: string | undefined, { clientId, clientSecret }: Client): void {
  if (authorization === undefined) throw new Refusal(403, 'Authorization: missing');
  const given = basicCredentials(authorization);
  if (!given) throw new Refusal(403, 'Authorization: not Basic credentials');
  if (!isSame(given.clientId, clientId)) throw new Refusal(404, 'client not found');
  if (!isSame(given.clientSecret, clientSecret)) throw new Refusal(403, 'invalid credentials');
}

interface TokenDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  readonly tokens: AccessTokens;
  /** Credentials of the account's one client. */
  readonly credentials: Credentials;
}

const URL_OF_TOKEN = '/oauth2/token';

/** The token server, under AUTH_PATH. */
export const tokenRoutes =
  (deps: TokenDeps): FastifyPluginAsync =>
  async (parent) => {
    await parent.register(
      async (app) => {
        answerInEnvelope(app, deps);
        app.removeAllContentTypeParsers();
        await app.register(formbody, { bodyLimit: MOST_BODY });
        app.post<{ Body: { readonly grant_type?: unknown } | undefined }>(
          URL_OF_TOKEN,
          {
            config: { operation: 'token' },
            onRequest: async (request) => {
              checkClient(request.headers.authorization, deps.credentials);
            },
          },
          (request) => {
            const grant = request.body?.grant_type;
            if (grant === undefined) throw new Refusal(400, 'grant_type: missing');
            if (grant !== 'client_credentials') throw new Refusal(400, 'grant_type: client_credentials only');
            return deps.tokens.issue(deps.credentials.clientId);
          },
        );
        onlyServe(app, URL_OF_TOKEN, 'POST');
      },
      { prefix: AUTH_PATH },
    );
  };
