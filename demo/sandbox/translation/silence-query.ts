// The query of `GET /v1/silence` (document 2, Silence segment request parameters). Policy: values are exact, only the letter
// case of `language` does not matter; the language is BSL when it is absent, whoever the signer is; every parameter that
// is wrong is named; parameters that the document does not name pass.
import type { SignerName } from '../painter/figure.ts';
import { signerNames, signersOf, type Language } from '../signers.ts';

export interface Silence {
  readonly signer: SignerName;
  /** Segments, one file, or one file with transparency. */
  readonly container: 'ts' | 'mp4' | 'mov';
}

/** As the framework reads it: text, or a list when a name comes twice. */
export type SilenceQuery = Readonly<
  Partial<Record<'language' | 'signer' | 'format' | 'transparent', string | readonly string[]>>
>;

const languageNamed: Readonly<Record<string, Language>> = { bsl: 'BSL', asl: 'ASL' };
const fold = (given: SilenceQuery[keyof SilenceQuery]) =>
  typeof given === 'string' ? given.toLowerCase() : given;

/** What a query asks for, or in words every parameter of it that is wrong. */
export function readSilenceQuery(query: SilenceQuery): Silence | { readonly problem: string } {
  const problems: string[] = [];
  /** The parameter's value, its default (the first of `values`) when absent, null when it is none of them. */
  const read = (name: keyof SilenceQuery, given: SilenceQuery[typeof name], values: readonly string[]) => {
    const value = given === undefined ? values[0] : values.find((each) => each === given);
    if (value === undefined) problems.push(`invalid ${name}: must be ${values.join(' or ')}`);
    return value ?? null;
  };

  const language = languageNamed[read('language', fold(query.language), Object.keys(languageNamed)) ?? ''];
  // Of a language that there is not, any signer will do.
  const signers: readonly SignerName[] = language ? signersOf[language] : signerNames;
  const named = read(
    'signer',
    query.signer,
    signers.map((signer) => signer.toLowerCase()),
  );
  const signer = signers.find((each) => each.toLowerCase() === named);
  const format = read('format', query.format, ['ts', 'mp4']);
  const transparent = read('transparent', query.transparent, ['false', 'true']) === 'true';
  if (transparent && query.format === 'ts') {
    problems.push('invalid transparent: true cannot be combined with format=ts');
  }
  if (!signer || problems.length > 0) return { problem: problems.join('; ') };
  return { signer, container: transparent ? 'mov' : format === 'mp4' ? 'mp4' : 'ts' };
}
