// The live session object (document 2, Live session object), by operation: which fields a client is given where. Policy:
// what the table marks "(get)" is in no other answer, "(get and list)" not in create's; the stream key of an RTMP output is
// in get's alone; times come when there is something to tell. What stopping answers is not shown: as an entry of the list.
import type { FieldNames } from '../settings.ts';
import type { LiveSession } from './live-session.ts';

export type Operation = 'create' | 'get' | 'list' | 'stop';
type View = Readonly<Record<string, unknown>>;

const when = (is: boolean, fields: View): View => (is ? fields : {});
const iso = (time: number | null, name: string): View =>
  time === null ? {} : { [name]: new Date(time).toISOString() };

function ingest({ order: { source }, endpoints }: LiveSession, names: FieldNames): View {
  const ingestUrl = endpoints?.ingestUrl ?? null;
  switch (source.kind) {
    case 'hls':
      return { [names.live_source_url]: source.url };
    case 'rtmp':
      // Nothing stands in front of the ingest here.
      return { ...when(ingestUrl !== null, { rtmpEndpoints: [ingestUrl] }), relayActive: false };
    case 'srt':
      return { ...when(ingestUrl !== null, { ingestUrl }), srtPassphrase: source.passphrase };
  }
}

function output({ order: { output: out }, endpoints }: LiveSession, of: Operation, names: FieldNames): View {
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

/** A session as this operation answers it. */
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
