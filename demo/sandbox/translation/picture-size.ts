// Size of the picture by the options resolution, socialMediaDimension and fitMode (document 2, delivery.config). Policy: 16
// to 3840 pixels a side; sides are even, because colour is stored for every second pixel: an odd one loses a pixel. A
// social media dimension keeps the short side of the resolution and follows it in shape.
import type { FrameSize } from '../media/media-spec.ts';

const LEAST = 16;
const MOST = 3840;
const DEFAULT: FrameSize = { width: 1280, height: 720 };
/** Source proportions of the signer's picture. */
const NATIVE = 16 / 9;

const shapes = { '16:9': NATIVE, '1:1': 1, '9:16': 9 / 16, '4:5': 4 / 5 };

export type SocialMediaDimension = keyof typeof shapes;
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

export interface SizeOptions {
  /** Checked already. */
  readonly resolution?: string | undefined;
  readonly socialMediaDimension?: SocialMediaDimension | undefined;
  readonly fitMode?: 'pad' | 'native' | undefined;
}

/** Pixels of the picture; `native` leaves out what would be bars around the 16:9 picture. */
export function pictureSizeOf({ resolution, socialMediaDimension, fitMode }: SizeOptions): FrameSize {
  const asked = (resolution === undefined ? null : parseResolution(resolution)) ?? DEFAULT;
  const size =
    socialMediaDimension === undefined
      ? asked
      : around(Math.min(asked.width, asked.height), shapes[socialMediaDimension]);
  return fitMode === 'native' ? within(size, NATIVE) : size;
}
