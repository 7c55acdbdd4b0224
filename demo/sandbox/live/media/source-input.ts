// One connection of a source: opened, its picture track found, read packet by packet, closed.
// - Waits are off the thread and can be interrupted; an interrupted call is reported as such, because some calls
//   return success even then.
// - A source that sends nothing for a while has gone, also while it is probed.
// - A port that cannot be bound is a problem, not a source that may return.
// - FFmpeg's messages are not passed on: they contain addresses and keys.
import { constants } from 'node:os';
import { setImmediate as afterOthers } from 'node:timers/promises';
import {
  AVDISCARD_ALL,
  AVERROR_EOF,
  AVERROR_INVALIDDATA,
  AVMEDIA_TYPE_VIDEO,
  AV_LOG_WARNING,
} from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Log, Packet, type Stream } from 'node-av/lib';
import { LiveProblem } from './live-messages.ts';
import { type SourceAddress, untilBound } from './source-address.ts';

export interface Waited {
  /** What the call gave; negative for a failure. */
  readonly code: number;
  readonly isBrokenOff: boolean;
}

/** Runs `wait`, broken off after `ms` (null: never) and when `signal` aborts. */
export async function bounded(
  context: FormatContext,
  ms: number | null,
  wait: () => Promise<number>,
  signal?: AbortSignal,
): Promise<Waited> {
  let isBrokenOff = false;
  const breakOff = (): void => {
    isBrokenOff = true;
    context.interrupt();
  };
  const timer = ms === null ? undefined : setTimeout(breakOff, ms);
  signal?.addEventListener('abort', breakOff);
  try {
    return { code: await wait(), isBrokenOff };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', breakOff);
  }
}

/** Most that is read to find out what a stream is. */
const PROBE_BYTES = 2_000_000n;
const PROBE_MICROSECONDS = 500_000n;

/** The source is not there, or not any more; it may return. */
export class SourceGone extends Error {
  override readonly name = 'SourceGone';
}

// FFmpeg's RTMP listener takes any application and stream key, and only says in its log that they were not the right ones.
let wrongKeyUsed = false;
const wrongKey = /Unexpected stream|App field don't match/;
Log.setLevel(AV_LOG_WARNING);
Log.setCallback((_, message) => (wrongKeyUsed ||= wrongKey.test(message)), { maxLevel: AV_LOG_WARNING });

/** What binding a port fails with; FFmpeg has the system's numbers, negative. */
const { EADDRINUSE, EADDRNOTAVAIL, EACCES } = constants.errno;
const unbindable = [EADDRINUSE, EADDRNOTAVAIL, EACCES].map((number) => -number);

function opened(code: number, { name, listener }: SourceAddress): void {
  if (code === AVERROR_INVALIDDATA) throw new LiveProblem(`the source is no ${name}`);
  if (listener && unbindable.includes(code)) throw new LiveProblem('the port to push to cannot be had');
  if (code < 0) throw new SourceGone('nothing is there');
}

async function connect(address: SourceAddress, signal: AbortSignal): Promise<FormatContext> {
  const context = new FormatContext();
  context.allocContext();
  context.probesize = PROBE_BYTES;
  context.maxAnalyzeDuration = PROBE_MICROSECONDS;
  const options = Dictionary.fromObject(address.options);
  wrongKeyUsed = false;
  try {
    const format = InputFormat.findInputFormat(address.format);
    const open = (): Promise<number> => context.openInput(address.url, format, options);
    opened((await bounded(context, null, open, signal)).code, address);
  } finally {
    options.free();
  }
  // What was logged while opening is heard one turn later.
  await afterOthers();
  if (!wrongKeyUsed) return context;
  await context.closeInput();
  throw new SourceGone('another stream key was used');
}

/** A source on its way. */
export interface ComingSource {
  /**
   * The port that it is pushed to is bound; of a pulled one, at once.
   * @throws LiveProblem when the port cannot be had
   */
  readonly listening: Promise<void>;
  /**
   * @throws SourceGone, also when broken off
   * @throws LiveProblem for a port that cannot be had, and for what has no picture track
   */
  readonly input: Promise<SourceInput>;
}

async function listening({ listener }: SourceAddress, input: Promise<unknown>): Promise<void> {
  if (!listener) return;
  const settled = new AbortController();
  // What came and is no source, or went, found the port bound.
  const came = input.then(
    () => {},
    (error: unknown) => {
      if (error instanceof LiveProblem) throw error;
    },
  );
  try {
    await Promise.race([untilBound(listener, settled.signal), came]);
  } finally {
    settled.abort();
  }
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

  /** Waits for a pushed stream, fetches a pulled one. Aborting breaks the wait off. */
  static open(address: SourceAddress, signal: AbortSignal): ComingSource {
    const input = SourceInput.#open(address, signal);
    const bound = listening(address, input);
    // Whoever asks for one of the two need not hear of the other.
    bound.catch(() => {});
    return { listening: bound, input };
  }

  static async #open(address: SourceAddress, signal: AbortSignal): Promise<SourceInput> {
    const context = await connect(address, signal);
    try {
      const look = (): Promise<number> => context.findStreamInfo();
      const { code, isBrokenOff } = await bounded(context, address.silentMs, look, signal);
      // FFmpeg makes do with what it has when it is broken off.
      if (isBrokenOff || context.nbStreams === 0) throw new SourceGone('it said nothing');
      const index = context.findBestStream(AVMEDIA_TYPE_VIDEO);
      const video = context.streams[index];
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
    const next = (): Promise<number> => this.#nextPicture();
    const { code } = await bounded(this.#context, this.#address.silentMs, next, signal);
    if (code === AVERROR_EOF && this.isRecorded) return null;
    if (code < 0) throw new SourceGone('it broke off');
    return this.#packet;
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#context.closeInput();
  }

  async #nextPicture(): Promise<number> {
    for (;;) {
      this.#packet.unref();
      const code = await this.#context.readFrame(this.#packet);
      if (code < 0 || this.#packet.streamIndex === this.video.index) return code;
    }
  }
}
