// What FFmpeg is told before the first frame: an encoder's context, and the frame that it is fed with. Policy: synchronous
// and freed when anything fails; one thread (the pool is the parallelism), no B-frames, BT.709 in video range.
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Rational } from 'node-av/lib';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import type { Coding, CodingFormat } from './coding.ts';

/** @throws Error when the encoder refuses, with its own words */
export function openContext({ encoder, pixelFormat, options }: Coding, format: CodingFormat): CodecContext {
  const codec = Codec.findEncoderByName(encoder);
  if (!codec) throw new Error(`this FFmpeg has no ${encoder}`);
  const context = new CodecContext();
  try {
    context.allocContext3(codec);
    context.width = format.width;
    context.height = format.height;
    context.pixelFormat = pixelFormat;
    context.timeBase = new Rational(1, FRAMES_PER_SECOND);
    context.framerate = new Rational(FRAMES_PER_SECOND, 1);
    context.gopSize = format.keyEvery;
    context.maxBFrames = 0;
    context.threadCount = 1;
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    context.colorSpace = AVCOL_SPC_BT709;
    context.chromaLocation = AVCHROMA_LOC_LEFT;
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    for (const [name, value] of Object.entries(options(format))) {
      FFmpegError.throwIfError(context.setOption(name, value), `${encoder} ${name}`);
    }
    // Options as a second argument would be freed twice (node-av 6.1.1).
    FFmpegError.throwIfError(context.open2Sync(codec), `open ${encoder}`);
    return context;
  } catch (error) {
    context.freeContext();
    throw error;
  }
}

/** An empty frame of the coding's planes. */
export function openFrame({ pixelFormat }: Coding, { width, height }: CodingFormat): Frame {
  const frame = new Frame();
  try {
    frame.alloc();
    frame.format = pixelFormat;
    frame.width = width;
    frame.height = height;
    frame.colorRange = AVCOL_RANGE_MPEG;
    frame.colorPrimaries = AVCOL_PRI_BT709;
    frame.colorTrc = AVCOL_TRC_BT709;
    frame.colorSpace = AVCOL_SPC_BT709;
    FFmpegError.throwIfError(frame.getBuffer(), 'frame buffer');
    return frame;
  } catch (error) {
    frame.free();
    throw error;
  }
}
