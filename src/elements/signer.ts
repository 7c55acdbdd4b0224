// The attributes `signer`, `language` and `resolution`: who signs, in which language, how large. Policy: junk in the latter
// two reads as the default; which signer there is is the service's to know.
import { resolveSigner, type Language } from '../protocol/signers.ts';
import { oneOf } from './one-of.ts';

export type Resolution = '480p' | '720p' | '1080p';

export const readLanguage = oneOf<Language, undefined>('language', ['BSL', 'ASL'], undefined);
export const readResolution = oneOf<Resolution, '720p'>('resolution', ['480p', '720p', '1080p'], '720p');

/** Who is asked for, as a page says it. */
export interface AskedSigner {
  readonly signer: string | undefined;
  readonly language: Language | undefined;
}

/** @throws SignError `invalid_signer` */
export const signerFor = ({ signer, language }: AskedSigner): ReturnType<typeof resolveSigner> =>
  resolveSigner(signer || undefined, readLanguage(language));
