// Fetches the logo of a request (document 2, delivery.config logo.url). Policy: http and https only, on every hop, 3
// redirects at most; 5 s in all; 1 MB at most, counted as it comes, whatever its headers say; PNG, JPEG or WebP by its
// first bytes, not by its Content-Type. Any address may be named, this machine's own too: the service listens on loopback
// only, and what is fetched must be a picture.
import type { SandboxClock } from '../clock.ts';

const MOST_BYTES = 1_000_000;
const MOST_MS = 5000;
const MOST_REDIRECTS = 3;

/** A logo that cannot be had; the message says why. */
export class LogoFetchError extends Error {
  override readonly name = 'LogoFetchError';
}

export const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

async function follow(first: string, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (!isWebAddress(url)) throw new LogoFetchError('leads away from http and https');
    const response = await fetch(url, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, url)) throw new LogoFetchError('leads to no address');
    url = new URL(location, url).href;
  }
  throw new LogoFetchError(`redirects more than ${MOST_REDIRECTS} times`);
}

async function read({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new LogoFetchError(`is more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isPicture(file: Buffer): boolean {
  const starts = (bytes: string, at = 0): boolean => file.toString('latin1', at, at + bytes.length) === bytes;
  return starts('\x89PNG\r\n\x1a\n') || starts('\xff\xd8\xff') || (starts('RIFF') && starts('WEBP', 8));
}

/** The bytes of the picture at `url`. @throws LogoFetchError */
export async function fetchLogo(url: string, clock: SandboxClock): Promise<Uint8Array> {
  const abort = new AbortController();
  const callOff = clock.after(MOST_MS, () => abort.abort());
  try {
    const response = await follow(url, abort.signal);
    if (!response.ok) throw new LogoFetchError(`answers ${response.status}`);
    const file = await read(response);
    if (!isPicture(file)) throw new LogoFetchError('is no PNG, JPEG or WebP');
    return file;
  } catch (error) {
    if (error instanceof LogoFetchError) throw error;
    throw new LogoFetchError(
      abort.signal.aborted ? `takes more than ${MOST_MS / 1000} s` : 'cannot be fetched',
    );
  } finally {
    callOff();
    // Lets go of an answer that was not read to its end.
    abort.abort();
  }
}
