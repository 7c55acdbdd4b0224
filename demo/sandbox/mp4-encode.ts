// Frames into one MP4: x264 by node-av, muxed by mediabunny with its index in front, so that it plays while it loads.
// Policy: ultrafast, zerolatency, a key frame every 2 s, no B-frames, one thread (the pool is the parallelism), constant
// quantiser 22: a quarter faster than crf 23, which estimates every frame first, and a smaller file. Painters fill the
// encoder's own planes. Every native call is synchronous, because a thread that is ended while one is under way takes the
// process with it; every native object is freed on every path; packet bytes are copied before their packet goes.
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
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
import { describeAvc, toSample, type AvcDescription } from './avc.ts';
import { FRAMES_PER_SECOND } from './gloss.ts';
import type { Picture } from './painter/picture.ts';

// x264 tells its whole configuration on stderr for every clip otherwise.
Log.setLevel(AV_LOG_ERROR);

const KEY_FRAME_EVERY = 2 * FRAMES_PER_SECOND;
const OPTIONS = { preset: 'ultrafast', tune: 'zerolatency', qp: '22' };

interface Video {
  readonly width: number;
  readonly height: number;
  /** Frames in all, at 25 a second. */
  readonly frames: number;
}

interface Sample {
  readonly data: Uint8Array;
  readonly key: boolean;
}

/** Paints frame `number`; called once a frame, in order, with a picture that keeps what was last painted. */
export type Paint = (picture: Picture, number: number) => void;

function openEncoder({ width, height }: Video): CodecContext {
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
    context.gopSize = KEY_FRAME_EVERY;
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

function openFrame({ width, height }: Video): Frame {
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

/** Takes every packet that is ready. */
function drain(context: CodecContext, packet: Packet, samples: Sample[]): void {
  while (context.receivePacketSync(packet) >= 0) {
    if (packet.data) samples.push({ data: toSample(packet.data), key: packet.isKeyframe });
    packet.unref();
  }
}

/** Paints and encodes every frame. */
function encodeFrames(context: CodecContext, frame: Frame, frames: number, paint: Paint): Sample[] {
  const samples: Sample[] = [];
  const packet = new Packet();
  try {
    packet.alloc();
    let picture = pictureOf(frame);
    for (let number = 0; number < frames; number++) {
      if (!frame.isWritable) {
        // The encoder still holds these planes: a copy with the same content takes their place.
        FFmpegError.throwIfError(frame.makeWritable(), 'writable frame');
        picture = pictureOf(frame);
      }
      paint(picture, number);
      frame.pts = BigInt(number);
      FFmpegError.throwIfError(context.sendFrameSync(frame), 'encode');
      drain(context, packet, samples);
    }
    FFmpegError.throwIfError(context.sendFrameSync(null), 'flush');
    drain(context, packet, samples);
    return samples;
  } finally {
    packet.free();
  }
}

async function mux(
  samples: readonly Sample[],
  avc: AvcDescription,
  { width, height }: Video,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const decoderConfig = {
    codec: avc.codec,
    codedWidth: width,
    codedHeight: height,
    description: avc.description,
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
  };
  for (const [frame, { data, key }] of samples.entries()) {
    const packet = new EncodedPacket(
      data,
      key ? 'key' : 'delta',
      frame / FRAMES_PER_SECOND,
      1 / FRAMES_PER_SECOND,
    );
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('the muxer gave no file');
  return new Uint8Array(target.buffer);
}

/**
 * Paints and encodes a whole video.
 * @returns the file
 * @throws Error when the encoder refuses, with its own words
 */
export async function encodeMp4(video: Video, paint: Paint): Promise<Uint8Array> {
  const context = openEncoder(video);
  let frame: Frame | null = null;
  let samples: Sample[];
  let avc: AvcDescription;
  try {
    frame = openFrame(video);
    samples = encodeFrames(context, frame, video.frames, paint);
    if (!context.extraData) throw new Error('the encoder gave no parameter sets');
    avc = describeAvc(context.extraData);
  } finally {
    frame?.free();
    context.freeContext();
  }
  return mux(samples, avc, video);
}
