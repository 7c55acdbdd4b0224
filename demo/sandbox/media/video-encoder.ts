// Pictures into H.264, one by one: x264 by node-av, for whole clips and for streams that never end.
// Policy: ultrafast, zerolatency, a key frame every 2 s unless another length is asked for, no B-frames, one thread (the
// pool is the parallelism), constant quantiser 22: a quarter faster than crf 23, which estimates every frame first, and a
// smaller file. Painters fill the encoder's own planes. Every native call is synchronous, because a thread that is ended
// while one is under way takes the process with it; every native object is freed on every path; packet bytes are copied
// before their packet goes.
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AV_LOG_ERROR,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib';
import { FRAMES_PER_SECOND } from '../painter/gloss.ts';
import type { Picture } from '../painter/picture.ts';
import { describeAvc, toSample, type AvcDescription } from './avc.ts';

// x264 tells its whole configuration on stderr for every clip otherwise.
Log.setLevel(AV_LOG_ERROR);

const OPTIONS = { preset: 'ultrafast', tune: 'zerolatency', qp: '22' };

export interface VideoFormat {
  /** Pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Frames from one key frame to the next. Default 50, which is 2 s. */
  readonly keyEvery?: number;
}

/** One coded frame, as a file or a fragment holds it. */
export interface Sample {
  readonly data: Uint8Array;
  readonly key: boolean;
}

/** Paints the next frame into a picture that keeps what was last painted into it. */
export type Paint = (picture: Picture) => void;

function openContext({ width, height, keyEvery = 2 * FRAMES_PER_SECOND }: VideoFormat): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('this FFmpeg has no x264');
  const context = new CodecContext();
  try {
    context.allocContext3(codec);
    context.width = width;
    context.height = height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, FRAMES_PER_SECOND);
    context.framerate = new Rational(FRAMES_PER_SECOND, 1);
    context.gopSize = keyEvery;
    context.maxBFrames = 0;
    context.threadCount = 1;
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    context.colorSpace = AVCOL_SPC_BT709;
    context.chromaLocation = AVCHROMA_LOC_LEFT;
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    for (const [name, value] of Object.entries(OPTIONS)) {
      FFmpegError.throwIfError(context.setOption(name, value), `x264 ${name}`);
    }
    // Options as a second argument would be freed twice (node-av 6.1.1).
    FFmpegError.throwIfError(context.open2Sync(codec), 'open x264');
    return context;
  } catch (error) {
    context.freeContext();
    throw error;
  }
}

function openFrame({ width, height }: VideoFormat): Frame {
  const frame = new Frame();
  try {
    frame.alloc();
    frame.format = AV_PIX_FMT_YUV420P;
    frame.width = width;
    frame.height = height;
    frame.colorRange = AVCOL_RANGE_MPEG;
    FFmpegError.throwIfError(frame.getBuffer(), 'frame buffer');
    return frame;
  } catch (error) {
    frame.free();
    throw error;
  }
}

function pictureOf(frame: Frame): Picture {
  const [y, u, v] = frame.data ?? [];
  const [strideY, strideC] = frame.linesize;
  if (!y || !u || !v || !strideY || !strideC) throw new Error('the frame has no planes');
  return { width: frame.width, height: frame.height, y, u, v, strideY, strideC };
}

/** One encoder; `close` it on every path. */
export class VideoEncoder {
  readonly #context: CodecContext;
  readonly #frame: Frame;
  readonly #packet = new Packet();
  /** What a decoder must know before the first sample. */
  readonly description: AvcDescription;
  #picture: Picture;
  #frames = 0;

  /** @throws Error when the encoder refuses, with its own words */
  constructor(format: VideoFormat) {
    this.#context = openContext(format);
    try {
      this.#frame = openFrame(format);
    } catch (error) {
      this.#context.freeContext();
      throw error;
    }
    try {
      this.#packet.alloc();
      this.#picture = pictureOf(this.#frame);
      if (!this.#context.extraData) throw new Error('the encoder gave no parameter sets');
      this.description = describeAvc(this.#context.extraData);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Paints one frame more and gives what is coded by now, in order. */
  encode(paint: Paint): Sample[] {
    if (!this.#frame.isWritable) {
      // The encoder still holds these planes: a copy with the same content takes their place.
      FFmpegError.throwIfError(this.#frame.makeWritable(), 'writable frame');
      this.#picture = pictureOf(this.#frame);
    }
    paint(this.#picture);
    this.#frame.pts = BigInt(this.#frames++);
    FFmpegError.throwIfError(this.#context.sendFrameSync(this.#frame), 'encode');
    return this.#drain();
  }

  /** What was still under way; nothing can be encoded after it. */
  flush(): Sample[] {
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    return this.#drain();
  }

  close(): void {
    this.#packet.free();
    this.#frame.free();
    this.#context.freeContext();
  }

  #drain(): Sample[] {
    const samples: Sample[] = [];
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, isKeyframe } = this.#packet;
      if (data) samples.push({ data: toSample(data), key: isKeyframe });
      this.#packet.unref();
    }
    return samples;
  }
}
