// The idle signer: `GET /v1/silence` (document 2, Silence segment request parameters; no document shows the answer).
// - The query holds only what was asked for, so that the service's defaults apply.
// - `mp4` and `transparent` are one file; `ts` is a list of segments in playing order.
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
  /** Seconds of all media; null when the service did not say. */
  readonly durationSeconds: number | null;
  /** ISO 8601, in UTC when the service names no offset; null when it did not say. */
  readonly expiresAt: string | null;
}

/** Optional fields of the answer: null when they are missing or have another shape. */
const extrasSchema = z.looseObject({
  durationSeconds: z.catch(z.nullish(z.number().check(z.refine((seconds) => seconds > 0))), null),
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
  const urls = one ? fileIn(body) : segmentsIn(body);
  if (urls.length === 0) return null;
  const extras = z.safeParse(extrasSchema, body);
  const { durationSeconds = null, expiresAt = null } = extras.success ? extras.data : {};
  return { urls, durationSeconds: durationSeconds ?? null, expiresAt: expiresAt && withOffset(expiresAt) };
}

/** Adds `Z` to a time without an offset, which would otherwise be read in the visitor's own time zone. */
const withOffset = (time: string): string => (/[T ][\d:.]+$/.test(time) ? `${time}Z` : time);

/** The answer may hold one address twice: alone, and in the list. */
const addressesIn = (body: unknown): string[] => [...new Set(httpUrlsIn(body))];

/** A list of the one video, or of the only address; empty when there are several. */
function fileIn(body: unknown): string[] {
  const file = findUrl(body, 'video', ['url', 'downloadUrl', 'silenceUrl']);
  const all = file === null ? addressesIn(body) : [file];
  return all.length === 1 ? all : [];
}

/** The addresses with the extension of a segment; all addresses when none has one. */
function segmentsIn(body: unknown): string[] {
  const all = addressesIn(body);
  const segments = all.filter((url) => /\.(ts|m4s)$/i.test(new URL(url).pathname));
  return segments.length > 0 ? segments : all;
}
