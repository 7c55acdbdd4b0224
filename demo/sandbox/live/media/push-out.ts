// Pushes the encoded signer to another server, by RTMP (FLV) or SRT (MPEG-TS), one video track without sound.
// - Writes do not block this thread. When 2 s of samples wait, they are dropped, and the next sample that is sent is a key frame.
// - A server that refuses is tried again every second; after `maxAwayMs` the session fails.
// - Opening and each write take at most 5 s, the trailer and closing 1 s each.
// - FFmpeg cannot be interrupted while it sends, so a server that exceeds these times fails the session, and its
//   context stays in use until the process ends.
// - Causes are not reported: FFmpeg's messages contain addresses and keys.
import { setTimeout as delay } from 'node:timers/promises';
import { AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import type { FrameSize } from '../../media/media-spec.ts';
import type { Sample } from '../../media/video-encoder.ts';
import { FRAMES_PER_SECOND } from '../../painter/script.ts';
import type { FrameEncoder } from '../../streams/stream-encoder.ts';
import { type LiveOutput, LiveProblem } from './live-messages.ts';
import { srtQuery } from './source-address.ts';

const OPENING_MS = 5000;
const WRITING_MS = 5000;
const CLOSING_MS = 1000;
const TIMESCALE = 1000;

interface Destination {
  /** The address with its credentials. */
  readonly url: string;
  readonly format: 'flv' | 'mpegts';
}

interface TimedSample {
  readonly sample: Sample;
  /** Milliseconds since the push began. */
  readonly at: number;
}

/** The result of `wait`. @throws LiveProblem after `ms`; FFmpeg's context then stays in use */
async function within<T>(ms: number, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LiveProblem('the destination of the output does not answer')), ms);
  });
  return Promise.race([wait, late]).finally(() => clearTimeout(timer));
}

async function release(context: FormatContext): Promise<void> {
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
   * @param size of the picture
   * @param description content of `avcC`
   * @returns null when the destination refuses the connection
   * @throws LiveProblem when the destination does not answer
   */
  static async open(
    to: Destination,
    size: FrameSize,
    description: Uint8Array,
  ): Promise<PushConnection | null> {
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
    codecpar.width = size.width;
    codecpar.height = size.height;
    codecpar.extradata = Buffer.from(description);
    stream.timeBase = new Rational(1, TIMESCALE);
    const isThere = (await within(OPENING_MS, context.openOutput())) >= 0;
    if (isThere && (await within(OPENING_MS, context.writeHeader())) >= 0) {
      return new PushConnection(context);
    }
    if (isThere) await release(context);
    else context.freeContext();
    return null;
  }

  /** @returns false when the connection is lost @throws LiveProblem when a write does not end */
  async write({ sample, at }: TimedSample): Promise<boolean> {
    const packet = this.#packet;
    packet.data = Buffer.from(sample.data);
    packet.isKeyframe = sample.key;
    packet.streamIndex = 0;
    packet.pts = packet.dts = BigInt(Math.round(at));
    packet.rescaleTs({ num: 1, den: TIMESCALE }, this.#context.streams[0]!.timeBase);
    return (await within(WRITING_MS, this.#context.interleavedWriteFrame(packet))) >= 0;
  }

  /**
   * @param isWell true when the connection works; a trailer is then sent
   * @throws LiveProblem when the destination does not answer
   */
  async close(isWell: boolean): Promise<void> {
    if (isWell) await within(CLOSING_MS, this.#context.writeTrailer());
    this.#packet.free();
    await release(this.#context);
  }
}

const MOST_WAITING = 2 * FRAMES_PER_SECOND;
const RETRY_MS = 1000;
const FRAME_MS = 1000 / FRAMES_PER_SECOND;
/** A delay above this is skipped in the timestamps; a shorter one is caught up. */
const JUMP_MS = 1000;
const END_MS = 1000;

/** The schemes are checked, because FFmpeg would also write to other protocols, for example to files. */
const schemes = { rtmp: ['rtmp:', 'rtmps:'], srt: ['srt:'] };

/** @throws LiveProblem */
function destinationOf(output: Exclude<LiveOutput, { kind: 'hls' }>): Destination {
  const url = URL.canParse(output.url) ? new URL(output.url) : null;
  if (!url || !schemes[output.kind].includes(url.protocol)) {
    throw new LiveProblem('the destination of the output is no address to push to');
  }
  if (output.kind === 'srt') {
    for (const [name, value] of Object.entries(srtQuery(output))) url.searchParams.set(name, value);
    return { url: url.href, format: 'mpegts' };
  }
  const key = output.streamKey === null ? '' : `/${output.streamKey}`;
  return { url: url.href.replace(/\/$/, '') + key, format: 'flv' };
}

export class PushOut {
  readonly #destination: Destination;
  readonly #size: FrameSize;
  readonly #maxAwayMs: number;
  readonly #began = performance.now();
  readonly #done: Promise<void>;
  #waiting: TimedSample[] = [];
  #description: Uint8Array | null = null;
  #frames = 0;
  #needsKey = true;
  #wake: () => void = () => {};
  #isClosing = false;

  /**
   * @param size of the picture
   * @param maxAwayMs longest that the destination may be away
   * @param failed called once, when the destination was away for longer
   */
  constructor(
    output: Exclude<LiveOutput, { kind: 'hls' }>,
    size: FrameSize,
    maxAwayMs: number,
    failed: (error: unknown) => void,
  ) {
    this.#destination = destinationOf(output);
    this.#size = size;
    this.#maxAwayMs = maxAwayMs;
    this.#done = this.#run().catch(failed);
  }

  /** Queues the samples of the encoder. */
  tap(encoder: FrameEncoder): FrameEncoder {
    this.#description = encoder.description.description;
    const take = (samples: Sample[]): Sample[] => {
      for (const sample of samples) this.#add(sample);
      this.#wake();
      return samples;
    };
    return {
      description: encoder.description,
      encode: (paint) => take(encoder.encode(paint)),
      flush: () => take(encoder.flush()),
      close: () => encoder.close(),
    };
  }

  /** Ends the push with a trailer, within a second. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await Promise.race([this.#done, delay(END_MS, null, { ref: false })]);
  }

  #add(sample: Sample): void {
    const passed = performance.now() - this.#began;
    if (passed - this.#frames * FRAME_MS > JUMP_MS) this.#frames = Math.floor(passed / FRAME_MS);
    const at = this.#frames++ * FRAME_MS;
    if (this.#waiting.length >= MOST_WAITING) this.#forget();
    this.#needsKey &&= !sample.key;
    if (!this.#needsKey) this.#waiting.push({ sample, at });
  }

  /** Drops the queued samples. The next sample that is sent is a key frame. */
  #forget(): void {
    this.#waiting = [];
    this.#needsKey = true;
  }

  /** @throws LiveProblem when the destination was away for too long */
  async #run(): Promise<void> {
    let awaySince = performance.now();
    while (!this.#isClosing) {
      if (performance.now() - awaySince > this.#maxAwayMs) {
        throw new LiveProblem('the destination of the output cannot be reached');
      }
      await this.#next();
      if (await this.#connectOnce()) awaySince = performance.now();
      if (!this.#isClosing) await delay(RETRY_MS);
    }
  }

  /** Pushes over one connection. @returns false when there was no connection */
  async #connectOnce(): Promise<boolean> {
    if (!this.#description) return false;
    const connection = await PushConnection.open(this.#destination, this.#size, this.#description);
    if (!connection) return false;
    this.#forget();
    let isWell = true;
    while (isWell && !this.#isClosing) {
      const next = await this.#next();
      if (next) isWell = await connection.write(next);
    }
    await connection.close(isWell);
    return true;
  }

  /** The oldest queued sample, as soon as there is one; undefined after closing. */
  async #next(): Promise<TimedSample | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosing) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#waiting.shift();
  }
}
