// A live session as a page may see it: `GET /v2/live/sessions/{id}` (document 2, Live session object).
// - Only what a viewer needs is read, so that an ingest address or a stream key in the answer is not passed on.
// - Addresses are http(s) or null.
// - A session that failed has the status `ended` and an `error`.
import * as z from 'zod/mini';
import { httpUrl } from './http-url.ts';

export interface LiveSession {
  readonly sessionId: string;
  /** `active`, `finalizing` or `ended`. */
  readonly status: string;
  /** `HLS`, `RTMP` or `SRT`; only `HLS` has manifests. Null when the service did not say. */
  readonly outputType: string | null;
  readonly language: string | null;
  readonly signer: string | null;
  readonly pictureInPicture: boolean;
  /** All null for a session whose output is not HLS. `pip` is the composite. */
  readonly manifests: {
    readonly hls: string | null;
    readonly dash: string | null;
    readonly pip: string | null;
  };
  /** ISO 8601; null before processing has begun. */
  readonly startedAt: string | null;
  /** ISO 8601; null while it runs. */
  readonly stoppedAt: string | null;
  /** Why it ended by failure. */
  readonly error: string | null;
}

const text = z.nullish(z.string());
const sessionSchema = z.object({
  sessionId: z.string(),
  status: z.string(),
  outputType: text,
  language: text,
  signer: text,
  // No boolean, as in server-frames.ts.
  pictureInPicture: z.nullish(z.custom<boolean>((value) => typeof value === 'boolean')),
  manifests: z.nullish(z.looseObject({})),
  outputManifestUrl: z.optional(z.unknown()),
  startedAt: text,
  stoppedAt: text,
  error: text,
});

/** @returns null when it is no live session. */
export function parseLiveSession(body: unknown): LiveSession | null {
  const parsed = z.safeParse(sessionSchema, body);
  if (!parsed.success) return null;
  const { sessionId, status, pictureInPicture, outputManifestUrl, manifests, ...texts } = parsed.data;
  const { hls, dash, pip } = manifests ?? {};
  return {
    sessionId,
    status,
    pictureInPicture: pictureInPicture ?? false,
    manifests: { hls: httpUrl(hls) ?? httpUrl(outputManifestUrl), dash: httpUrl(dash), pip: httpUrl(pip) },
    // The service may send a missing value as an empty string.
    outputType: texts.outputType || null,
    language: texts.language || null,
    signer: texts.signer || null,
    startedAt: texts.startedAt || null,
    stoppedAt: texts.stoppedAt || null,
    error: texts.error || null,
  };
}
