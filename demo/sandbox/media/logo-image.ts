// The pixels of a logo file, by FFmpeg's own decoders (document 2, logo.url).
// - The file is PNG, JPEG or WebP, recognised by its first bytes and not by its name.
// - It has at most 2048 by 2048 pixels; the decoder checks this before it allocates memory.
// - A picture that is damaged anywhere is refused.
import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_WEBP,
  AV_LOG_QUIET,
  AV_LOG_ERROR,
  AV_PIX_FMT_RGBA,
  SWS_BILINEAR,
  type AVCodecID,
  type AVPixelFormat,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, SoftwareScaleContext } from 'node-av/lib';
import type { LogoPixels } from '../painter/logo.ts';
import { LogoError } from './media-spec.ts';

const MOST_SIDE = 2048;

function codecIdOf(file: Uint8Array): AVCodecID {
  const head = Buffer.from(file.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return AV_CODEC_ID_PNG;
  if (head.startsWith('\xff\xd8\xff')) return AV_CODEC_ID_MJPEG;
  if (/^RIFF[^]{4}WEBP$/.test(head)) return AV_CODEC_ID_WEBP;
  throw new LogoError('the logo is no PNG, JPEG or WebP picture');
}

/** The decoded picture, which the caller frees. */
function decode(file: Uint8Array): Frame {
  const codec = Codec.findDecoder(codecIdOf(file));
  if (!codec) throw new Error('this FFmpeg does not decode the picture');
  const context = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  try {
    context.allocContext3(codec);
    context.threadCount = 1;
    const options = { max_pixels: String(MOST_SIDE * MOST_SIDE), err_detect: 'explode' };
    for (const [name, value] of Object.entries(options)) {
      FFmpegError.throwIfError(context.setOption(name, value), name);
    }
    FFmpegError.throwIfError(context.open2Sync(codec), 'open decoder');
    packet.alloc();
    frame.alloc();
    packet.data = Buffer.from(file);
    FFmpegError.throwIfError(context.sendPacketSync(packet), 'decode');
    FFmpegError.throwIfError(context.sendPacketSync(null), 'flush');
    FFmpegError.throwIfError(context.receiveFrameSync(frame), 'decode');
    return frame;
  } catch (error) {
    frame.free();
    if (!(error instanceof FFmpegError)) throw error;
    throw new LogoError(`the logo is damaged or has more than ${MOST_SIDE} x ${MOST_SIDE} pixels`);
  } finally {
    packet.free();
    context.freeContext();
  }
}

function toRgba(frame: Frame): LogoPixels {
  const { width, height } = frame;
  if (width > MOST_SIDE || height > MOST_SIDE) {
    throw new LogoError(`the logo is ${width} x ${height} pixels, at most ${MOST_SIDE} x ${MOST_SIDE}`);
  }
  const scaler = new SoftwareScaleContext();
  const converted = new Frame();
  try {
    converted.alloc();
    converted.format = AV_PIX_FMT_RGBA;
    converted.width = width;
    converted.height = height;
    FFmpegError.throwIfError(converted.getBuffer(), 'frame buffer');
    scaler.getContext(
      width,
      height,
      frame.format as AVPixelFormat,
      width,
      height,
      AV_PIX_FMT_RGBA,
      SWS_BILINEAR,
    );
    FFmpegError.throwIfError(scaler.scaleFrameSync(converted, frame), 'convert');
    const [plane] = converted.data ?? [];
    const [stride] = converted.linesize;
    if (!plane || !stride) throw new Error('the frame has no plane');
    const rgba = new Uint8Array(width * height * 4);
    for (let row = 0; row < height; row++) {
      rgba.set(plane.subarray(row * stride, row * stride + width * 4), row * width * 4);
    }
    return { width, height, rgba };
  } finally {
    converted.free();
    scaler.freeContext();
  }
}

/** @throws LogoError when the file is no such picture */
export function logoImage(file: Uint8Array): LogoPixels {
  // FFmpeg prints nothing, because the error says what is wrong with the client's file.
  Log.setLevel(AV_LOG_QUIET);
  try {
    const frame = decode(file);
    try {
      return toRgba(frame);
    } finally {
      frame.free();
    }
  } finally {
    Log.setLevel(AV_LOG_ERROR);
  }
}
