// Pictures into coded frames, one by one, by node-av: for whole files and for streams that never end.
// Policy: a key frame every 2 s unless another length is asked for. Painters fill the encoder's own planes. Every native
// call is synchronous, because a thread that is ended while one is under way takes the process with it; every native object
// is freed on every path; packet bytes are copied before their packet goes.
import { AV_LOG_ERROR, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL } from 'node-av/constants';
import { FFmpegError, Log, Packet, type CodecContext, type Frame } from 'node-av/lib';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import { blankPicture, type Picture } from '../painter/picture.ts';
import { av1 } from './av1.ts';
import { avc } from './avc.ts';
import type { Coding, SampleDescription } from './coding.ts';
import { hevc } from './hevc.ts';
import type { Codec } from './media-spec.ts';
import { openContext, openFrame } from './open-encoder.ts';
import { prores } from './prores.ts';
import { vp9, vp9Alpha } from './vp9.ts';

// x264 tells its whole configuration on stderr for every clip otherwise.
Log.setLevel(AV_LOG_ERROR);

const opaque: Readonly<Partial<Record<Codec, Coding>>> = { h264: avc, h265: hevc, vp9, av1 };
const transparent: Readonly<Partial<Record<Codec, Coding>>> = { vp9: vp9Alpha, prores };

export interface VideoFormat {
  /** Pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Default `h264`. */
  readonly codec?: Codec;
  /** With an alpha plane, for `vp9` and always for `prores`. Default false. */
  readonly alpha?: boolean;
  /** Frames from one key frame to the next. Default 50, which is 2 s. */
  readonly keyEvery?: number;
  /** Average bits a second, in a buffer of 1 s; null, the default, for constant quality. ProRes has its own rate. */
  readonly bitsPerSecond?: number | null;
}

/** One coded frame, as a file or a fragment holds it. */
export interface Sample {
  readonly data: Uint8Array;
  readonly key: boolean;
  /** The alpha plane, coded by itself; VP9 only. */
  readonly alpha?: Uint8Array;
}

/** Paints the next frame into a picture that keeps what was last painted into it. */
export type Paint = (picture: Picture) => void;

function pictureOf(frame: Frame): Picture {
  const [y, u, v, a] = frame.data ?? [];
  const [strideY, strideC, , strideA] = frame.linesize;
  if (!y || !u || !v || !strideY || !strideC) throw new Error('the frame has no planes');
  const { width, height } = frame;
  return { width, height, y, u, v, strideY, strideC, ...(a && strideA && { a, strideA }) };
}

/** One encoder; `close` it on every path. */
export class VideoEncoder {
  readonly #coding: Coding;
  readonly #context: CodecContext;
  readonly #frame: Frame;
  readonly #packet = new Packet();
  /** What a decoder must know before the first sample. */
  readonly description: SampleDescription;
  #picture: Picture;
  #frames = 0;

  /** @throws Error when the encoder refuses, with its own words */
  constructor(video: VideoFormat) {
    const { codec = 'h264', alpha = false } = video;
    const { width, height, keyEvery = 2 * FRAMES_PER_SECOND, bitsPerSecond = null } = video;
    const format = { width, height, keyEvery, bitsPerSecond };
    const coding = (alpha ? transparent : opaque)[codec];
    if (!coding) throw new Error(`${codec} is made ${alpha ? 'without' : 'with'} transparency only`);
    this.#coding = coding;
    this.#context = openContext(coding, format);
    try {
      this.#frame = openFrame(coding, format);
    } catch (error) {
      this.#context.freeContext();
      throw error;
    }
    try {
      this.#packet.alloc();
      this.#picture = coding.fill ? blankPicture(width, height, alpha) : pictureOf(this.#frame);
      this.description = coding.describe(this.#context.extraData ?? new Uint8Array(), format);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Paints one frame more and gives what is coded by now, in order. */
  encode(paint: Paint): Sample[] {
    const { fill } = this.#coding;
    if (!this.#frame.isWritable) {
      // The encoder still holds these planes: a copy with the same content takes their place.
      FFmpegError.throwIfError(this.#frame.makeWritable(), 'writable frame');
      if (!fill) this.#picture = pictureOf(this.#frame);
    }
    paint(this.#picture);
    fill?.(this.#frame, this.#picture);
    this.#frame.pts = BigInt(this.#frames++);
    FFmpegError.throwIfError(this.#context.sendFrameSync(this.#frame), 'encode');
    return this.#drain();
  }

  /** What was still under way; nothing can be encoded after it. */
  flush(): Sample[] {
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    return this.#drain();
  }

  close(): void {
    this.#packet.free();
    this.#frame.free();
    this.#context.freeContext();
  }

  #drain(): Sample[] {
    const samples: Sample[] = [];
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, isKeyframe: key } = this.#packet;
      // Eight bytes of an id stand before it.
      const alpha = this.#packet.getSideData(AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL)?.subarray(8);
      if (data) {
        samples.push({
          data: this.#coding.toSample(data),
          key,
          ...(alpha && { alpha: Uint8Array.from(alpha) }),
        });
      }
      this.#packet.unref();
    }
    return samples;
  }
}
