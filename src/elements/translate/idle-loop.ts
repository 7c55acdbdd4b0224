// The signer at rest, who may take over between texts (attribute `idle-after`). Policy: asked for once a signer and
// language, as one MP4 of the silence endpoint (document 2, `GET /v1/silence`), by way of the client that is loaded then;
// bytes of the last four are remembered for all elements of a page; not having it is no error, the last frame then stays.
import type { ClipFile, Playable } from '../../playback/clips/clip-bytes.ts';
import { ownError } from '../../protocol/sign-error.ts';
import type { SilenceRequest } from '../../protocol/silence.ts';

const MOST_REMEMBERED = 4;

const remembered = new Map<string, ClipFile>();

/** The idle signer's video from the proxy with this absolute prefix. Rejects when it cannot be had. */
export async function loadIdleSigner(
  proxy: string,
  who: Pick<SilenceRequest, 'signer' | 'language'>,
  signal: AbortSignal,
): Promise<Playable> {
  const key = JSON.stringify([proxy, who.signer?.toLowerCase(), who.language]);
  const known = remembered.get(key);
  if (known) return known;
  const { loadSilence } = await import('../silence-files.ts');
  const { playables } = await loadSilence(proxy, { ...who, format: 'mp4' }, signal);
  const [playable] = playables;
  if (playable === undefined) throw ownError('protocol_error', 'the answer names no video');
  // An address alone would grow old.
  if (typeof playable !== 'string') remember(key, playable);
  return playable;
}

function remember(key: string, file: ClipFile): void {
  remembered.set(key, file);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
