// The Basic credentials of the token server (document 1, Authentication and Errors). Policy: no header, another scheme, or
// one that cannot be read is 403, as is a wrong secret ("missing Authorization header, invalid credentials"); an unknown
// client is 404 ("client not found"). Compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';
import { credentials } from '../addresses.ts';
import { Refusal } from './envelope.ts';

const digest = (word: string): Buffer => createHash('sha256').update(word).digest();
const isSame = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right));

/** The id of the client that these credentials are of. @throws Refusal */
export function clientOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new Refusal(403, 'Authorization: missing');
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const words = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = words.indexOf(':');
  if (colon < 0) throw new Refusal(403, 'Authorization: not Basic credentials');
  const clientId = words.slice(0, colon);
  if (!isSame(clientId, credentials.clientId)) throw new Refusal(404, 'client not found');
  if (!isSame(words.slice(colon + 1), credentials.clientSecret))
    throw new Refusal(403, 'invalid credentials');
  return clientId;
}
