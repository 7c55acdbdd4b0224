// Fetches a file that a request names by its address.
// - Every hop must be http or https. At most 3 redirects are followed, to addresses of at most 4096 characters.
// - The caller limits the bytes; they are counted as they arrive, not by the headers. A fetch takes at most 5 s in all.
// - Any address may be named, also one of this machine, because the service listens on loopback only and each caller accepts only
//   one kind of file.
import type { SandboxClock } from './clock.ts';

const MOST_MS = 5000;
const MOST_REDIRECTS = 3;
const LONGEST_ADDRESS = 4096;

/** A file that cannot be fetched; the message continues the name of the file, for example "answers 404". */
export class CappedFetchError extends Error {
  override readonly name = 'CappedFetchError';
}

interface Caps {
  readonly clock: SandboxClock;
  readonly mostBytes: number;
  /** Sent on every hop. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the fetch early. */
  readonly signal?: AbortSignal;
}

export interface Fetched {
  readonly bytes: Buffer;
  /** The address after redirects. */
  readonly url: string;
}

export const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

async function follow(
  first: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly url: string }> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (!isWebAddress(url)) throw new CappedFetchError('leads away from http and https');
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return { response, url };
    await response.body?.cancel();
    if (!URL.canParse(location, url)) throw new CappedFetchError('leads to no address');
    url = new URL(location, url).href;
    if (url.length > LONGEST_ADDRESS) throw new CappedFetchError('leads to an address that is too long');
  }
  throw new CappedFetchError(`redirects more than ${MOST_REDIRECTS} times`);
}

async function read({ body }: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new CappedFetchError(`is more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The file at `url`. @throws CappedFetchError */
export async function fetchCapped(
  url: string,
  { clock, mostBytes, headers, signal }: Caps,
): Promise<Fetched> {
  const abort = new AbortController();
  const cancel = clock.after(MOST_MS, () => abort.abort());
  const init = {
    signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]),
    ...(headers && { headers }),
  };
  try {
    const { response, url: end } = await follow(url, init);
    if (!response.ok) throw new CappedFetchError(`answers ${response.status}`);
    return { bytes: await read(response, mostBytes), url: end };
  } catch (error) {
    if (error instanceof CappedFetchError) throw error;
    throw new CappedFetchError(
      abort.signal.aborted ? `takes more than ${MOST_MS / 1000} s` : 'cannot be fetched',
    );
  } finally {
    cancel();
    // Releases an answer that was not read to its end.
    abort.abort();
  }
}
