// The settings of an account that can change while the sandbox runs: limits, and field names that no document shows.
// - The limits are those of documents 3 and 1 with their defaults, and some of the sandbox's own. The three that clients receive
//   have the service's names. The current limits apply, even when a session was told others.
// - Each field has a default name, chosen here; a tolerant client must find the field under any other name.
import * as z from 'zod/mini';
import { inWords } from './in-words.ts';

const DAY_SECONDS = 24 * 3600;
const whole = (most: number) => z.int().check(z.minimum(1), z.maximum(most));

export const limitsSchema = z.strictObject({
  /** Bytes of `text.data`. */
  max_text_length: z.optional(whole(1_000_000)),
  /** Accepted texts in any 60 seconds. */
  max_messages_per_minute: z.optional(whole(100_000)),
  /** Texts that are accepted and not yet answered. */
  max_inflight: z.optional(whole(1000)),
  /** Seconds without a message after which a session expires. */
  session_idle_seconds: z.optional(whole(DAY_SECONDS)),
  /** Seconds that a media URL and a cached result live. */
  url_lifetime_seconds: z.optional(whole(DAY_SECONDS)),
  /** Requests to the announcement API in any 5 minutes. */
  announcement_requests_per_5_minutes: z.optional(whole(1_000_000)),
  /** Lifetime of an access token of the announcement API, in seconds. */
  token_lifetime_seconds: z.optional(whole(DAY_SECONDS)),
  /** Streams that grow at one time, of stream sessions and of `hls` jobs together. */
  live_streams: z.optional(whole(64)),
  /** Live sessions that have not ended. */
  live_sessions: z.optional(whole(64)),
  /** Live sessions that encode a pulled source again. */
  live_normalizations: z.optional(z.int().check(z.minimum(0), z.maximum(64))),
  /** Seconds that the output of a live session is held back; the service itself is about 10 behind (document 2). */
  live_latency_seconds: z.optional(z.int().check(z.minimum(0), z.maximum(60))),
  /** Live sessions on one page of the list. */
  live_page_size: z.optional(whole(1000)),
  /** Bytes of finished media that are kept. */
  stored_media_bytes: z.optional(whole(4 * 1024 ** 3)),
});

export type SandboxLimits = {
  readonly [K in keyof z.infer<typeof limitsSchema>]-?: number;
};

export const defaultLimits: SandboxLimits = {
  max_text_length: 5000,
  max_messages_per_minute: 60,
  max_inflight: 3,
  session_idle_seconds: 3600,
  url_lifetime_seconds: 300,
  announcement_requests_per_5_minutes: 1500,
  token_lifetime_seconds: 3600,
  live_streams: 8,
  live_sessions: 4,
  live_normalizations: 2,
  live_latency_seconds: 0,
  live_page_size: 20,
  stored_media_bytes: 256 * 1024 ** 2,
};

/** `base` with these limits in place of its own. @throws RangeError that names the invalid field */
export function withLimits(base: SandboxLimits, changes: unknown): SandboxLimits {
  const parsed = z.safeParse(limitsSchema, changes, inWords);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new RangeError(`limits: ${problems.join('; ')}`);
  }
  const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}

const name = z.optional(z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)));

export const namesSchema = z.strictObject({
  /** Document 1, Status response: the presigned URL of a completed announcement. */
  announcement_download_url: name,
  /** Document 2, `GET /v1/status/{job_id}`: the media URL of a finished job. */
  job_download_url: name,
  /** Document 2, `GET /v1/silence`: the URL of the one file of `mp4` and of `transparent`. */
  silence_url: name,
  /** Document 2, `GET /v1/silence`: the list of the six URLs of `ts`. */
  silence_segments: name,
  /** Document 2, live session object: the pulled source's URL. */
  live_source_url: name,
  /** Document 2, live session object: the RTMP destination URL. */
  live_rtmp_url: name,
  /** Document 2, live session object: the RTMP destination's stream key. */
  live_rtmp_stream_key: name,
  /** Document 3, `session.ready` in stream mode: the manifest URL. */
  stream_manifest_url: name,
  /** Document 3, `session.ready` in stream mode: the access cookies. */
  stream_cookies: name,
});

export type FieldNames = { readonly [K in keyof z.infer<typeof namesSchema>]-?: string };

export const defaultNames: FieldNames = {
  announcement_download_url: 'downloadUrl',
  job_download_url: 'downloadUrl',
  silence_url: 'url',
  silence_segments: 'segments',
  live_source_url: 'hlsSourceUrl',
  live_rtmp_url: 'rtmpOutputUrl',
  live_rtmp_stream_key: 'rtmpOutputStreamKey',
  stream_manifest_url: 'manifest_url',
  stream_cookies: 'access_cookies',
};

/** The default names with the chosen ones in their place. */
export function withNames(base: FieldNames, chosen: z.infer<typeof namesSchema>): FieldNames {
  return {
    ...base,
    ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
  };
}
