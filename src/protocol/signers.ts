// Which signer signs which language (document 2, delivery.config options). Policy: a pair that cannot go together fails
// before anything is sent; a signer we do not know is the service's to answer, since accounts have signers of their own.
import { ownError } from './own-errors.ts';

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
    throw ownError('invalid_signer', `signer ${signer} signs ${known}, not ${resolved}`);
  }
  return { signer: signer?.trim() || defaultSigner[resolved], language: resolved };
}
