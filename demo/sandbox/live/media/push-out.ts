// The signer pushed to someone else's address, by RTMP (FLV) or SRT (MPEG-TS): what its encoder gives, packet by packet.
// Policy: writing waits off the thread; what cannot be sent within 2 s is left out up to the next key frame, so that a
// slow destination makes nothing late; a destination that is not there is tried again every second, and after the given
// patience the session fails. There is no sound.
import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../../media/video-encoder.ts';
import { FRAMES_PER_SECOND } from '../../painter/script.ts';
import type { FrameCoder } from '../../streams/stream-encoder.ts';
import type { LiveOutput } from './media-order.ts';
import { PushConnection, type Destination, type TimedSample } from './push-connection.ts';
import { srtQuery } from './source-address.ts';
import { LiveProblem } from './live-problem.ts';

const MOST_WAITING = 2 * FRAMES_PER_SECOND;
const AGAIN_MS = 1000;
const FRAME_MS = 1000 / FRAMES_PER_SECOND;
/** Time that is made up for by a jump, not by haste. */
const JUMP_MS = 1000;
const FAREWELL_MS = 1000;

/** FFmpeg would write to anything else that it is told, files among it. */
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
  readonly #patienceMs: number;
  readonly #began = performance.now();
  readonly #done: Promise<void>;
  #waiting: TimedSample[] = [];
  #description: Uint8Array | null = null;
  #frames = 0;
  #needsKey = true;
  #wake: () => void = () => {};
  #isClosing = false;

  /**
   * @param patienceMs longest that the destination may be away
   * @param failed called once, when that has passed
   */
  constructor(
    output: Exclude<LiveOutput, { kind: 'hls' }>,
    patienceMs: number,
    failed: (error: unknown) => void,
  ) {
    this.#destination = destinationOf(output);
    this.#patienceMs = patienceMs;
    this.#done = this.#run().catch(failed);
  }

  /** Hands on what the coder gives. */
  tap(coder: FrameCoder): FrameCoder {
    this.#description = coder.description.description;
    const take = (samples: Sample[]): Sample[] => {
      for (const sample of samples) this.#add(sample);
      this.#wake();
      return samples;
    };
    return {
      description: coder.description,
      encode: (paint) => take(coder.encode(paint)),
      flush: () => take(coder.flush()),
      close: () => coder.close(),
    };
  }

  /** Says farewell to the destination, within a second. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await Promise.race([this.#done, delay(FAREWELL_MS, null, { ref: false })]);
  }

  #add(sample: Sample): void {
    const passed = performance.now() - this.#began;
    if (passed - this.#frames * FRAME_MS > JUMP_MS) this.#frames = Math.floor(passed / FRAME_MS);
    const at = this.#frames++ * FRAME_MS;
    if (this.#waiting.length >= MOST_WAITING) this.#forget();
    this.#needsKey &&= !sample.key;
    if (!this.#needsKey) this.#waiting.push({ sample, at });
  }

  /** What waits is not sent; what comes next begins with a key frame. */
  #forget(): void {
    this.#waiting = [];
    this.#needsKey = true;
  }

  /** @throws LiveProblem when the destination was away for too long */
  async #run(): Promise<void> {
    let away = performance.now();
    while (!this.#isClosing) {
      if (performance.now() - away > this.#patienceMs) {
        throw new LiveProblem('the destination of the output cannot be reached');
      }
      await this.#next();
      if (await this.#visit()) away = performance.now();
      if (!this.#isClosing) await delay(AGAIN_MS);
    }
  }

  /** One connection. @returns false when there was none */
  async #visit(): Promise<boolean> {
    if (!this.#description) return false;
    const connection = await PushConnection.open(this.#destination, this.#description);
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

  /** The oldest that waits, as soon as there is one; undefined when it is closed. */
  async #next(): Promise<TimedSample | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosing) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#waiting.shift();
  }
}
