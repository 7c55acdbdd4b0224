// Names of response fields that the documents do not show. Policy: one word for each, chosen here; a client that reads
// tolerantly must find them under any other, so the control route can choose one.
import * as z from 'zod/mini';

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

/** The chosen names on top of the default ones. */
export function withNames(base: FieldNames, chosen: z.infer<typeof namesSchema>): FieldNames {
  return {
    ...base,
    ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
  };
}
