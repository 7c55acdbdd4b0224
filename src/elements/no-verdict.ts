// Which errors say nothing of what was asked for. Policy: unlike a translation, a look at a session or at the addresses of
// the idle signer may be made again at no cost, also where SignError calls its error final.
import type { OwnErrorCode, SignError } from '../protocol/sign-error.ts';

const noVerdicts: ReadonlySet<string> = new Set<OwnErrorCode>([
  'no_answer',
  'upstream_unreachable',
  'protocol_error',
]);

export const mayPass = ({ code, retryable }: SignError): boolean => retryable || noVerdicts.has(code);
