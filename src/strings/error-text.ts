// What a visitor reads when something failed: every code, known or not, has a sentence that says what a person can do. The code
// itself is for developers and stays in the event.
import type { Strings } from './en.ts';

const sentences: Readonly<Record<string, keyof Strings>> = {
  empty_text: 'errorNoText',
  invalid_signer: 'errorSigner',
  invalid_session_start: 'errorSigner',
  text_too_long: 'errorTooLong',
  origin_refused: 'errorRefused',
  proxy_unreachable: 'errorService',
  too_many_sockets: 'errorService',
  upstream_unreachable: 'errorService',
  handshake_timeout: 'errorService',
  session_failed: 'errorService',
  session_expired: 'errorService',
  gloss_unavailable: 'errorService',
  no_answer: 'errorService',
  load_failed: 'errorLoad',
  rate_limited: 'errorService',
  media_error: 'errorMedia',
  media_refused: 'errorMedia',
};

/** The sentence for an error code; `otherwise` when the code has none of its own. */
export function errorText(code: string, strings: Strings, otherwise: keyof Strings = 'errorText'): string {
  return strings[(Object.hasOwn(sentences, code) && sentences[code]) || otherwise];
}
