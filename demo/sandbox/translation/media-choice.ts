// Chooses what is rendered for a request: a growing stream or a finished file, its size and its style (document 2, output and
// delivery.config).
// - `hls` is a growing stream unless it is downloaded. Everything else is one file. Without `quality` the encoder's constant
//   quality is used.
// - A duration of more than 240 s is cut to 240 s.
import type { MediaSpec } from '../media/media-spec.ts';
import type { Logo, RenderStyle } from '../painter/render-style.ts';
import { defaultSigner } from '../signers.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';
import type { DeliveryConfig, GenerateRequest } from './generate-request.ts';
import { codecOf, containerOf, isTransparent, pictureSizeOf, streamCodecOf } from './output-format.ts';

const WHITE = '#ffffff';
const SEGMENT_SECONDS = 2;
const MOST_SECONDS = 240;

const MBPS = 1_000_000;
const bitsPerSecond: Readonly<Record<NonNullable<DeliveryConfig['quality']>, number>> = {
  low: 1.5 * MBPS,
  SD: 1.5 * MBPS,
  standard: 5 * MBPS,
  HD: 5 * MBPS,
  HDR: 8 * MBPS,
  high: 15 * MBPS,
  '4K': 15 * MBPS,
};

type Output = GenerateRequest['output'];

/** A `stream` is rendered while it plays, a `file` before it is delivered. */
export type MediaChoice =
  | { readonly kind: 'stream'; readonly spec: StreamSpec }
  | { readonly kind: 'file'; readonly spec: MediaSpec };

function backdropOf(output: Output): string {
  const colour = output.delivery.config?.backgroundColor?.toLowerCase() ?? WHITE;
  return colour === 'transparent' && !isTransparent(output) ? WHITE : colour;
}

function styleOf(output: Output, logo: Logo | null): RenderStyle {
  const { config = {} } = output.delivery;
  return {
    signer: config.digitalSigner ?? defaultSigner(config.language ?? 'BSL'),
    ...pictureSizeOf(config),
    backdrop: backdropOf(output),
    signerSize: config.signerSize ?? 'large',
    wordPanel: !config.signerOnly,
    subtitles: config.embeddedSubtitles?.enabled ?? false,
    fit: config.fitMode === 'pad' ? 'pad' : 'fill',
    logo,
  };
}

/** Seconds that the signing must take; null for its own pace. */
export const secondsOf = ({ content: { duration } }: GenerateRequest): number | null =>
  duration === undefined ? null : Math.min(duration, MOST_SECONDS);

/** @param logo as it was fetched; null when the request names none */
export function mediaChoiceOf(request: GenerateRequest, logo: Logo | null): MediaChoice {
  const { content, output } = request;
  const { method, config = {} } = output.delivery;
  const style = styleOf(output, logo);
  const bits = config.quality === undefined ? null : bitsPerSecond[config.quality];
  if (output.format === 'hls' && method !== 'download') {
    return {
      kind: 'stream',
      spec: {
        style,
        codec: streamCodecOf(output),
        bitsPerSecond: bits,
        segmentSeconds: config.hlsSegmentDuration ?? SEGMENT_SECONDS,
        segmentType: config.hlsSegmentType ?? 'fmp4',
        lowLatency: config.lowLatencyMode ?? false,
        kind: 'job',
      },
    };
  }
  const codec = codecOf(output);
  return {
    kind: 'file',
    spec: {
      text: content.data,
      seconds: secondsOf(request),
      style,
      codec,
      container: containerOf(output),
      // The rate of ProRes cannot be chosen, because its profile decides it.
      bitsPerSecond: codec === 'prores' ? null : bits,
      // A download is a single segment of any length.
      segmentSeconds: null,
    },
  };
}
