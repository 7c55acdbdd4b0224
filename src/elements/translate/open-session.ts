// The session for a route. Policy: nothing of a session is loaded before a text or `connect()` asks for one, so that a page
// that shows signing to few of its visitors costs the others nothing; each way there is a file of its own.
import { ownError } from '../../protocol/sign-error.ts';
import type { TextSession } from '../../session/text-session.ts';
import { socketUrl, type SessionRoute } from './session-route.ts';

/** Answered and unplayed texts; then sending waits for playback (SEMANTICS, ahead). */
const MAX_UNPLAYED = 8;

/** @throws SignError `load_failed` when the script for it does not load. */
export async function openSession(route: SessionRoute): Promise<TextSession> {
  const { transport, ...wishes } = route;
  const options = { ...wishes, url: socketUrl(route.proxy), maxUnplayed: MAX_UNPLAYED };
  try {
    switch (transport) {
      case 'v3':
        return new (await import('../../session/sign-session.ts')).SignSession(options);
      case 'rest':
        return new (await import('../../session/rest/rest-session.ts')).RestSession(options);
      case 'auto':
        return new (await import('../../session/auto/auto-session.ts')).AutoSession(options);
    }
  } catch (cause) {
    throw ownError('load_failed', undefined, { cause });
  }
}
