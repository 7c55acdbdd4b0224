// One connection of a source: opened, asked for its picture track, read packet by packet, closed. Policy: waiting happens off
// the thread and can be broken off; a source that sends nothing for a while has gone away; nothing that FFmpeg says leaves
// this room in its own words, because addresses and keys are in them.
import { setImmediate as afterOthers } from 'node:timers/promises';
import {
  AVDISCARD_ALL,
  AVERROR_EOF,
  AVERROR_INVALIDDATA,
  AVMEDIA_TYPE_VIDEO,
  AV_LOG_WARNING,
} from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Log, Packet, type Stream } from 'node-av/lib';
import { LiveProblem } from './live-problem.ts';
import type { SourceAddress } from './source-address.ts';

/** Most that is read to find out what a stream is. */
const PROBE_BYTES = 2_000_000n;
const PROBE_MICROSECONDS = 500_000n;

/** The source is not there, or not any more; it may return. */
export class SourceGone extends Error {
  override readonly name = 'SourceGone';
}

// FFmpeg's RTMP listener takes any application and stream key, and only says in its log that they were not the right ones.
let strangerCame = false;
const stranger = /Unexpected stream|App field don't match/;
Log.setLevel(AV_LOG_WARNING);
Log.setCallback((_, message) => (strangerCame ||= stranger.test(message)), { maxLevel: AV_LOG_WARNING });

/** Runs `wait`, broken off when `signal` aborts or after `ms`. */
async function bounded<T>(
  context: FormatContext,
  signal: AbortSignal,
  ms: number | null,
  wait: () => Promise<T>,
): Promise<T> {
  const breakOff = (): void => context.interrupt();
  const timer = ms === null ? undefined : setTimeout(breakOff, ms);
  signal.addEventListener('abort', breakOff);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', breakOff);
  }
}

async function connect(address: SourceAddress, signal: AbortSignal): Promise<FormatContext> {
  const context = new FormatContext();
  context.allocContext();
  context.probesize = PROBE_BYTES;
  context.maxAnalyzeDuration = PROBE_MICROSECONDS;
  const options = Dictionary.fromObject(address.options);
  strangerCame = false;
  try {
    const format = InputFormat.findInputFormat(address.format);
    const code = await bounded(context, signal, null, () => context.openInput(address.url, format, options));
    if (code === AVERROR_INVALIDDATA) throw new LiveProblem(`the source is no ${address.name}`);
    if (code < 0) throw new SourceGone('nothing is there');
  } finally {
    options.free();
  }
  // What was logged while opening is heard one turn later.
  await afterOthers();
  if (!strangerCame) return context;
  await context.closeInput();
  throw new SourceGone('a stranger came');
}

export class SourceInput {
  /** The track whose pictures are shown; every other one is left out. */
  readonly video: Stream;
  readonly #context: FormatContext;
  readonly #packet = new Packet();
  readonly #address: SourceAddress;

  private constructor(context: FormatContext, video: Stream, address: SourceAddress) {
    this.#context = context;
    this.#address = address;
    this.video = video;
    this.#packet.alloc();
  }

  /**
   * Waits for a pushed stream, fetches a pulled one. Aborting breaks the wait off.
   * @throws SourceGone, also when broken off
   * @throws LiveProblem for what has no picture track
   */
  static async open(address: SourceAddress, signal: AbortSignal): Promise<SourceInput> {
    const context = await connect(address, signal);
    try {
      const code = await bounded(context, signal, address.silentMs, () => context.findStreamInfo());
      const index = context.findBestStream(AVMEDIA_TYPE_VIDEO);
      const video = context.streams[index];
      if (signal.aborted) throw new SourceGone('broken off');
      if (code < 0 || !video) throw new LiveProblem(`the source is no ${address.name} with a picture`);
      for (const stream of context.streams) if (stream.index !== index) stream.discard = AVDISCARD_ALL;
      return new SourceInput(context, video, address);
    } catch (error) {
      await context.closeInput();
      throw error;
    }
  }

  /** It is pulled and its whole length is known: it has an end, and what comes until then is all of it. */
  get isRecorded(): boolean {
    return this.#address.ingestUrl === null && this.#context.duration > 0n;
  }

  /**
   * The next packet of the picture track, valid until the next one is read; null when a recorded source has ended.
   * @throws SourceGone when a live one has, which may be an end or a break; or when nothing was sent for too long
   */
  async read(signal: AbortSignal): Promise<Packet | null> {
    const packet = this.#packet;
    return bounded(this.#context, signal, this.#address.silentMs, async () => {
      for (;;) {
        packet.unref();
        const code = await this.#context.readFrame(packet);
        if (code === AVERROR_EOF && this.isRecorded) return null;
        if (code < 0) throw new SourceGone('it broke off');
        if (packet.streamIndex === this.video.index) return packet;
      }
    });
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#context.closeInput();
  }
}
