// The body of `POST /v2/generate` and `POST /v1/generate` (document 2, Translation request): its fields and the rules between
// them.
// - One answer names all mistakes, at most 50. Null is not accepted as a value.
// - Keys that the document does not name are accepted, because a later version of the service may have them.
// - A text has 1 to 20,000 bytes, and not all of it is white space.
import * as z from 'zod/mini';
import { isWebAddress } from '../capped-fetch.ts';
import { inWords } from '../in-words.ts';
import { canHold } from '../media/media-spec.ts';
import { languages, signerNames, signs } from '../signers.ts';
import {
  codecOf,
  containerOf,
  isTransparent,
  parseResolution,
  RESOLUTION_RULE,
  socialMediaDimensions,
} from './output-format.ts';

const MOST_TEXT_BYTES = 20_000;

const option = <const T extends readonly string[]>(values: T) => z.optional(z.enum(values));
const fitting = (fits: (value: string) => boolean, rule: string) =>
  z.string().check(z.refine(fits, { error: `must be ${rule}` }));

const content = z.object({
  type: z.literal('text'),
  data: z.string().check(
    z.refine((text) => text.trim() !== '', { error: 'must not be empty' }),
    z.refine((text) => Buffer.byteLength(text) <= MOST_TEXT_BYTES, {
      error: `must be at most ${MOST_TEXT_BYTES} bytes`,
    }),
  ),
  duration: z.optional(z.number().check(z.positive())),
});

const config = z.object({
  quality: option(['low', 'standard', 'high', 'SD', 'HD', 'HDR', '4K']),
  resolution: z.optional(fitting((text) => parseResolution(text) !== null, RESOLUTION_RULE)),
  codec: option(['h264', 'h265', 'vp9', 'av1']),
  backgroundColor: z.optional(
    fitting((text) => /^(transparent|#[0-9a-f]{6})$/i.test(text), '"transparent" or #RRGGBB'),
  ),
  digitalSigner: option(signerNames),
  language: option(languages),
  signerSize: option(['small', 'medium', 'large']),
  signerOnly: z.optional(z.boolean()),
  fitMode: option(['pad', 'native']),
  exportType: option(['MP4', 'MOV']),
  socialMediaDimension: option(socialMediaDimensions),
  lowLatencyMode: z.optional(z.boolean()),
  hlsSegmentDuration: z.optional(z.number().check(z.minimum(1), z.maximum(10))),
  hlsSegmentType: option(['fmp4', 'ts']),
  embeddedSubtitles: z.optional(z.object({ enabled: z.optional(z.boolean()) })),
  logo: z.optional(
    z.object({
      url: fitting(isWebAddress, 'an http or https address'),
      position: z.enum(['top-left', 'top-right', 'bottom-left', 'bottom-right']),
      size: option(['small', 'medium', 'large']),
    }),
  ),
  screenId: z.optional(z.number()),
});

const output = z.object({
  format: z.enum(['hls', 'mp4', 'mov']),
  delivery: z.object({
    method: z.enum(['stream', 'download', 'display', 'push']),
    config: z.optional(config),
  }),
});

const context = z.object({
  application: z.string(),
  location: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  screenId: z.optional(z.int()),
  gate: z.optional(z.int()),
});

const generateFields = z.object({ content, output, context });

/** A body in which each field by itself is valid. */
export type GenerateRequest = z.infer<typeof generateFields>;
export type DeliveryConfig = z.infer<typeof config>;

const MOST_PROBLEMS = 50;

const CONFIG = 'output.delivery.config';

/** True when the two paths are equal or one contains the other. */
const meet = (wrong: readonly PropertyKey[], field: string): boolean => {
  const path = field.split('.');
  return wrong.every((key, i) => path[i] === undefined || path[i] === key);
};

/** A rule between the fields `of`, checked when each of them is valid by itself. */
const rule = (
  of: readonly string[],
  path: string,
  error: string,
  fits: (request: GenerateRequest) => boolean,
) =>
  z.refine<GenerateRequest>(fits, {
    error,
    path: path.split('.'),
    when: ({ issues }) => !issues.some((issue) => of.some((field) => meet(issue.path ?? [], field))),
  });

const request = generateFields.check(
  rule(
    ['output.delivery.method', `${CONFIG}.screenId`],
    `${CONFIG}.screenId`,
    'required when output.delivery.method is display',
    ({ output: { delivery } }) => delivery.method !== 'display' || delivery.config?.screenId !== undefined,
  ),
  rule(
    [`${CONFIG}.digitalSigner`, `${CONFIG}.language`],
    `${CONFIG}.language`,
    'must be the language that digitalSigner signs',
    ({ output }) => {
      const { digitalSigner, language } = output.delivery.config ?? {};
      return digitalSigner === undefined || language === undefined || signs(digitalSigner, language);
    },
  ),
  rule(
    [
      'output.format',
      ...['codec', 'exportType', 'hlsSegmentType', 'backgroundColor'].map((name) => `${CONFIG}.${name}`),
    ],
    `${CONFIG}.codec`,
    'cannot be held by the format asked for',
    ({ output }) => canHold(containerOf(output), codecOf(output), isTransparent(output)),
  ),
);

/** The parsed request, or a message that names every invalid field. */
export function parseGenerateRequest(body: unknown): GenerateRequest | { readonly problem: string } {
  const parsed = z.safeParse(request, body, inWords);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  return {
    problem: issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; '),
  };
}
