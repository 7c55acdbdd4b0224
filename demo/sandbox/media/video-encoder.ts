// Encodes pictures one by one with node-av, for whole files and for streams that never end.
// - There is a key frame every 2 s unless another distance is asked for. Colours are BT.709 in video range.
// - Painters fill the encoder's own planes.
// - Every native call is synchronous, because the process crashes when a thread is ended during a native call. Every native object
//   is freed on every path. Packet bytes are copied before their packet is freed.
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
  AV_PICTURE_TYPE_NONE,
  AV_PICTURE_TYPE_P,
  AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL,
  AVCHROMA_LOC_LEFT,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  Codec as Encoder,
  CodecContext,
  CodecParameters,
  FFmpegError,
  Frame,
  Log,
  Packet,
  Rational,
} from 'node-av/lib';
import { blankPicture, type Picture } from '../painter/picture.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import {
  av1,
  avc,
  hevc,
  vp9,
  vp9Alpha,
  type Coding,
  type CodingFormat,
  type SampleDescription,
} from './codecs.ts';
import type { Codec, FrameOrder, FrameSize } from './media-spec.ts';
import { prores } from './prores.ts';

// Otherwise x264 prints its whole configuration on stderr for every clip.
Log.setLevel(AV_LOG_ERROR);

const opaque: Readonly<Partial<Record<Codec, Coding>>> = { h264: avc, h265: hevc, vp9, av1 };
const transparent: Readonly<Partial<Record<Codec, Coding>>> = { vp9: vp9Alpha, prores };

export interface VideoFormat {
  /** Pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Default `h264`. */
  readonly codec?: Codec;
  /** Whether pictures have an alpha plane: possible for `vp9`, always true for `prores`. Default false. */
  readonly alpha?: boolean;
  /** Frames from one key frame to the next. Default 50, which is 2 s. */
  readonly keyEvery?: number;
  /** Bits a second, in a buffer of 1 s; null, the default, for constant quality. ProRes has its own rate. */
  readonly bitsPerSecond?: number | null;
  /** Default `as_shown`. With any other order, samples come some frames later and in decoding order; `h264` only. */
  readonly order?: FrameOrder;
  /** Pixels are shown four wide and three high. Default false. */
  readonly widePixels?: boolean;
}

/** One coded frame, as a file or a fragment holds it. */
export interface Sample {
  readonly data: Uint8Array;
  readonly key: boolean;
  /** Place of its frame in the order in which frames are painted and shown, from 0. */
  readonly shown: number;
  /** The alpha plane, coded by itself; VP9 only. */
  readonly alpha?: Uint8Array;
}

/** Paints the next frame into a picture that keeps what was last painted into it. */
export type Paint = (picture: Picture) => void;

function pictureOf(frame: Frame): Picture {
  const [y, u, v, a] = frame.data ?? [];
  const [strideY, strideC, , strideA] = frame.linesize;
  if (!y || !u || !v || !strideY || !strideC) throw new Error('the frame has no planes');
  const { width, height } = frame;
  return { width, height, y, u, v, strideY, strideC, ...(a && strideA && { a, strideA }) };
}

/** @throws Error when the encoder refuses, with the message of the encoder */
function openContext(
  { encoder, pixelFormat, options }: Coding,
  format: CodingFormat,
  widePixels: boolean,
): CodecContext {
  const codec = Encoder.findEncoderByName(encoder);
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
    context.maxBFrames = ['as_shown', 'refresh'].includes(format.order) ? 0 : 3;
    context.threadCount = 1;
    if (widePixels) context.sampleAspectRatio = new Rational(4, 3);
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
export function openFrame(pixelFormat: AVPixelFormat, { width, height }: FrameSize): Frame {
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

/** FFmpeg's codec string for what the encoder makes (RFC 6381); empty when it has none. */
function codecString(context: CodecContext): string {
  const parameters = new CodecParameters();
  parameters.alloc();
  try {
    FFmpegError.throwIfError(parameters.fromContext(context), 'parameters');
    return parameters.getCodecString() ?? '';
  } finally {
    parameters.free();
  }
}

/** One encoder; `close` it on every path. */
export class VideoEncoder {
  readonly #coding: Coding;
  readonly #context: CodecContext;
  readonly #frame: Frame;
  readonly #packet = new Packet();
  /** What a decoder must know before the first sample. */
  readonly description: SampleDescription;
  #picture: Picture;
  #frames = 0;

  /** @throws Error when the encoder refuses, with the message of the encoder */
  constructor(video: VideoFormat) {
    const { codec = 'h264', alpha = false } = video;
    const {
      width,
      height,
      keyEvery = 2 * FRAMES_PER_SECOND,
      bitsPerSecond = null,
      order = 'as_shown',
      widePixels = false,
    } = video;
    const format = { width, height, keyEvery, bitsPerSecond, order };
    const coding = (alpha ? transparent : opaque)[codec];
    if (!coding) throw new Error(`${codec} is made ${alpha ? 'without' : 'with'} transparency only`);
    this.#coding = coding;
    this.#context = openContext(coding, format, widePixels);
    try {
      this.#frame = openFrame(coding.pixelFormat, format);
    } catch (error) {
      this.#context.freeContext();
      throw error;
    }
    try {
      this.#packet.alloc();
      this.#picture = coding.fill ? blankPicture(width, height, alpha) : pictureOf(this.#frame);
      this.description = coding.describe(
        this.#context.extraData ?? new Uint8Array(),
        codecString(this.#context),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Paints one more frame, and returns the frames whose encoding is finished, in coded order.
   * @param isInDisplayOrder true: the frame is coded before every frame that is shown after it; default: the encoder decides
   */
  encode(paint: Paint, { isInDisplayOrder = false } = {}): Sample[] {
    const { fill } = this.#coding;
    if (!this.#frame.isWritable) {
      // When the encoder still holds these planes, a copy with the same content replaces them.
      FFmpegError.throwIfError(this.#frame.makeWritable(), 'writable frame');
      if (!fill) this.#picture = pictureOf(this.#frame);
    }
    paint(this.#picture);
    fill?.(this.#frame, this.#picture);
    this.#frame.pts = BigInt(this.#frames++);
    this.#frame.pictType = isInDisplayOrder ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE;
    FFmpegError.throwIfError(this.#context.sendFrameSync(this.#frame), 'encode');
    return this.#drain();
  }

  /** Returns the frames that the encoder still holds. Nothing can be encoded after this call. */
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
      const { data, isKeyframe: key, pts } = this.#packet;
      // The alpha data follow an id of eight bytes.
      const alpha = this.#packet.getSideData(AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL)?.subarray(8);
      if (data) {
        samples.push({
          data: this.#coding.toSample(data),
          key,
          shown: Number(pts),
          ...(alpha && { alpha: Uint8Array.from(alpha) }),
        });
      }
      this.#packet.unref();
    }
    return samples;
  }
}
