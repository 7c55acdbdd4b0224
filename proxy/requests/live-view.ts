// What a page may see of a live session (document 2, Live session object; SEMANTICS, GET v2/live/sessions/{id}). Policy: a
// list of what it may, for the documents do not show the names of what it may not (source URL, destination, stream key).
// Words of the service (`error`, `message`) pass without the addresses in them, and without any value that is kept back.
import * as z from 'zod/mini';
import { httpUrl } from '../../src/protocol/http-url.ts';

const text = z.catch(z.optional(z.string()), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);
const address = z.catch(
  z.optional(z.string().check(z.refine((value) => httpUrl(value) !== null))),
  undefined,
);

const sessionSchema = z.object({
  sessionId: text,
  status: text,
  sourceType: text,
  outputType: text,
  pictureInPicture: flag,
  language: text,
  signer: text,
  outputManifestUrl: address,
  manifests: z.catch(z.optional(z.object({ hls: address, dash: address, pip: address })), undefined),
  startedAt: text,
  stoppedAt: text,
  error: text,
});

const errorSchema = z.object({
  error: z.object({ code: text, type: text, message: text, requestId: text }),
});

/** The page's view of an answer's JSON body; null when it is neither a live session nor an error of the service. */
export function liveView(status: number, body: unknown): unknown {
  if (status >= 400) {
    const { data } = z.safeParse(errorSchema, body);
    return data ? { error: { ...data.error, message: inPlainWords(data.error.message, body) } } : null;
  }
  const { data } = z.safeParse(sessionSchema, body);
  return data?.sessionId === undefined ? null : { ...data, error: inPlainWords(data.error, body) };
}

/** `words` without addresses, and without what `body` holds under a name that a page does not see. */
function inPlainWords(words: string | undefined, body: unknown): string | undefined {
  if (words === undefined) return undefined;
  const hidden = keptBack(body).filter((value) => value.length >= MIN_HIDDEN);
  return hidden
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, value) => left.replaceAll(value, '[hidden]'), words)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '[hidden]');
}

/** A shorter value is found by chance in what is not it. */
const MIN_HIDDEN = 4;
const seen = new Set([
  ...Object.keys(sessionSchema.shape),
  'hls',
  'dash',
  'pip',
  'code',
  'type',
  'message',
  'requestId',
]);

function keptBack(value: unknown, isSeen = false): readonly string[] {
  if (typeof value === 'string') return isSeen ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    Array.isArray(value) ? keptBack(item, isSeen) : keptBack(item, seen.has(name)),
  );
}
