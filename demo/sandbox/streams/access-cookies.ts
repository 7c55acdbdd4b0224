// The access cookies that go with a stream's signed address (document 2, Authentication: "the live create response also sets
// access cookies"; document 3, stream mode; names and lifetimes are not shown). Policy: the same permission that the address
// carries, one cookie for each part of it, for all that stands beside the manifest, for as long as it holds, and out of
// scripts' reach. Every address is signed by itself: nobody has to send them.

export interface AccessCookie {
  readonly name: string;
  readonly value: string;
}

/** None for an address that carries no permission. */
export const accessCookies = (signedUrl: string): AccessCookie[] =>
  [...new URL(signedUrl).searchParams].map(([name, value]) => ({ name: `sandbox-${name}`, value }));

/** The same as values of `Set-Cookie`. `now` in milliseconds since 1970. */
export function setCookies(signedUrl: string, now: number): string[] {
  const { searchParams, pathname } = new URL(signedUrl);
  const expires = Number(searchParams.get('expires') ?? NaN);
  const age = Number.isFinite(expires) ? `; Max-Age=${Math.max(0, Math.floor((expires - now) / 1000))}` : '';
  const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return accessCookies(signedUrl).map(
    ({ name, value }) => `${name}=${encodeURIComponent(value)}; Path=${path}; HttpOnly; SameSite=Lax${age}`,
  );
}
