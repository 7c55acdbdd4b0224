// The idle signer: `GET /v1/silence` (document 2, Silence segment request parameters; the answers are not shown). Policy: a
// query holds what was asked for and no more, so that the service's defaults stay its own; `mp4` and `transparent` are
// one file, `ts` is the row of all its segments in the order they stand in.
import * as z from 'zod/mini';
import { findUrl, httpUrlsIn } from './find-url.ts';

export interface SilenceRequest {
  readonly language?: 'BSL' | 'ASL' | undefined;
  readonly signer?: string | undefined;
  /** Default `ts`: segments; `mp4`: one file. */
  readonly format?: 'ts' | 'mp4' | undefined;
  /** One ProRes 4444 file with alpha; not with `format: 'ts'`. Default false. */
  readonly transparent?: boolean | undefined;
}

export interface Silence {
  /** In playing order; one for `mp4` and `transparent`. Presigned. */
  readonly urls: readonly string[];
  /** Seconds of all of it; null when the service did not say. */
  readonly durationSeconds: number | null;
  /** ISO 8601, null when the service did not say. */
  readonly expiresAt: string | null;
}

/** Of the answer; one that leaves these out, or says them in another shape, is as good. */
const extrasSchema = z.looseObject({
  durationSeconds: z.catch(z.nullish(z.number().check(z.positive())), null),
  expiresAt: z.catch(z.nullish(z.string()), null),
});

/** The query string, without `?`. */
export function silenceQuery({ language, signer, format, transparent }: SilenceRequest): string {
  const query = new URLSearchParams();
  if (language) query.set('language', language.toLowerCase());
  if (signer) query.set('signer', signer.trim().toLowerCase());
  if (format) query.set('format', format);
  if (transparent) query.set('transparent', 'true');
  return query.toString();
}

/** @returns null when no media can be found in the answer. */
export function parseSilence({ format, transparent }: SilenceRequest, body: unknown): Silence | null {
  const one = transparent === true || format === 'mp4';
  const file = one ? findUrl(body, 'video', ['url', 'downloadUrl', 'silenceUrl']) : null;
  const urls = one ? (file === null ? [] : [file]) : segmentsIn(body);
  if (urls.length === 0) return null;
  const extras = z.safeParse(extrasSchema, body);
  const { durationSeconds = null, expiresAt = null } = extras.success ? extras.data : {};
  return { urls, durationSeconds: durationSeconds ?? null, expiresAt: expiresAt ?? null };
}

/** Those that are segments by their extension; when none has one, all there are. */
function segmentsIn(body: unknown): string[] {
  // One may stand there twice: alone, under another name, and in the row.
  const all = [...new Set(httpUrlsIn(body))];
  const segments = all.filter((url) => /\.(ts|m4s)$/i.test(new URL(url).pathname));
  return segments.length > 0 ? segments : all;
}
