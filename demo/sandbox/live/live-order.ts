// What a live session asks of the media, made of its request. Policy: an SRT ingest always has a passphrase, the service's
// own when the request names none, as the session object has one for every SRT_PUSH; SRT without a key length takes 16
// bytes, without a latency 120 ms. A composite is made for HLS output only (document 2, pictureInPicture).
import type { LiveRequest } from './live-request.ts';
import type { LiveOrder } from './media/media-order.ts';

const KEY_BYTES = 16;
const LATENCY_MS = 120;

type SrtConfig = LiveRequest['srtConfig'];

const srtOf = (config: SrtConfig, passphrase: string | null) =>
  ({
    kind: 'srt',
    passphrase: config?.passphrase ?? passphrase,
    keyLength: config?.keyLength ?? KEY_BYTES,
    latencyMs: config?.latency ?? LATENCY_MS,
  }) as const;

/**
 * @param secret 32 hex digits, for the stream key or passphrase of a source that pushes
 * @param normalise whether a pulled source has to be encoded anew
 */
export function orderOf(id: string, request: LiveRequest, secret: string, normalise: boolean): LiveOrder {
  const { language, signer } = request;
  return {
    id,
    source: sourceOf(request, secret, normalise),
    output: outputOf(request),
    pictureInPicture: request.pictureInPicture && request.outputType === 'HLS',
    signer,
    language,
  };
}

function sourceOf(request: LiveRequest, secret: string, normalise: boolean): LiveOrder['source'] {
  switch (request.sourceType) {
    case 'HLS_PULL':
      return { kind: 'hls', url: request.hlsSourceUrl!, normalise };
    case 'RTMP_PUSH':
      return { kind: 'rtmp', streamKey: secret };
    case 'SRT_PUSH':
      return srtOf(request.srtConfig, secret);
  }
}

function outputOf(request: LiveRequest): LiveOrder['output'] {
  switch (request.outputType) {
    case 'HLS':
      return { kind: 'hls' };
    case 'RTMP':
      return { kind: 'rtmp', url: request.rtmpOutputUrl!, streamKey: request.rtmpOutputStreamKey ?? null };
    case 'SRT':
      return { url: request.outputDestinationUrl!, ...srtOf(request.outputSrtConfig, null) };
  }
}
