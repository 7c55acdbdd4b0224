// Decodes a media file like a player: mediabunny reads the file, FFmpeg decodes every picture. So the tests check the encoded
// pictures, and not what the painter returned.
import {
  ALL_FORMATS,
  BufferSource,
  EncodedPacketSink,
  Input,
  type EncodedPacket,
  type VideoCodec,
} from 'mediabunny';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet } from 'node-av/lib';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_PRORES,
  AV_CODEC_ID_VP9,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUVA444P10LE,
  type AVCodecID,
} from 'node-av/constants';

Log.setLevel(AV_LOG_ERROR);

/** One decoded picture's luma (or alpha), rows without padding, 8 bits. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
}

interface DecodedClip {
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** The duration that the file states, in seconds. */
  readonly duration: number;
  /** Presentation times in seconds, in order. */
  readonly times: readonly number[];
  /** Frame numbers of the key frames. */
  readonly keys: readonly number[];
  readonly pictures: readonly Luma[];
  /** The alpha planes; empty when there are none. */
  readonly alphas: readonly Luma[];
}

const codecIds: Readonly<Partial<Record<VideoCodec, AVCodecID>>> = {
  avc: AV_CODEC_ID_H264,
  hevc: AV_CODEC_ID_HEVC,
  vp9: AV_CODEC_ID_VP9,
  av1: AV_CODEC_ID_AV1,
  prores: AV_CODEC_ID_PRORES,
};

function planeOf(frame: Frame, index: number): Luma {
  const plane = frame.data?.[index];
  const stride = frame.linesize[index];
  if (!plane || !stride) throw new Error('no such plane');
  const { width, height } = frame;
  const deep = frame.format === AV_PIX_FMT_YUVA444P10LE;
  const y = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    if (!deep) y.set(plane.subarray(row * stride, row * stride + width), row * width);
    else for (let x = 0; x < width; x++) y[row * width + x] = plane.readUInt16LE(row * stride + x * 2) >> 2;
  }
  return { width, height, y };
}

/** Decodes the packets one after the other; `each` sees every picture. */
function decode(
  id: AVCodecID,
  description: Uint8Array | null,
  packets: readonly Uint8Array[],
  each: (frame: Frame) => void,
): void {
  const codec = Codec.findDecoder(id);
  const context = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  const drain = (): void => {
    while (context.receiveFrameSync(frame) >= 0) {
      each(frame);
      frame.unref();
    }
  };
  try {
    context.allocContext3(codec);
    context.threadCount = 1;
    if (description) context.extraData = Buffer.from(description);
    FFmpegError.throwIfError(context.open2Sync(codec), 'open decoder');
    packet.alloc();
    frame.alloc();
    for (const data of packets) {
      packet.data = Buffer.from(data);
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
}

/** Decodes up to `until` (seconds; the whole file by default). @throws Error when there is no video track that decodes */
export async function decodeClip(bytes: Uint8Array, until = Infinity): Promise<DecodedClip> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  const id = track?.codec && codecIds[track.codec];
  if (!track || !config || !id) throw new Error('no video track');
  const samples: EncodedPacket[] = [];
  for await (const sample of new EncodedPacketSink(track).packets()) {
    if (sample.timestamp > until) break;
    samples.push(sample);
  }
  const pictures: Luma[] = [];
  const alphas: Luma[] = [];
  const data = samples.map((sample) => sample.data);
  decode(id, (config.description as Uint8Array | undefined) ?? null, data, (frame) => {
    pictures.push(planeOf(frame, 0));
    if (frame.format === AV_PIX_FMT_YUVA444P10LE) alphas.push(planeOf(frame, 3));
  });
  const beside = samples.flatMap(({ sideData }) => sideData.alpha ?? []);
  if (beside.length > 0) decode(id, null, beside, (frame) => alphas.push(planeOf(frame, 0)));
  return {
    codec: config.codec,
    width: config.codedWidth ?? 0,
    height: config.codedHeight ?? 0,
    duration: await track.computeDuration(),
    times: samples.map(({ timestamp }) => timestamp),
    keys: samples.flatMap(({ type }, frame) => (type === 'key' ? frame : [])),
    pictures,
    alphas,
  };
}
