// Decodes the packets of a source's video track.
// - It decodes synchronously in one thread, because more threads would delay pictures.
// - While it is behind, it decodes key frames only, if they come at least every 250 packets. With fewer key frames the picture
//   would freeze.
// - A track without a picture in 100 decoded packets cannot be decoded.
// - A picture has at most 4096x2304 pixels, the coded size that 3840x2160 may have.
import type { AVPixelFormat } from 'node-av/constants';
import {
  FFmpegError,
  avImageGetBufferSize,
  Codec,
  CodecContext,
  Frame,
  type Packet,
  type Stream,
} from 'node-av/lib';
import { LiveProblem } from './live-messages.ts';

const MOST_WITHOUT_PICTURE = 100;
/** Packets from one key frame to the next: the default of many encoders. */
const MOST_APART = 250;
const MOST_PIXELS = 4096 * 2304;
const NO_TIME = -(2n ** 63n);
const SKIP = { some: 'nokey', none: 'default' };

export interface Decoded {
  /** Time on the source's clock. */
  readonly seconds: number;
  /** Size of the frame in memory. */
  readonly bytes: number;
  /** The receiver must free it. */
  readonly frame: Frame;
}

const bytesOf = ({ format, width, height }: Frame): number =>
  avImageGetBufferSize(format as AVPixelFormat, width, height, 1);

export class PictureDecoder {
  /** Whether pictures are late, so that only key frames are decoded if they are frequent enough. */
  isBehind = false;
  readonly #context = new CodecContext();
  readonly #secondsPerTick: number;
  #withoutPicture = 0;
  #last = 0;
  #isSkipping = false;
  /** Packets between the last two key frames. */
  #apart = Infinity;
  /** Packets since the last key frame. */
  #sinceKey = Infinity;

  /** @throws LiveProblem when it cannot be decoded here */
  constructor({ codecpar, timeBase }: Stream) {
    const codec = Codec.findDecoder(codecpar.codecId);
    if (!codec) throw new LiveProblem('the source is of a codec that is not known here');
    if (codecpar.width * codecpar.height > MOST_PIXELS) {
      throw new LiveProblem('the picture of the source is too large');
    }
    this.#secondsPerTick = timeBase.num / timeBase.den;
    try {
      this.#context.allocContext3(codec);
      this.#context.threadCount = 1;
      FFmpegError.throwIfError(this.#context.parametersToContext(codecpar), 'parameters');
      FFmpegError.throwIfError(this.#context.setOption('max_pixels', MOST_PIXELS), 'most pixels');
      FFmpegError.throwIfError(this.#context.open2Sync(codec), 'open decoder');
    } catch {
      this.#context.freeContext();
      throw new LiveProblem('the picture of the source cannot be decoded');
    }
  }

  /** The pictures that are complete after this packet, in presentation order. @throws LiveProblem */
  decode(packet: Packet): Decoded[] {
    this.#setSkipping();
    this.#sinceKey += 1;
    // The decoder conceals broken parts of a picture.
    this.#context.sendPacketSync(packet);
    const pictures = [...this.#drain()];
    this.#withoutPicture = pictures.length > 0 || this.#isSkipping ? 0 : this.#withoutPicture + 1;
    if (this.#withoutPicture > MOST_WITHOUT_PICTURE)
      throw new LiveProblem('the picture of the source cannot be decoded');
    return pictures;
  }

  /** The remaining pictures at the end of the source. */
  flush(): Decoded[] {
    this.#context.sendPacketSync(null);
    return [...this.#drain()];
  }

  close(): void {
    this.#context.freeContext();
  }

  #setSkipping(): void {
    const isSkipping = this.isBehind && Math.max(this.#apart, this.#sinceKey) <= MOST_APART;
    if (isSkipping === this.#isSkipping) return;
    this.#isSkipping = isSkipping;
    this.#context.setOption('skip_frame', isSkipping ? SKIP.some : SKIP.none);
  }

  *#drain(): Generator<Decoded> {
    for (;;) {
      const frame = new Frame();
      frame.alloc();
      if (this.#context.receiveFrameSync(frame) < 0) return frame.free();
      const ticks = frame.bestEffortTimestamp;
      if (ticks !== NO_TIME) this.#last = Number(ticks) * this.#secondsPerTick;
      if (frame.keyFrame) [this.#apart, this.#sinceKey] = [this.#sinceKey, 0];
      yield { seconds: this.#last, bytes: bytesOf(frame), frame };
    }
  }
}
