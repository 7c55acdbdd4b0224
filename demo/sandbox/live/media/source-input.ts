// One connection of a source: opens it, finds its video track, reads packets and closes it.
// - Calls that wait do not block this thread and can be interrupted. An interrupted call is reported as interrupted, because some
//   calls return success even then.
// - A source that sends nothing for some time counts as gone, also while it is probed.
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

interface Waited {
  /** The return value of the call; negative for a failure. */
  readonly code: number;
  readonly isInterrupted: boolean;
}

/** Runs `wait`, and interrupts it after `ms` (null: never) or when `signal` aborts. */
async function bounded(
  context: FormatContext,
  ms: number | null,
  wait: () => Promise<number>,
  signal: AbortSignal,
): Promise<Waited> {
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    context.interrupt();
  };
  const timer = ms === null ? undefined : setTimeout(interrupt, ms);
  signal.addEventListener('abort', interrupt);
  try {
    return { code: await wait(), isInterrupted };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  }
}

/** The most that is read to find the tracks of a stream. */
const PROBE_BYTES = 2_000_000n;
const PROBE_MICROSECONDS = 500_000n;

/** The source does not exist, or has gone; it may return. */
export class SourceGone extends Error {
  override readonly name = 'SourceGone';
}

// FFmpeg's RTMP listener accepts any application and stream key; only its log says that they are wrong.
let wrongKeyUsed = false;
const wrongKey = /Unexpected stream|App field don't match/;
Log.setLevel(AV_LOG_WARNING);
Log.setCallback((_, message) => (wrongKeyUsed ||= wrongKey.test(message)), { maxLevel: AV_LOG_WARNING });

/** Errors of binding a port: the system's numbers, negative as in FFmpeg. */
const { EADDRINUSE, EADDRNOTAVAIL, EACCES } = constants.errno;
const unbindable = [EADDRINUSE, EADDRNOTAVAIL, EACCES].map((number) => -number);

/** @throws LiveProblem or SourceGone when this is the code of a failure */
function assertOpened(code: number, { name, listener }: SourceAddress): void {
  if (code === AVERROR_INVALIDDATA) throw new LiveProblem(`the source is no ${name}`);
  if (listener && unbindable.includes(code)) throw new LiveProblem('the port to push to cannot be opened');
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
    assertOpened((await bounded(context, null, open, signal)).code, address);
  } finally {
    options.free();
  }
  // Log messages of the opening arrive one turn of the event loop later.
  await afterOthers();
  if (!wrongKeyUsed) return context;
  await context.closeInput();
  throw new SourceGone('another stream key was used');
}

/** A source that is being opened. */
export interface ComingSource {
  /**
   * Resolves when the port of a pushed source is bound; for a pulled source at once.
   * @throws LiveProblem when the port cannot be bound
   */
  readonly listening: Promise<void>;
  /**
   * @throws SourceGone, also when it is interrupted
   * @throws LiveProblem when the port cannot be bound, and for a source without a video track
   */
  readonly input: Promise<SourceInput>;
}

async function listening({ listener }: SourceAddress, input: Promise<unknown>): Promise<void> {
  if (!listener) return;
  const settled = new AbortController();
  // Any other failure comes from a client that connected, so the port was bound.
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
  /** The video track that is shown; other tracks are ignored. */
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

  /** Waits for a pushed stream, or fetches a pulled one. An abort ends the wait. */
  static open(address: SourceAddress, signal: AbortSignal): ComingSource {
    const input = SourceInput.#open(address, signal);
    const bound = listening(address, input);
    // A caller that uses only one of the two promises gets no unhandled rejection of the other.
    bound.catch(() => {});
    return { listening: bound, input };
  }

  static async #open(address: SourceAddress, signal: AbortSignal): Promise<SourceInput> {
    const context = await connect(address, signal);
    try {
      const look = (): Promise<number> => context.findStreamInfo();
      const { code, isInterrupted } = await bounded(context, address.silentMs, look, signal);
      // When it is interrupted, FFmpeg goes on with what it has read.
      if (isInterrupted || context.nbStreams === 0) throw new SourceGone('it sent nothing');
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

  /** True for a pulled source of known length: a recording, which has an end. */
  get isRecorded(): boolean {
    return this.#address.ingestUrl === null && this.#context.duration > 0n;
  }

  /**
   * The next packet of the video track, valid until the next one is read; null at the end of a recording.
   * @throws SourceGone when a live source ends or breaks, or sends nothing for too long
   */
  async read(signal: AbortSignal): Promise<Packet | null> {
    const next = (): Promise<number> => this.#nextPicture();
    const { code } = await bounded(this.#context, this.#address.silentMs, next, signal);
    if (code === AVERROR_EOF && this.isRecorded) return null;
    if (code < 0) throw new SourceGone('it ended or broke');
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
