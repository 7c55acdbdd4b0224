// Signed media URLs (document 3: valid 5 minutes from issue), and the same signature as cookies.
// - The signature is HMAC-SHA256 over path and expiry and is compared in constant time. The secret never leaves the process.
//   Unlike a URL of the service, a URL here is not bound to a viewer.
// - Access cookies come with a stream's address (document 2, Authentication: "the live create response also sets access cookies";
//   names and lifetimes are not shown). Expiry and signature are one cookie each. Both are for all files beside the manifest, live
//   as long as the signature, and are `HttpOnly`. Each address is signed as well, so a player need not send cookies.
import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (secret: string, path: string, expires: number): string =>
  createHmac('sha256', secret).update(`${path}\n${expires}`).digest('hex');

/** `path` with its expiry (milliseconds since 1970) and signature as query. */
export function presign(secret: string, path: string, expires: number): string {
  return `${path}?expires=${expires}&signature=${signatureOf(secret, path, expires)}`;
}

/** True when the URL has a valid signature that has not expired at `now` (milliseconds). */
export function isPresigned(secret: string, url: URL, now: number): boolean {
  const expires = Number(url.searchParams.get('expires') ?? NaN);
  if (!Number.isSafeInteger(expires) || now >= expires) return false;
  const given = Buffer.from(url.searchParams.get('signature') ?? '');
  const right = Buffer.from(signatureOf(secret, url.pathname, expires));
  return given.length === right.length && timingSafeEqual(given, right);
}

export interface AccessCookie {
  readonly name: string;
  readonly value: string;
}

/** The cookies for a signed address; none for an address without a signature. */
export const accessCookies = (signedUrl: string): AccessCookie[] =>
  [...new URL(signedUrl).searchParams].map(([name, value]) => ({ name: `sandbox-${name}`, value }));

/** The same cookies as values of `Set-Cookie`. `now` is in milliseconds since 1970. */
export function setCookies(signedUrl: string, now: number): string[] {
  const { searchParams, pathname } = new URL(signedUrl);
  const expires = Number(searchParams.get('expires') ?? NaN);
  const age = Number.isFinite(expires) ? `; Max-Age=${Math.max(0, Math.floor((expires - now) / 1000))}` : '';
  const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return accessCookies(signedUrl).map(
    ({ name, value }) => `${name}=${encodeURIComponent(value)}; Path=${path}; HttpOnly; SameSite=Lax${age}`,
  );
}
