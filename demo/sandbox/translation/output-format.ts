// The size, container and codec that a request's output names (document 2, output and delivery.config).
// - Only a MOV can be transparent, as ProRes 4444, whatever codec is named; other formats get a white background instead.
// - Sides have 16 to 3840 pixels. They are even, because colour is stored for every second pixel; an odd resolution loses a pixel.
// - A social media dimension gives the picture its shape around the short side of the resolution.
import type { Codec, Container, FrameSize } from '../media/media-spec.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';

const LEAST = 16;
const MOST = 3840;
const DEFAULT: FrameSize = { width: 1280, height: 720 };
/** Source proportions of the signer's picture. */
const NATIVE = 16 / 9;

const shapes = { '16:9': NATIVE, '1:1': 1, '9:16': 9 / 16, '4:5': 4 / 5 };

type SocialMediaDimension = keyof typeof shapes;
export const socialMediaDimensions = Object.keys(shapes) as SocialMediaDimension[];

/** The allowed resolutions, for messages. */
export const RESOLUTION_RULE = `<width>x<height>, each ${LEAST} to ${MOST}`;

/** The size that `<width>x<height>` names; null when it is no size or out of bounds. */
export function parseResolution(resolution: string): FrameSize | null {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(resolution) ?? [];
  const sides = [Number(width), Number(height)] as const;
  if (!sides.every((side) => side >= LEAST && side <= MOST)) return null;
  return { width: sides[0] & ~1, height: sides[1] & ~1 };
}

const even = (side: number): number => Math.max(LEAST, 2 * Math.round(side / 2));

/** The largest picture of the source's shape within the size. */
function nativeWithin({ width, height }: FrameSize): FrameSize {
  return width / height > NATIVE
    ? { width: even(height * NATIVE), height }
    : { width, height: even(width / NATIVE) };
}

/** The smallest picture of this shape around a square, within the bounds. */
function around(side: number, shape: number): FrameSize {
  const short = Math.min(side, MOST * Math.min(shape, 1 / shape));
  return shape > 1
    ? { width: even(short * shape), height: even(short) }
    : { width: even(short), height: even(short / shape) };
}

interface SizeOptions {
  /** Checked by `parseResolution` before. */
  readonly resolution?: string | undefined;
  readonly socialMediaDimension?: SocialMediaDimension | undefined;
  readonly fitMode?: 'pad' | 'native' | undefined;
}

/** Pixels of the picture; `native` leaves out the bars around the 16:9 picture. */
export function pictureSizeOf({ resolution, socialMediaDimension, fitMode }: SizeOptions): FrameSize {
  const named = (resolution === undefined ? null : parseResolution(resolution)) ?? DEFAULT;
  const size =
    socialMediaDimension === undefined
      ? named
      : around(Math.min(named.width, named.height), shapes[socialMediaDimension]);
  return fitMode === 'native' ? nativeWithin(size) : size;
}

/** The fields of a request's output that are used here. They are already checked. */
interface Output {
  readonly format: string;
  readonly delivery: {
    readonly config?:
      | {
          readonly hlsSegmentType?: 'ts' | 'fmp4' | undefined;
          readonly exportType?: string | undefined;
          readonly backgroundColor?: string | undefined;
          readonly codec?: StreamSpec['codec'] | undefined;
        }
      | undefined;
  };
}

/** The container of a file, and of each segment of a stream; MP4 with the legacy exportType `MOV` is MOV. */
export function containerOf({ format, delivery: { config = {} } }: Output): Container {
  if (format === 'hls') return config.hlsSegmentType === 'ts' ? 'ts' : 'segment';
  return format === 'mov' || config.exportType === 'MOV' ? 'mov' : 'mp4';
}

/** Whether the picture has an alpha plane. */
export const isTransparent = (output: Output): boolean =>
  output.delivery.config?.backgroundColor?.toLowerCase() === 'transparent' && containerOf(output) === 'mov';

export const streamCodecOf = ({ delivery }: Output): StreamSpec['codec'] => delivery.config?.codec ?? 'h264';

export const codecOf = (output: Output): Codec => (isTransparent(output) ? 'prores' : streamCodecOf(output));
