// The live session object of each operation, and the cursor of the session list (document 2, Live session object).
// - Fields that the document marks "(get)" are in the answer of get only. Those marked "(get and list)" are not in the answer of
//   create.
// - The stream key of an RTMP output is in the answer of get only.
// - A time is left out until it is known.
// - The answer of stop is not documented. Here it has the form of a list entry.
// - A cursor is opaque and names the last session of its page, so that sessions that begin or end between two
//   requests cause no gap and no repetition; any other cursor is refused.
import type { FieldNames } from '../settings.ts';
import type { LiveSession } from './live-session.ts';

type Operation = 'create' | 'get' | 'list' | 'stop';
type View = Readonly<Record<string, unknown>>;

const when = (is: boolean, fields: View): View => (is ? fields : {});
const iso = (time: number | null, name: string): View =>
  time === null ? {} : { [name]: new Date(time).toISOString() };

function ingest({ spec: { source }, endpoints }: LiveSession, names: FieldNames): View {
  const ingestUrl = endpoints?.ingestUrl ?? null;
  switch (source.kind) {
    case 'hls':
      return { [names.live_source_url]: source.url };
    case 'rtmp':
      // The sandbox has no load balancer before its ingest.
      return { ...when(ingestUrl !== null, { rtmpEndpoints: [ingestUrl] }), relayActive: false };
    case 'srt':
      return { ...when(ingestUrl !== null, { ingestUrl }), srtPassphrase: source.passphrase };
  }
}

function output({ spec: { output: out }, endpoints }: LiveSession, of: Operation, names: FieldNames): View {
  if (out.kind === 'srt') return {};
  if (out.kind === 'rtmp') {
    return {
      [names.live_rtmp_url]: out.url,
      ...when(of === 'get' && out.streamKey !== null, { [names.live_rtmp_stream_key]: out.streamKey }),
    };
  }
  const { hlsUrl: hls = null, dashUrl: dash = null, pipUrl: pip = null } = endpoints ?? {};
  return {
    ...when(hls !== null, { outputManifestUrl: hls }),
    manifests: {
      ...when(hls !== null, { hls }),
      ...when(dash !== null, { dash }),
      ...when(pip !== null, { pip }),
    },
  };
}

/** The session object in the answer of this operation. */
export function viewOf(session: LiveSession, of: Operation, names: FieldNames): View {
  const { id, status, request, startedAt, endedAt, error } = session;
  const { sourceType, outputType, pictureInPicture, language, signer } = request;
  return {
    sessionId: id,
    status,
    ...when(of !== 'create', { sourceType }),
    outputType,
    pictureInPicture,
    ...when(of === 'get', { language, signer }),
    ...ingest(session, names),
    ...output(session, of, names),
    ...iso(startedAt, 'startedAt'),
    ...iso(endedAt, 'stoppedAt'),
    ...when(error !== null && status === 'ended', { error }),
  };
}

const cursorPattern = /^before:(\d{1,15})$/;

/** The cursor for the sessions after this number. */
export const cursorAfter = (number: number): string => Buffer.from(`before:${number}`).toString('base64url');

/** The session number in a cursor; null for an invalid cursor. */
export function numberOf(cursor: string): number | null {
  const [, digits] = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits !== undefined && cursorAfter(Number(digits)) === cursor ? Number(digits) : null;
}
