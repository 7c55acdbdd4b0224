// The sentence that a visitor reads for an error. It is loaded with what can fail.
// - Every error code, known or not, has a sentence that says what a person can do. The code is for developers and stays in the
//   event, as all words of the service do.
// - `not_found` of a text means that it is not in the prepared edition, and that nothing else is to be signed.
// - For an error that ends a session, and for a proxy that cannot answer now, the sentence says that the service is not there,
//   unless the code has a sentence of its own.
export const errorsEn = {
  noText: 'There is no text to sign.',
  signer: 'This signer is not available here.',
  service: 'The signing service is not there right now. Please try again later.',
  refused: 'Signing is not set up for this page.',
  spent: 'This site cannot sign more now. Please come back another day.',
  media: 'The video could not be shown.',
  tooLong: 'This text is too long. Please choose a shorter part.',
  text: 'This text could not be signed.',
  announcement: 'This announcement could not be signed.',
};

export type ErrorStrings = typeof errorsEn;

type Key = keyof ErrorStrings;

const keys: Readonly<Record<string, Key | 'load' | null>> = {
  __proto__: null,
  empty_text: 'noText',
  invalid_signer: 'signer',
  invalid_session_start: 'signer',
  text_too_long: 'tooLong',
  origin_refused: 'refused',
  ticket_refused: 'refused',
  budget_spent: 'spent',
  load_failed: 'load',
  media_error: 'media',
  media_refused: 'media',
};

/** REST reports these for one message; `overloaded` and `restarting` are the proxy's (proxy/problem.ts). */
const away = /unreachable|no_answer|rate_limited|overloaded|restarting/;

/** Sentences of errors for which another try does not help, because their cause stays until the page or the text changes. */
const lasting = /noText|signer|tooLong|refused|spent/;

/** The sentence for an error, `fallback` when its code has none of its own, and whether trying again may help. */
export function errorMessage(
  { code, severity }: { readonly code: string; readonly severity: string },
  strings: { readonly errors?: Partial<ErrorStrings>; readonly errorLoad: string },
  fallback: Key = 'text',
): { text: string; soft: false; retry: boolean } {
  const key = keys[code] || (severity === 'session' || away.test(code) ? 'service' : fallback);
  return {
    text: key === 'load' ? strings.errorLoad : (strings.errors?.[key] ?? errorsEn[key]),
    soft: false,
    retry: !(code === 'invalid_request' || (code === 'not_found' && key === 'text') || lasting.test(key)),
  };
}
