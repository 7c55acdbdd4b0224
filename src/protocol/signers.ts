// Which signer signs which language (document 2, options of delivery.config).
// - A known signer and another language fail before anything is sent.
// - An unknown signer is sent as it is, because accounts have signers of their own.
import { SignError } from './sign-error.ts';

export type Language = 'BSL' | 'ASL';

const languageOf: Readonly<Record<string, Language>> = { RAE: 'BSL', JAY: 'ASL', MAX: 'ASL' };
const defaultSigner: Readonly<Record<Language, string>> = { BSL: 'RAE', ASL: 'MAX' };

/**
 * Fills in whichever of the two is missing: the language follows the signer, the signer the language, else RAE and BSL.
 * @throws SignError `invalid_signer` when a known signer does not sign the language.
 */
export function resolveSigner(
  signer: string | undefined,
  language: Language | undefined,
): { signer: string; language: Language } {
  const known = signer ? languageOf[signer.trim().toUpperCase()] : undefined;
  const resolved = language ?? known ?? 'BSL';
  if (known && known !== resolved) {
    throw new SignError('invalid_signer', `signer ${signer} signs ${known}, not ${resolved}`);
  }
  return { signer: signer?.trim() || defaultSigner[resolved], language: resolved };
}
