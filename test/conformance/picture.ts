// Looks at the first picture of a video: mediabunny reads the file, FFmpeg (node-av) decodes. Policy: only luma is looked
// at, and only as a distribution, so that a drawing and a filmed signer are judged alike.
import assert from 'node:assert/strict';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_VP9,
  AV_LOG_ERROR,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet } from 'node-av/lib';

Log.setLevel(AV_LOG_ERROR);

const decoders = {
  avc: AV_CODEC_ID_H264,
  hevc: AV_CODEC_ID_HEVC,
  vp9: AV_CODEC_ID_VP9,
  av1: AV_CODEC_ID_AV1,
} as const;

/** One picture's luma, rows without padding. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
}

function lumaOf(frame: Frame): Luma {
  const [plane] = frame.data ?? [];
  const [stride] = frame.linesize;
  assert.ok(plane && stride, 'the picture has luma');
  const { width, height } = frame;
  const y = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    y.set(plane.subarray(row * stride, row * stride + width), row * width);
  }
  return { width, height, y };
}

/** The picture shown at this time, in seconds; 8 bits a sample. @throws AssertionError when none can be decoded */
export async function pictureAt(bytes: Uint8Array, seconds: number): Promise<Luma> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  assert.ok(track && config && track.codec && track.codec in decoders, 'a codec that can be decoded');
  const codec = Codec.findDecoder(decoders[track.codec as keyof typeof decoders]);
  const context = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  let shown: Luma | null = null;
  const drain = (): void => {
    while (context.receiveFrameSync(frame) >= 0) {
      shown = lumaOf(frame);
      frame.unref();
    }
  };
  try {
    context.allocContext3(codec);
    if (config.description) context.extraData = Buffer.from(config.description as Uint8Array);
    FFmpegError.throwIfError(await context.open2(codec), 'open decoder');
    packet.alloc();
    frame.alloc();
    for await (const sample of new EncodedPacketSink(track).packets()) {
      if (sample.timestamp > seconds) break;
      packet.data = Buffer.from(sample.data);
      FFmpegError.throwIfError(context.sendPacketSync(packet), 'decode');
      packet.unref();
      drain();
    }
    FFmpegError.throwIfError(context.sendPacketSync(null), 'flush');
    drain();
  } finally {
    frame.free();
    packet.free();
    context.freeContext();
  }
  assert.ok(shown, 'a picture was decoded');
  return shown;
}

/** The luma that most of the first picture's pixels have: that of its background. */
export async function mainLuma(bytes: Uint8Array): Promise<number> {
  const counts = new Array<number>(256).fill(0);
  for (const value of (await pictureAt(bytes, 0)).y) counts[value]! += 1;
  return counts.indexOf(Math.max(...counts));
}

/** How far two pictures of one size are apart: mean difference of luma, 0 to 255. */
export function meanDifference(one: Luma, other: Luma): number {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  const sum = one.y.reduce((total, value, at) => total + Math.abs(value - other.y[at]!), 0);
  return sum / one.y.length;
}
