// Finds the interface texts for a language, and the sentence that a visitor reads for an error.
// - English is built in; other languages are loaded when a page first needs them.
// - An unknown language, or a file that does not load within a minute, gives English; the file is tried again on `online`.
// - Every error code, known or not, has a sentence that says what a person can do. The code is for developers and stays in the
//   event.
import { loadCode } from '../internal/load-code.ts';
import { en, type Strings } from './en.ts';

const catalogues: Readonly<Record<string, () => Promise<Strings>>> = {
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
};

/** The texts for a BCP 47 tag, matched by its primary language. Never rejects. */
export async function stringsFor(tag: string): Promise<Strings> {
  const language = tag.toLowerCase().split('-')[0] ?? '';
  const load = Object.hasOwn(catalogues, language) ? catalogues[language] : undefined;
  try {
    return load ? await loadCode(load) : en;
  } catch {
    return en;
  }
}

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
