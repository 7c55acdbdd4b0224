// `GET /v1/silence` (document 2, Endpoints): 12 s of the signer at rest, 720p, without a text.
// - The first frame continues the movement of the last, so that it loops. Each answer has newly signed addresses and says when
//   they expire.
// - `ts` has 6 segments of 2 s and `mp4` is one file; both show the signer's own backplate. Transparent silence is ProRes 4444 in
//   `.mov`.
// - Parameters must be exact; only the letter case of `language` does not matter. Without a language it is BSL, whatever the
//   signer is.
// - A 400 has only `error`, a message that names every wrong parameter. Parameters that the document does not name are accepted.
import type { FastifyInstance } from 'fastify';
import { frameSizes, type MediaSpec } from '../media/media-spec.ts';
import type { SignerName } from '../painter/figure.ts';
import { ownBackplate } from '../painter/render-style.ts';
import { type Language, signerNames, signersOf } from '../signers.ts';
import { FlatError, onlyServe } from './flat-error.ts';
import { renderMedia, signUrls, type TranslationDeps } from './translation-media.ts';

interface Silence {
  readonly signer: SignerName;
  /** Segments, one file, or one file with transparency. */
  readonly container: 'ts' | 'mp4' | 'mov';
}

/** The query as the framework parses it: text, or a list when a name comes twice. */
type SilenceQuery = Readonly<
  Partial<Record<'language' | 'signer' | 'format' | 'transparent', string | readonly string[]>>
>;

const languageNamed: Readonly<Record<string, Language>> = { bsl: 'BSL', asl: 'ASL' };
const lowerCase = (value: SilenceQuery[keyof SilenceQuery]) =>
  typeof value === 'string' ? value.toLowerCase() : value;

/** What a query asks for, or a message that names every invalid parameter. */
function readSilenceQuery(query: SilenceQuery): Silence | { readonly problem: string } {
  const problems: string[] = [];
  /** The parameter's value, its default (the first of `values`) when absent, null when it is none of them. */
  const read = (name: keyof SilenceQuery, text: SilenceQuery[typeof name], values: readonly string[]) => {
    const value = text === undefined ? values[0] : values.find((each) => each === text);
    if (value === undefined) problems.push(`invalid ${name}: must be ${values.join(' or ')}`);
    return value ?? null;
  };

  const language =
    languageNamed[read('language', lowerCase(query.language), Object.keys(languageNamed)) ?? ''];
  // For an unknown language every signer is accepted: only the language is reported.
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

const PATH = '/v1/silence';
const SECONDS = 12;
const SEGMENT_SECONDS = 2;

const mediaSpecOf = ({ signer, container }: Silence): MediaSpec => ({
  text: null,
  seconds: SECONDS,
  style: {
    ...ownBackplate(signer, frameSizes['720p']),
    // On the backplate the panel is empty, as in a clip, so that silence joins to signing. A transparent picture needs none.
    ...(container === 'mov' && { backdrop: 'transparent', wordPanel: false }),
  },
  codec: container === 'mov' ? 'prores' : 'h264',
  container,
  bitsPerSecond: null,
  segmentSeconds: container === 'ts' ? SEGMENT_SECONDS : null,
});

export function silenceRoute(app: FastifyInstance, deps: TranslationDeps): void {
  const options = { config: { operation: 'silence', codes: { 500: 'presign_failed' } } } as const;
  app.get<{ Querystring: SilenceQuery }>(PATH, options, async ({ query }) => {
    const silence = readSilenceQuery(query);
    if ('problem' in silence) throw new FlatError(400, silence.problem);
    const { files, durationSeconds } = await renderMedia(deps, mediaSpecOf(silence));
    const { urls, expires } = signUrls(deps, files);
    const { silence_segments, silence_url } = deps.names();
    return {
      ...(silence.container === 'ts' ? { [silence_segments]: urls } : { [silence_url]: urls[0] }),
      durationSeconds,
      expiresAt: new Date(expires).toISOString(),
    };
  });
  onlyServe(app, PATH, 'GET');
}
