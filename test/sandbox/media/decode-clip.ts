// Takes an MP4 apart as a player would: mediabunny reads the file, FFmpeg decodes every picture. So the tests look at
// what was encoded, not at what the painter meant.
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { Codec, CodecContext, FFmpegError, Frame, Packet } from 'node-av/lib';
import { AV_CODEC_ID_H264, AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';

Log.setLevel(AV_LOG_ERROR);

/** One decoded picture's luma, rows without padding. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
}

export interface DecodedClip {
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** Seconds, as the file says. */
  readonly duration: number;
  /** Presentation times in seconds, in order. */
  readonly times: readonly number[];
  /** Frame numbers of the key frames. */
  readonly keys: readonly number[];
  readonly pictures: readonly Luma[];
}

function lumaOf(frame: Frame): Luma {
  const [plane] = frame.data ?? [];
  const [stride] = frame.linesize;
  if (!plane || !stride) throw new Error('no luma');
  const { width, height } = frame;
  const y = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    y.set(plane.subarray(row * stride, row * stride + width), row * width);
  }
  return { width, height, y };
}

/** @throws Error when the bytes are no MP4 with one H.264 track that decodes */
export async function decodeClip(bytes: Uint8Array): Promise<DecodedClip> {
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config?.description) throw new Error('no video track');
  const codec = Codec.findDecoder(AV_CODEC_ID_H264);
  const context = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  const pictures: Luma[] = [];
  const times: number[] = [];
  const keys: number[] = [];
  const drain = (): void => {
    while (context.receiveFrameSync(frame) >= 0) {
      pictures.push(lumaOf(frame));
      frame.unref();
    }
  };
  try {
    context.allocContext3(codec);
    context.extraData = Buffer.from(config.description as Uint8Array);
    FFmpegError.throwIfError(await context.open2(codec), 'open decoder');
    packet.alloc();
    frame.alloc();
    for await (const sample of new EncodedPacketSink(track).packets()) {
      if (sample.type === 'key') keys.push(times.length);
      times.push(sample.timestamp);
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
  return {
    codec: config.codec,
    width: config.codedWidth ?? 0,
    height: config.codedHeight ?? 0,
    duration: await track.computeDuration(),
    times,
    keys,
    pictures,
  };
}
