// The Basic credentials of the token server (document 1, Authentication and Errors). Policy: no header, another scheme, or
// one that cannot be read is 403, as is a wrong secret ("missing Authorization header, invalid credentials"); an unknown
// client is 404 ("client not found"). Compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '../addresses.ts';
import { Refusal } from './envelope.ts';

const digest = (word: string): Buffer => createHash('sha256').update(word).digest();
const isSame = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right));

type Client = Pick<Credentials, 'clientId' | 'clientSecret'>;

/** The words of an `Authorization` header of the scheme Basic (RFC 7617); null when it is none. */
export function basicCredentials(authorization: string): Client | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const words = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = words.indexOf(':');
  return colon < 0 ? null : { clientId: words.slice(0, colon), clientSecret: words.slice(colon + 1) };
}

/** Lets pass the credentials of this client. @throws Refusal */
export function checkClient(authorization: string | undefined, { clientId, clientSecret }: Client): void {
  if (authorization === undefined) throw new Refusal(403, 'Authorization: missing');
  const given = basicCredentials(authorization);
  if (!given) throw new Refusal(403, 'Authorization: not Basic credentials');
  if (!isSame(given.clientId, clientId)) throw new Refusal(404, 'client not found');
  if (!isSame(given.clientSecret, clientSecret)) throw new Refusal(403, 'invalid credentials');
}
