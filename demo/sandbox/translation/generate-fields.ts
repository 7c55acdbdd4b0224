// The fields of `POST /v2/generate` and `POST /v1/generate` (document 2, Translation request), each with its type and its
// values. Policy: keys that the document does not name pass, as in a service that grows; a text is 1 to 20 000 bytes and
// more than white space. What they have to be beside each other is generate-request.ts's.
import * as z from 'zod/mini';
import { isWebAddress } from '../capped-fetch.ts';
import { parseResolution, RESOLUTION_RULE, socialMediaDimensions } from './picture-size.ts';
import { languages, signerNames } from '../signers.ts';

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

export const generateFields = z.object({ content, output, context });

/** A body whose fields are right, each by itself. */
export type GenerateRequest = z.infer<typeof generateFields>;
export type DeliveryConfig = z.infer<typeof config>;
