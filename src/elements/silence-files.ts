// The files of the idle signer (document 2, `GET /v1/silence`), by the REST client.
// - Each file is fetched once.
// - A refused address is renewed, once for all segments of the answer.
import { ClipBytes, type Playable } from '../playback/clips/clip-bytes.ts';
import { ownError } from '../protocol/sign-error.ts';
import type { SilenceRequest } from '../protocol/silence.ts';
import { createSignClient } from '../session/rest/rest-client.ts';

export interface SilenceFiles {
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
  signal.addEventListener('abort', () => files.forEach((file) => file.release()));
  const playables = await Promise.all(files.map((file) => file.load()));
  // The caller has the files now, and a joined loop has its own copy.
  for (const file of files) file.forget();
  const expires = Date.parse(silence.expiresAt ?? '');
  return {
    playables,
    url: files[0]?.url ?? '',
    lifetime: Number.isNaN(expires) ? null : expires - Date.now(),
  };
}
