// Paints a decoded picture into a frame: as large as fits, centred, with black bars around it.
// - A picture of the right size and format is only copied.
// - Any other picture is scaled by FFmpeg's scaler, which is kept as long as the pictures have the same shape.
// - Sizes and positions are even, because I420 has one sample of chroma for two by two samples of luma.
import { AV_PIX_FMT_YUV420P, SWS_FAST_BILINEAR, type AVPixelFormat } from 'node-av/constants';
import { FFmpegError, SoftwareScaleContext, type Frame } from 'node-av/lib';
import type { FrameSize } from '../../media/media-spec.ts';
import { openFrame } from '../../media/video-encoder.ts';
import { halfOf, paintBars, type Picture, type Rect } from '../../painter/picture.ts';

/** The even number nearest to this one; 2 at least. */
export const even = (value: number): number => Math.max(2, 2 * Math.round(value / 2));

/** The largest rect of this shape in the middle of a picture, on the chroma grid. */
export function fittedRect(shape: FrameSize, into: FrameSize): Rect {
  const scale = Math.min(into.width / shape.width, into.height / shape.height);
  const width = Math.min(into.width, even(shape.width * scale));
  const height = Math.min(into.height, even(shape.height * scale));
  const left = 2 * Math.floor((into.width - width) / 4);
  const top = 2 * Math.floor((into.height - height) / 4);
  return { left, top, right: left + width, bottom: top + height };
}

interface Scaler {
  readonly shape: string;
  readonly context: SoftwareScaleContext;
  readonly scaled: Frame;
}

const shapeOf = ({ width, height, format }: Frame): string => `${width}x${height} ${format}`;

function openScaler(from: Frame, { left, top, right, bottom }: Rect): Scaler {
  const size = { width: right - left, height: bottom - top };
  const scaled = openFrame(AV_PIX_FMT_YUV420P, size);
  const context = new SoftwareScaleContext();
  context.getContext(
    from.width,
    from.height,
    from.format as AVPixelFormat,
    size.width,
    size.height,
    AV_PIX_FMT_YUV420P,
    SWS_FAST_BILINEAR,
  );
  return { shape: shapeOf(from), context, scaled };
}

interface Plane {
  readonly plane: Uint8Array;
  readonly stride: number;
}

/** Copies the rows of one plane to their place in another. */
function copyRows(from: Plane, to: Plane, area: Rect): void {
  const width = area.right - area.left;
  for (let row = 0; row < area.bottom - area.top; row++) {
    const start = row * from.stride;
    to.plane.set(from.plane.subarray(start, start + width), (area.top + row) * to.stride + area.left);
  }
}

export class FittedPicture {
  #scaler: Scaler | null = null;

  /** @throws Error with the scaler's message when it fails */
  paint(picture: Picture, frame: Frame): void {
    const area = fittedRect(frame, picture);
    const { y, u, v, strideY, strideC } = picture;
    const [fromY, fromU, fromV] = this.#planesOf(frame, area);
    copyRows(fromY, { plane: y, stride: strideY }, area);
    const half = halfOf(area);
    copyRows(fromU, { plane: u, stride: strideC }, half);
    copyRows(fromV, { plane: v, stride: strideC }, half);
    paintBars(picture, area);
  }

  close(): void {
    this.#scaler?.context.freeContext();
    this.#scaler?.scaled.free();
    this.#scaler = null;
  }

  #planesOf(frame: Frame, area: Rect): Planes {
    const isReady =
      frame.format === AV_PIX_FMT_YUV420P &&
      frame.width === area.right - area.left &&
      frame.height === area.bottom - area.top;
    if (isReady) return planesOf(frame);
    if (this.#scaler?.shape !== shapeOf(frame)) {
      this.close();
      this.#scaler = openScaler(frame, area);
    }
    const { context, scaled } = this.#scaler!;
    const { data } = frame;
    if (!data || !scaled.data) throw new Error('the picture has no planes');
    const code = context.scaleSync(data, frame.linesize, 0, frame.height, scaled.data, scaled.linesize);
    FFmpegError.throwIfError(code, 'scale');
    return planesOf(scaled);
  }
}

type Planes = readonly [Plane, Plane, Plane];

function planesOf({ data, linesize }: Frame): Planes {
  const [y, u, v] = data ?? [];
  const [strideY, strideU, strideV] = linesize;
  if (!y || !u || !v || !strideY || !strideU || !strideV) throw new Error('the picture has no planes');
  return [
    { plane: y, stride: strideY },
    { plane: u, stride: strideU },
    { plane: v, stride: strideV },
  ];
}
