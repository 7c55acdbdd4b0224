// Fetches the logo of a request (document 2, delivery.config logo.url). Policy: that of every fetch on request
// (capped-fetch.ts); 1 MB at most; PNG, JPEG or WebP by its first bytes, not by its Content-Type.
import { CappedFetchError, fetchCapped } from '../capped-fetch.ts';
import type { SandboxClock } from '../clock.ts';

const MOST_BYTES = 1_000_000;

function isPicture(file: Buffer): boolean {
  const starts = (bytes: string, at = 0): boolean => file.toString('latin1', at, at + bytes.length) === bytes;
  return starts('\x89PNG\r\n\x1a\n') || starts('\xff\xd8\xff') || (starts('RIFF') && starts('WEBP', 8));
}

/** The bytes of the picture at `url`. @throws CappedFetchError */
export async function fetchLogo(url: string, clock: SandboxClock): Promise<Uint8Array> {
  const { bytes } = await fetchCapped(url, { clock, mostBytes: MOST_BYTES });
  if (!isPicture(bytes)) throw new CappedFetchError('is no PNG, JPEG or WebP');
  return bytes;
}
