// What to do when hls.js has given up. Policy: it retries by itself and says `fatal` once its own tries are spent; only
// then this takes over. 401, 403, 404 and 410 are final, for a signed address does not come back: `media_refused`. Anything
// else is tried again after 1, 2, 4 and 8 s, a broken picture at once; 30 s without trouble give all tries back; then
// `media_error`.
import type Hls from 'hls.js';
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';

const REFUSED = new Set([401, 403, 404, 410]);
const PAUSES_MS = [1000, 2000, 4000, 8000];
const CALM_MS = 30_000;

/** Listens until the signal aborts; `failed` is told once, when nothing more will be tried. */
export function recoverStream(
  { Events, ErrorTypes }: typeof Hls,
  hls: Hls,
  url: string,
  signal: AbortSignal,
  failed: (error: SignError) => void,
): void {
  let tries = 0;
  let troubledAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });

  hls.on(Events.ERROR, (_, { fatal, type, details, response }) => {
    if (!fatal || signal.aborted) return;
    const status = response?.code ?? 0;
    if (REFUSED.has(status)) {
      return failed(ownError('media_refused', `the media server answered ${status}`));
    }
    const now = performance.now();
    if (now - troubledAt > CALM_MS) tries = 0;
    troubledAt = now;
    const pause = PAUSES_MS[tries++];
    if (pause === undefined) return failed(ownError('media_error', details));
    if (type === ErrorTypes.MEDIA_ERROR) return hls.recoverMediaError();
    clearTimeout(timer);
    timer = setTimeout(() => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(url)), pause);
  });
}
