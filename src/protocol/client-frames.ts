// Schemas of the frames that a client sends (document 3, Resources).
// - Strict: the service answers `unknown_field` to any field that it does not know.
// - A receiver can tell a wrong field from an unknown field.
import * as z from 'zod/mini';
import { PROTOCOL_VERSION } from './websocket.ts';

/** `session.start.config`; the signer is matched case-insensitively by the service. */
const sessionConfigSchema = z.strictObject({
  digital_signer: z.string().check(z.minLength(1)),
  language: z.optional(z.enum(['BSL', 'ASL'])),
  output_format: z.optional(z.enum(['mp4', 'hls'])),
  resolution: z.optional(z.enum(['480p', '720p', '1080p'])),
  debug: z.optional(z.boolean()),
  /** Stream mode only; its fields are not shown in document 3. */
  hls: z.optional(z.record(z.string(), z.unknown())),
});

const sessionStartSchema = z.strictObject({
  type: z.literal('session.start'),
  version: z.literal(PROTOCOL_VERSION),
  mode: z.enum(['translate', 'stream']),
  config: sessionConfigSchema,
});

const textSchema = z.strictObject({
  type: z.literal('text'),
  id: z.string().check(z.minLength(1)),
  data: z.string(),
});

const resultFetchSchema = z.strictObject({
  type: z.literal('result.fetch'),
  id: z.string().check(z.minLength(1)),
});

const sessionEndSchema = z.strictObject({ type: z.literal('session.end') });

export type SessionConfig = z.infer<typeof sessionConfigSchema>;
export type SessionMode = z.infer<typeof sessionStartSchema>['mode'];
export type SessionStartFrame = z.infer<typeof sessionStartSchema>;
type TextFrame = z.infer<typeof textSchema>;
type ResultFetchFrame = z.infer<typeof resultFetchSchema>;
type SessionEndFrame = z.infer<typeof sessionEndSchema>;
export type ClientFrame = SessionStartFrame | TextFrame | ResultFetchFrame | SessionEndFrame;

/** The schema of each client frame by its type, for receivers. */
export const clientFrameSchemas = {
  'session.start': sessionStartSchema,
  text: textSchema,
  'result.fetch': resultFetchSchema,
  'session.end': sessionEndSchema,
} as const;
