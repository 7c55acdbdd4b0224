// What is rendered for a request: a growing stream or a finished file, in which size and look (document 2, output and
// delivery.config).
// - `hls` grows unless it is downloaded, everything else is one file. No quality means the encoder's constant quality.
// - Only a MOV has room for transparency, as ProRes 4444, whatever codec is named; other formats are painted white instead.
// - A duration is met up to 240 s, the longest that is signed.
// - Sides are 16 to 3840 pixels and even, because colour is stored for every second pixel: an odd one loses a pixel.
// - A social media dimension keeps the short side of the resolution and follows it in shape.
import type { FrameSize, Codec, Container, MediaSpec } from '../media/media-spec.ts';
import type { Logo, RenderStyle } from '../painter/render-style.ts';
import { defaultSigner } from '../signers.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';
import type { DeliveryConfig, GenerateRequest } from './generate-request.ts';

const LEAST = 16;
const MOST = 3840;
const DEFAULT: FrameSize = { width: 1280, height: 720 };
/** Source proportions of the signer's picture. */
const NATIVE = 16 / 9;

const shapes = { '16:9': NATIVE, '1:1': 1, '9:16': 9 / 16, '4:5': 4 / 5 };

type SocialMediaDimension = keyof typeof shapes;
export const socialMediaDimensions = Object.keys(shapes) as SocialMediaDimension[];

/** What a resolution may be, in words. */
export const RESOLUTION_RULE = `<width>x<height>, each ${LEAST} to ${MOST}`;

/** The size that `<width>x<height>` says, null when it says none or one out of bounds. */
export function parseResolution(resolution: string): FrameSize | null {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(resolution) ?? [];
  const sides = [Number(width), Number(height)] as const;
  if (!sides.every((side) => side >= LEAST && side <= MOST)) return null;
  return { width: sides[0] & ~1, height: sides[1] & ~1 };
}

const even = (side: number): number => Math.max(LEAST, 2 * Math.round(side / 2));

/** The largest picture of this shape within the size. */
function within({ width, height }: FrameSize, shape: number): FrameSize {
  return width / height > shape
    ? { width: even(height * shape), height }
    : { width, height: even(width / shape) };
}

/** The smallest picture of this shape around a square; no side leaves the bounds. */
function around(side: number, shape: number): FrameSize {
  const short = Math.min(side, MOST * Math.min(shape, 1 / shape));
  return shape > 1
    ? { width: even(short * shape), height: even(short) }
    : { width: even(short), height: even(short / shape) };
}

interface SizeOptions {
  /** Checked already. */
  readonly resolution?: string | undefined;
  readonly socialMediaDimension?: SocialMediaDimension | undefined;
  readonly fitMode?: 'pad' | 'native' | undefined;
}

/** Pixels of the picture; `native` leaves out what would be bars around the 16:9 picture. */
function pictureSizeOf({ resolution, socialMediaDimension, fitMode }: SizeOptions): FrameSize {
  const asked = (resolution === undefined ? null : parseResolution(resolution)) ?? DEFAULT;
  const size =
    socialMediaDimension === undefined
      ? asked
      : around(Math.min(asked.width, asked.height), shapes[socialMediaDimension]);
  return fitMode === 'native' ? within(size, NATIVE) : size;
}

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
type StreamCodec = StreamSpec['codec'];

/** `stream` is made while it plays, `file` before it is had. */
export type MediaChoice =
  | { readonly kind: 'stream'; readonly spec: StreamSpec }
  | { readonly kind: 'file'; readonly spec: MediaSpec };

/** The container of a file, and of each segment of a stream; MP4 with the legacy exportType `MOV` is MOV. */
export function containerOf({ format, delivery: { config = {} } }: Output): Container {
  if (format === 'hls') return config.hlsSegmentType === 'ts' ? 'ts' : 'segment';
  return format === 'mov' || config.exportType === 'MOV' ? 'mov' : 'mp4';
}

/** Whether the picture has an alpha plane. */
export const isTransparent = (output: Output): boolean =>
  output.delivery.config?.backgroundColor?.toLowerCase() === 'transparent' && containerOf(output) === 'mov';

const streamCodecOf = ({ delivery }: Output): StreamCodec => delivery.config?.codec ?? 'h264';

export const codecOf = (output: Output): Codec => (isTransparent(output) ? 'prores' : streamCodecOf(output));

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

/** Seconds that the signing is fitted to; null for its own pace. */
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
      // ProRes has no rate to choose: its profile decides.
      bitsPerSecond: codec === 'prores' ? null : bits,
      // A download is a single segment, however long.
      segmentSeconds: null,
    },
  };
}
