// The access cookies that creating a session sets (document 2, Authentication; names and lifetimes are not shown). Policy:
// the same permission that a manifest's address carries, one cookie for each part of it, for all that stands beside the
// manifest, for as long as it holds, and out of scripts' reach. Every address is signed by itself: nobody has to send them.

/** Values of `Set-Cookie`; none for an address that carries no permission. `now` in milliseconds since 1970. */
export function accessCookies(signedUrl: string, now: number): string[] {
  const { searchParams, pathname } = new URL(signedUrl);
  const expires = Number(searchParams.get('expires') ?? NaN);
  const age = Number.isFinite(expires) ? `; Max-Age=${Math.max(0, Math.floor((expires - now) / 1000))}` : '';
  const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return [...searchParams].map(
    ([name, value]) =>
      `sandbox-${name}=${encodeURIComponent(value)}; Path=${path}; HttpOnly; SameSite=Lax${age}`,
  );
}
