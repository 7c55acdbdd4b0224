// A text translated by REST: `POST /v2/generate` (document 2, Translation request and Translation response). Policy: a
// request has the service's own names and its options are the service's to judge; of an answer everything may be missing
// but something to go on with: media, manifests or a job to ask for.
import * as z from 'zod/mini';
import { findUrl } from './find-url.ts';
import { findManifests, type StreamManifests } from './manifests.ts';

/** `output.delivery.config`, as document 2 lists it; what it does not list passes. */
export interface DeliveryConfig {
  /** `<width>x<height>`. */
  readonly resolution?: string;
  /** `#RRGGBB` or `transparent`. */
  readonly backgroundColor?: string;
  readonly digitalSigner?: string;
  readonly language?: 'BSL' | 'ASL';
  readonly lowLatencyMode?: boolean;
  readonly [option: string]: unknown;
}

export interface GenerateRequest {
  readonly content: { readonly type: 'text'; readonly data: string; readonly [option: string]: unknown };
  readonly output: {
    readonly format: 'hls' | 'mp4' | 'mov';
    readonly delivery: {
      readonly method: 'stream' | 'download' | 'display' | 'push';
      readonly config?: DeliveryConfig;
    };
  };
  readonly context: { readonly application: string; readonly [option: string]: unknown };
}

/** What a translation has brought so far. */
export interface Generated {
  /** To be asked for with `status`; null when there is none. */
  readonly jobId: string | null;
  /** The service's own word; null when it said none. */
  readonly status: string | null;
  /** Presigned MP4, MOV or segment; null for a stream, and while there is only a job. */
  readonly mediaUrl: string | null;
  /** Of a stream; null for a download. */
  readonly manifests: StreamManifests | null;
}

/** `mediaUrl` is the proxy's name for the `Location` of a 303, which no browser lets a page read. */
const mediaNames = ['mediaUrl', 'downloadUrl', 'download_url'];

export const jobFields = {
  jobId: z.nullish(z.string().check(z.minLength(1), z.maxLength(256))),
  status: z.nullish(z.string().check(z.maxLength(256))),
};

const answerSchema = z.looseObject(jobFields);

/** Null when the answer has nothing to go on with. */
export function parseGenerated(body: unknown): Generated | null {
  const parsed = z.safeParse(answerSchema, body);
  if (!parsed.success) return null;
  const { jobId = null, status = null } = parsed.data;
  const manifests = findManifests(body);
  const mediaUrl = findUrl(body, 'video', mediaNames);
  const something = jobId ?? status ?? mediaUrl ?? manifests;
  return something === null ? null : { jobId, status, mediaUrl, manifests };
}
