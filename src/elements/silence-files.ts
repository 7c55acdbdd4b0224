// The files of the idle signer (document 2, `GET /v1/silence`), by the REST client.
// - Each file is fetched once.
// - A refused address is renewed, once for all segments of the answer.
// - All `<sign-translate>` of a page share the bytes of the four idle signers that were loaded last.
import { ClipBytes, type ClipFile, type Playable } from '../playback/clips/clip-bytes.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import type { SilenceRequest } from '../protocol/silence.ts';
import { createSignClient } from '../session/rest/rest-client.ts';
import { isTransient } from '../session/retry-policy.ts';

interface SilenceFiles {
  /** In playing order. */
  readonly playables: readonly Playable[];
  /** Address of the first file. */
  readonly url: string;
  /** Milliseconds from now until the addresses expire; null when the service did not say. */
  readonly lifetime: number | null;
}

/**
 * Asks the proxy with this absolute prefix.
 * @throws SignError as the REST client and ClipBytes do.
 */
export async function loadSilence(
  proxy: string,
  query: SilenceRequest,
  signal: AbortSignal,
): Promise<SilenceFiles> {
  const client = createSignClient({ proxy });
  let silence = await client.silence(query, { signal });
  let asking: Promise<void> | null = null;
  const askAnew = async (): Promise<void> => {
    silence = await client.silence(query, { signal });
  };
  const files = silence.urls.map((first, at) => {
    let last = first;
    const renew = async (): Promise<string> => {
      // The renewal for another segment may have renewed all of them.
      if (silence.urls[at] === last) await (asking ??= askAnew().finally(() => (asking = null)));
      const fresh = silence.urls[at];
      if (fresh === undefined) throw ownError('protocol_error', 'the answer names fewer videos than before');
      return (last = fresh);
    };
    return new ClipBytes({ url: first, renew });
  });
  const release = (): void => files.forEach((file) => file.release());
  signal.addEventListener('abort', release);
  const playables = await Promise.all(files.map((file) => file.load()));
  // The caller has the files now, and the player of a joined loop its own copy. In Firefox this listener would keep the bytes.
  signal.removeEventListener('abort', release);
  for (const file of files) file.forget();
  const expires = Date.parse(silence.expiresAt ?? '');
  return {
    playables,
    url: files[0]?.url ?? '',
    lifetime: Number.isNaN(expires) ? null : expires - Date.now(),
  };
}

const MAX_IDLE_FILES = 4;

/** The idle signers of the page's `<sign-translate>`, by proxy, signer and language; null for a signer who has no idle loop. */
const idleFiles = new Map<string, ClipFile | null>();

/** The idle signer's video from the proxy with this absolute prefix. Rejects when it cannot be loaded. */
export async function loadIdleSigner(
  proxy: string,
  who: Pick<SilenceRequest, 'signer' | 'language'>,
  signal: AbortSignal,
): Promise<Playable> {
  const key = JSON.stringify([proxy, who.signer?.toLowerCase(), who.language]);
  const known = idleFiles.get(key);
  if (known) return known;
  if (known === null) throw ownError('not_found', 'the signer has no idle loop');
  const { playables } = await loadSilence(proxy, { ...who, format: 'mp4' }, signal).catch(
    (error: unknown) => {
      // A final failure is kept: otherwise there would be a request after every text. A failure of the media host may pass.
      const isFinal = error instanceof SignError && !isTransient(error) && !error.code.startsWith('media_');
      if (isFinal) remember(key, null);
      throw error;
    },
  );
  const [playable] = playables;
  if (playable === undefined) throw ownError('protocol_error', 'the answer names no video');
  // An address is not kept, because it expires.
  if (typeof playable !== 'string') remember(key, playable);
  return playable;
}

function remember(key: string, file: ClipFile | null): void {
  idleFiles.set(key, file);
  const [oldest] = idleFiles.keys();
  if (idleFiles.size > MAX_IDLE_FILES && oldest !== undefined) idleFiles.delete(oldest);
}
