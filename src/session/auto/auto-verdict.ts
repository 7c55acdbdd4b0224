// Which trouble of the socket is a reason to go by REST at once; with any other, 10 s without a session are.
//
// | the socket          | error                                                     | REST at once                    |
// |---------------------|-----------------------------------------------------------|---------------------------------|
// | has failed          | retryable, or no V3 is spoken there (`protocol_error`)    | yes                             |
// | has failed          | this page may open no socket at all (`proxy_unreachable`) | yes: HTTP may be let through    |
// | has failed          | any other: an origin or a config that is refused          | never: REST would refuse it too |
// | had no session yet  | the proxy is there and says that it has no socket for us  | yes                             |
// | had one             | any: the next may come in a moment                        | no                              |
import { SignError } from '../../protocol/sign-error.ts';
import type { SessionState } from '../states.ts';

/** What ends the attempts of a socket and says nothing of HTTP; see connection.ts for a socket that is not even made. */
const socketAlone: ReadonlySet<string> = new Set(['protocol_error', 'proxy_unreachable']);
const refusals: ReadonlySet<string> = new Set(['upstream_unreachable', 'too_many_sockets', 'session_failed']);

/** `hadSession`: one came since the socket was opened. */
export function isForRest(reason: unknown, state: SessionState, hadSession: boolean): boolean {
  if (!(reason instanceof SignError)) return false;
  if (state === 'failed') return reason.retryable || socketAlone.has(reason.code);
  return !hadSession && refusals.has(reason.code);
}
