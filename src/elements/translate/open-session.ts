// The session for a route. Policy: nothing of a session is loaded before a text or `connect()` asks for one, so that a page
// that shows signing to few of its visitors costs the others nothing; each way there is a file of its own.
import { ownError } from '../../protocol/sign-error.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import { socketUrl, type SessionRoute } from './session-route.ts';

/** Answered and unplayed texts; then sending waits for playback (SEMANTICS, ahead). */
const MAX_UNPLAYED = 8;

/** @throws SignError `load_failed` when the script for it does not load. */
export async function openSession(route: SessionRoute): Promise<ServiceSession> {
  const { proxy, background, generateOptions, transport, mode, config } = route;
  try {
    const { ServiceSession: Session } = await import('../../session/service-session.ts');
    const rest = transport === 'v3' ? undefined : { proxy, background, generateOptions };
    const url = socketUrl(proxy);
    return new Session({ url, transport, mode, config, rest, maxUnplayed: MAX_UNPLAYED });
  } catch (cause) {
    throw ownError('load_failed', undefined, { cause });
  }
}
