// The sentence that a visitor reads for an error. It is loaded with what can fail.
// - Every error code, known or not, has a sentence that says what a person can do. The code is for developers and stays in the
//   event, as all words of the service do.
export const errorsEn = {
  noText: 'There is no text to sign.',
  signer: 'This signer is not available here.',
  service: 'The signing service is not there right now. Please try again later.',
  refused: 'Signing is not set up for this page.',
  media: 'The video could not be shown.',
  tooLong: 'This text is too long to be signed. Please choose a shorter part.',
  text: 'This text could not be signed.',
  announcement: 'This announcement could not be signed.',
  busy: 'The signing service is busy. It goes on in {} seconds.',
};

export type ErrorStrings = typeof errorsEn;

type Key = keyof ErrorStrings;

const keys: Readonly<Record<string, Key | 'load'>> = {
  empty_text: 'noText',
  invalid_signer: 'signer',
  invalid_session_start: 'signer',
  text_too_long: 'tooLong',
  origin_refused: 'refused',
  ticket_refused: 'refused',
  proxy_unreachable: 'service',
  too_many_sockets: 'service',
  upstream_unreachable: 'service',
  handshake_timeout: 'service',
  session_failed: 'service',
  session_expired: 'service',
  gloss_unavailable: 'service',
  no_answer: 'service',
  rate_limited: 'service',
  load_failed: 'load',
  media_error: 'media',
  media_refused: 'media',
};

/** Their reason stays until the page or the text is another one. */
const lasting: ReadonlySet<string> = new Set<Key>(['noText', 'signer', 'tooLong', 'refused']);

/** The sentence for an error code, `otherwise` when the code has none of its own, and whether trying again may help. */
export function errorMessage(
  code: string,
  strings: { readonly errors?: ErrorStrings; readonly errorLoad: string },
  otherwise: Key = 'text',
): { text: string; soft: false; retry: boolean } {
  const key = (Object.hasOwn(keys, code) && keys[code]) || otherwise;
  const { errors = errorsEn, errorLoad } = strings;
  return {
    text: key === 'load' ? errorLoad : errors[key],
    soft: false,
    retry: code !== 'invalid_request' && !lasting.has(key),
  };
}
