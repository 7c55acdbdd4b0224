// `GET /v1/silence` (document 2, Endpoints): 12 s of the signer at rest, 720p, without a text. Policy: the last frame joins
// the first, so that it loops; `ts` is 6 segments of 2 s and `mp4` one file, both on the signer's own backplate, the
// transparent one is ProRes 4444 in `.mov`; each answer signs its addresses anew and says until when they live. A 400 has
// only `error`, a message.
import type { FastifyInstance } from 'fastify';
import type { MediaSpec } from '../media/media-spec.ts';
import { FlatError, onlyServe } from './flat-error.ts';
import { readSilenceQuery, type Silence, type SilenceQuery } from './silence-query.ts';
import { issue, made, type TranslationSurroundings } from './surroundings.ts';

const PATH = '/v1/silence';
const SECONDS = 12;
const SEGMENT_SECONDS = 2;

const mediaSpecOf = ({ signer, container }: Silence): MediaSpec => ({
  text: null,
  seconds: SECONDS,
  style: {
    signer,
    width: 1280,
    height: 720,
    backdrop: container === 'mov' ? 'transparent' : null,
    signerSize: 'large',
    // As in a clip: an empty panel, so that silence joins to signing; what is composited needs none.
    wordPanel: container !== 'mov',
    subtitles: false,
    fit: 'fill',
    logo: null,
  },
  codec: container === 'mov' ? 'prores' : 'h264',
  container,
  bitsPerSecond: null,
  segmentSeconds: container === 'ts' ? SEGMENT_SECONDS : null,
});

export function silenceRoute(app: FastifyInstance, around: TranslationSurroundings): void {
  const options = { config: { operation: 'silence', codes: { 500: 'presign_failed' } } } as const;
  app.get<{ Querystring: SilenceQuery }>(PATH, options, async ({ query }) => {
    const silence = readSilenceQuery(query);
    if ('problem' in silence) throw new FlatError(400, silence.problem);
    const { files, durationSeconds } = await made(around, mediaSpecOf(silence));
    const { urls, expires } = issue(around, files);
    const { silence_segments, silence_url } = around.names();
    return {
      ...(silence.container === 'ts' ? { [silence_segments]: urls } : { [silence_url]: urls[0] }),
      durationSeconds,
      expiresAt: new Date(expires).toISOString(),
    };
  });
  onlyServe(app, PATH, 'GET');
}
