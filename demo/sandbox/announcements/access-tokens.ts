// Access tokens of the announcement API (document 1, Authentication): a JWT, valid for 1 hour unless the limits in force
// say otherwise. Policy: signed with HS256 and a secret of this run only; the sandbox's clock decides when a token was
// issued and when it has expired; changing the lifetime leaves tokens that are out as they are.
import { jwtVerify, SignJWT } from 'jose';
import type { SandboxClock } from '../clock.ts';
import type { SandboxLimits } from '../limits.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'sign-elements-sandbox';

/** The body of a token response. */
export interface IssuedToken {
  readonly access_token: string;
  /** Seconds, whole. */
  readonly expires_in: number;
  readonly token_type: 'Bearer';
}

export class AccessTokens {
  readonly #clock: SandboxClock;
  readonly #limits: () => SandboxLimits;
  readonly #key: Uint8Array;

  /** @param secret what tokens are signed with, 32 characters or more */
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

  /** Whether it is a token of this run that has not expired. */
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
