// The body of `POST /v2/live/sessions` (document 2, Live session create request): its checks, and the media that it
// asks for.
// - Keys that the document does not name are accepted.
// - A field that the chosen source or output does not use is ignored, but must be valid. Null is refused.
// - All problems are named in one answer, 50 at most.
// - An SRT ingest always has a passphrase: the request's, else one of the service; default key length 16 bytes,
//   default latency 120 ms.
// - A composite is encoded for HLS output only (document 2, pictureInPicture).
import * as z from 'zod/mini';
import { isWebAddress } from '../capped-fetch.ts';
import { inWords } from '../in-words.ts';
import type { SignerName } from '../painter/figure.ts';
import { defaultSigner, languageOf, languages, signerNames, signs, type Language } from '../signers.ts';
import type { LiveSpec } from './media/live-messages.ts';

const MOST_PROBLEMS = 50;
const MOST_URL = 4096;
const MOST_LATENCY_MS = 10_000;

const address = (schemes: readonly string[]) => {
  const rule = `must be an address of ${schemes.join(' or ')}`;
  const fits = (url: string): boolean =>
    URL.canParse(url) && schemes.includes(new URL(url).protocol.slice(0, -1)) && new URL(url).hostname !== '';
  return z.optional(z.string().check(z.maxLength(MOST_URL), z.refine(fits, { error: rule })));
};

/** SRT takes passphrases of 10 to 79 bytes. */
const passphrase = z
  .string()
  .check(z.regex(/^[\x20-\x7e]{10,79}$/, { error: 'must be 10 to 79 printable characters' }));

const srt = z.optional(
  z.object({
    passphrase: z.optional(passphrase),
    keyLength: z.optional(z.literal([16, 32])),
    latency: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_LATENCY_MS))),
  }),
);

const fields = z.object({
  sourceType: z.enum(['RTMP_PUSH', 'SRT_PUSH', 'HLS_PULL']),
  hlsSourceUrl: z.optional(
    z
      .string()
      .check(z.maxLength(MOST_URL), z.refine(isWebAddress, { error: 'must be an http or https address' })),
  ),
  srtConfig: srt,
  outputType: z._default(z.enum(['HLS', 'RTMP', 'SRT']), 'HLS'),
  pictureInPicture: z._default(z.boolean(), false),
  rtmpOutputUrl: address(['rtmp', 'rtmps']),
  rtmpOutputStreamKey: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
  outputDestinationUrl: address(['srt']),
  outputSrtConfig: srt,
  language: z.optional(z.enum(languages)),
  signer: z.optional(z.enum(signerNames)),
  connectionId: z.optional(z.string().check(z.maxLength(512))),
});
type Fields = z.infer<typeof fields>;

/** `name` must be given when `needs` returns true. */
const required = (name: keyof Fields, because: string, needs: (request: Fields) => boolean) =>
  z.refine<Fields>((request) => request[name] !== undefined || !needs(request), {
    error: `required ${because}`,
    path: [name],
    // This is checked also when other fields are wrong, because one answer names all problems.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

const request = fields.check(
  required('hlsSourceUrl', 'when sourceType is HLS_PULL', ({ sourceType }) => sourceType === 'HLS_PULL'),
  required('rtmpOutputUrl', 'when outputType is RTMP', ({ outputType }) => outputType === 'RTMP'),
  required('outputDestinationUrl', 'when outputType is SRT', ({ outputType }) => outputType === 'SRT'),
  z.refine<Fields>(
    ({ signer, language }) => signer === undefined || language === undefined || signs(signer, language),
    { error: 'must be the language that the signer signs', path: ['language'] },
  ),
);

/** A checked body, with language and signer filled in. */
export type LiveRequest = Omit<Fields, 'language' | 'signer'> & {
  readonly language: Language;
  readonly signer: SignerName;
};

/** The language follows from the signer, or the signer from the language. When neither is given they are BSL and RAE. */
function filled({ language: asked, signer: named, ...rest }: Fields): LiveRequest {
  const language = asked ?? (named === undefined ? 'BSL' : languageOf(named));
  return { ...rest, language, signer: named ?? defaultSigner(language) };
}

/** The request in a body, or each wrong field with its problem. */
export function parseLiveRequest(
  body: unknown,
): LiveRequest | { readonly problems: readonly { readonly field: string; readonly message: string }[] } {
  const parsed = z.safeParse(request, body, inWords);
  if (parsed.success) return filled(parsed.data);
  return {
    problems: parsed.error.issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => ({ field: path.join('.') || 'body', message })),
  };
}

const KEY_BYTES = 16;
const LATENCY_MS = 120;

type SrtConfig = LiveRequest['srtConfig'];

const srtOf = (config: SrtConfig, passphrase: string | null) =>
  ({
    kind: 'srt',
    passphrase: config?.passphrase ?? passphrase,
    keyLength: config?.keyLength ?? KEY_BYTES,
    latencyMs: config?.latency ?? LATENCY_MS,
  }) as const;

/**
 * @param secret 32 hex digits, for the stream key or passphrase of a source that pushes
 * @param normalise whether a pulled source has to be encoded anew
 */
export function liveSpecOf(id: string, request: LiveRequest, secret: string, normalise: boolean): LiveSpec {
  const { signer } = request;
  return {
    id,
    source: sourceOf(request, secret, normalise),
    output: outputOf(request),
    pictureInPicture: request.pictureInPicture && request.outputType === 'HLS',
    signer,
  };
}

function sourceOf(request: LiveRequest, secret: string, normalise: boolean): LiveSpec['source'] {
  switch (request.sourceType) {
    case 'HLS_PULL':
      return { kind: 'hls', url: request.hlsSourceUrl!, normalise };
    case 'RTMP_PUSH':
      return { kind: 'rtmp', streamKey: secret };
    case 'SRT_PUSH':
      return srtOf(request.srtConfig, secret);
  }
}

function outputOf(request: LiveRequest): LiveSpec['output'] {
  switch (request.outputType) {
    case 'HLS':
      return { kind: 'hls' };
    case 'RTMP':
      return { kind: 'rtmp', url: request.rtmpOutputUrl!, streamKey: request.rtmpOutputStreamKey ?? null };
    case 'SRT':
      return { url: request.outputDestinationUrl!, ...srtOf(request.outputSrtConfig, null) };
  }
}
