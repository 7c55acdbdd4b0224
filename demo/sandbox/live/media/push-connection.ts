// One connection to where a session's output goes: FLV over RTMP or MPEG-TS over SRT, one video track. Policy: it is there or
// not, and goes on or not; why is not told, because FFmpeg's words have addresses and keys in them. Opening (also where what
// is sent is dropped on the way) and each writing take 5 s at most, farewell and closing 1 s each. FFmpeg cannot be broken off
// while it sends, so a destination that takes longer is a problem for good: what waits for it ends with the session's process,
// and nothing else is begun meanwhile.
import { AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import { frameSizes } from '../../media/media-spec.ts';
import type { Sample } from '../../media/video-encoder.ts';
import { LiveProblem } from './live-problem.ts';

const OPENING_MS = 5000;
const WRITING_MS = 5000;
const CLOSING_MS = 1000;
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

/** What `wait` gives. @throws LiveProblem when that takes more than `ms`; its context is in use then, and stays so */
async function within<T>(ms: number, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LiveProblem('the destination of the output does not answer')), ms);
  });
  return Promise.race([wait, late]).finally(() => clearTimeout(timer));
}

async function letGo(context: FormatContext): Promise<void> {
  await within(CLOSING_MS, context.closeOutput());
  context.freeContext();
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
   * @throws LiveProblem when it neither lets in nor refuses
   */
  static async open(to: Destination, description: Uint8Array): Promise<PushConnection | null> {
    const context = new FormatContext();
    if (context.allocOutputContext2(null, to.format, to.url) < 0) {
      context.freeContext();
      return null;
    }
    const stream = context.newStream();
    const { codecpar } = stream;
    codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    codecpar.codecId = AV_CODEC_ID_H264;
    codecpar.format = AV_PIX_FMT_YUV420P;
    codecpar.width = frameSizes['720p'].width;
    codecpar.height = frameSizes['720p'].height;
    codecpar.extradata = Buffer.from(description);
    stream.timeBase = new Rational(1, TIMESCALE);
    const isThere = (await within(OPENING_MS, context.openOutput())) >= 0;
    if (isThere && (await within(OPENING_MS, context.writeHeader())) >= 0) {
      return new PushConnection(context);
    }
    if (isThere) await letGo(context);
    else context.freeContext();
    return null;
  }

  /** @returns false when the destination has gone @throws LiveProblem when it takes nothing more */
  async write({ sample, at }: TimedSample): Promise<boolean> {
    const packet = this.#packet;
    packet.data = Buffer.from(sample.data);
    packet.isKeyframe = sample.key;
    packet.streamIndex = 0;
    packet.pts = packet.dts = BigInt(Math.round(at));
    packet.rescaleTs({ num: 1, den: TIMESCALE }, this.#context.streams[0]!.timeBase);
    return (await within(WRITING_MS, this.#context.interleavedWriteFrame(packet))) >= 0;
  }

  /** @param isWell the destination is still there and is told @throws LiveProblem when it does not answer */
  async close(isWell: boolean): Promise<void> {
    if (isWell) await within(CLOSING_MS, this.#context.writeTrailer());
    this.#packet.free();
    await letGo(this.#context);
  }
}
