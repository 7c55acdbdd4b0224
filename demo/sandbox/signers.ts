// Which signers the account has and what they sign (document 2, delivery.config and silence parameters; document 3,
// session.start).
// - The first signer in the list of a language is its default.
// - A signer has one language. A request with a signer and another language is refused.
import type { SignerName } from './painter/figure.ts';

export type Language = 'BSL' | 'ASL';

export const languages = ['BSL', 'ASL'] as const satisfies readonly Language[];
export const signersOf = { BSL: ['RAE'], ASL: ['MAX', 'JAY'] } as const satisfies Record<
  Language,
  readonly SignerName[]
>;
export const signerNames = ['RAE', 'JAY', 'MAX'] as const satisfies readonly SignerName[];

export const signs = (signer: SignerName, language: Language): boolean =>
  (signersOf[language] as readonly SignerName[]).includes(signer);

export const languageOf = (signer: SignerName): Language => (signs(signer, 'ASL') ? 'ASL' : 'BSL');

export const defaultSigner = (language: Language): SignerName => signersOf[language][0];
