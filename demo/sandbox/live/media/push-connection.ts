// One connection to where a session's output goes: FLV over RTMP or MPEG-TS over SRT, one video track. Policy: it is there or
// not, and goes on or not; why is not told, because FFmpeg's words have addresses and keys in them. Opening takes 5 s at most.
import { AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import { frameSizes } from '../../media/frame-size.ts';
import type { Sample } from '../../media/video-encoder.ts';

const OPENING_MS = 5000;
const WRITING_MS = 5000;
const TIMESCALE = 1000;

export interface Destination {
  /** With its credentials. */
  readonly url: string;
  readonly format: 'flv' | 'mpegts';
}

export interface TimedSample {
  readonly sample: Sample;
  /** Milliseconds since the push began. */
  readonly at: number;
}

/** Runs `wait`, broken off after `ms`. */
async function bounded(context: FormatContext, ms: number, wait: () => Promise<number>): Promise<number> {
  const timer = setTimeout(() => context.interrupt(), ms);
  const code = await wait();
  clearTimeout(timer);
  return code;
}

export class PushConnection {
  readonly #context: FormatContext;
  readonly #packet = new Packet();

  private constructor(context: FormatContext) {
    this.#context = context;
    this.#packet.alloc();
  }

  /**
   * @param description content of `avcC`
   * @returns null when the destination is not there
   */
  static async open(to: Destination, description: Uint8Array): Promise<PushConnection | null> {
    const context = new FormatContext();
    if (context.allocOutputContext2(null, to.format, to.url) < 0) return null;
    const stream = context.newStream();
    const { codecpar } = stream;
    codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    codecpar.codecId = AV_CODEC_ID_H264;
    codecpar.format = AV_PIX_FMT_YUV420P;
    codecpar.width = frameSizes['720p'].width;
    codecpar.height = frameSizes['720p'].height;
    codecpar.extradata = Buffer.from(description);
    stream.timeBase = new Rational(1, TIMESCALE);
    const isThere = (await bounded(context, OPENING_MS, () => context.openOutput())) >= 0;
    if (isThere && (await bounded(context, OPENING_MS, () => context.writeHeader())) >= 0) {
      return new PushConnection(context);
    }
    if (isThere) await context.closeOutput();
    context.freeContext();
    return null;
  }

  /** @returns false when the destination has gone */
  async write({ sample, at }: TimedSample): Promise<boolean> {
    const packet = this.#packet;
    packet.data = Buffer.from(sample.data);
    packet.isKeyframe = sample.key;
    packet.streamIndex = 0;
    packet.pts = packet.dts = BigInt(Math.round(at));
    packet.rescaleTs({ num: 1, den: TIMESCALE }, this.#context.streams[0]!.timeBase);
    return (await bounded(this.#context, WRITING_MS, () => this.#context.interleavedWriteFrame(packet))) >= 0;
  }

  /** @param isWell the destination is still there and is told */
  async close(isWell: boolean): Promise<void> {
    if (isWell) await this.#context.writeTrailer();
    this.#packet.free();
    await this.#context.closeOutput();
    this.#context.freeContext();
  }
}
