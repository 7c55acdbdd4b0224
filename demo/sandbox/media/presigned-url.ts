// Media URLs that carry their own permission (document 3: a signed URL, valid 5 minutes from issue).
// Policy: HMAC-SHA256 over path and expiry, compared in constant time; the secret never leaves the process. Unlike the
// service's, a URL is not bound to a viewer.
import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (secret: string, path: string, expires: number): string =>
  createHmac('sha256', secret).update(`${path}\n${expires}`).digest('hex');

/** `path` with its expiry (milliseconds since 1970) and signature as query. */
export function presign(secret: string, path: string, expires: number): string {
  return `${path}?expires=${expires}&signature=${signatureOf(secret, path, expires)}`;
}

/** Whether the URL carries a signature of ours that has not expired at `now` (milliseconds). */
export function isPresigned(secret: string, url: URL, now: number): boolean {
  const expires = Number(url.searchParams.get('expires') ?? NaN);
  if (!Number.isSafeInteger(expires) || now >= expires) return false;
  const given = Buffer.from(url.searchParams.get('signature') ?? '');
  const right = Buffer.from(signatureOf(secret, url.pathname, expires));
  return given.length === right.length && timingSafeEqual(given, right);
}
