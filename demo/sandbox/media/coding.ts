// What one codec's room tells the encoder and the muxers; the words they share. Policy: one frame in, one frame out, no
// reordering, because streams cannot wait; closed groups of pictures of a fixed length, because segments begin with them.
import type { AVPixelFormat, FFVideoEncoder } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Picture } from '../painter/picture.ts';

export interface CodingFormat {
  /** Pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Frames from one key frame to the next. */
  readonly keyEvery: number;
  /** Average bits a second; null for constant quality. */
  readonly bitsPerSecond: number | null;
}

/** What a decoder must know before the first sample. */
export interface SampleDescription {
  /** RFC 6381. */
  readonly codec: string;
  /** Content of `avcC`, `hvcC`, `vpcC` or `av1C` beside the sample entry; empty for ProRes, which has none. */
  readonly description: Uint8Array;
}

/** One codec: its encoder in FFmpeg, and what is done with what comes out of it. */
export interface Coding {
  readonly encoder: FFVideoEncoder;
  readonly pixelFormat: AVPixelFormat;
  /** Options of the encoder by FFmpeg's names. */
  options(format: CodingFormat): Readonly<Record<string, string>>;
  /** @param extradata what the encoder tells before its first packet; empty when it tells nothing */
  describe(extradata: Uint8Array, format: CodingFormat): SampleDescription;
  /** A packet as a file holds it; a copy. */
  toSample(packet: Uint8Array): Uint8Array;
  /** Fills the encoder's frame from a picture, where the encoder takes no such planes as painters paint. */
  fill?(frame: Frame, picture: Picture): void;
}

/** FFmpeg's options for an average rate in a buffer of 1 s. */
export const averageRate = (bitsPerSecond: number): Readonly<Record<string, string>> => {
  const bits = String(bitsPerSecond);
  return { b: bits, maxrate: bits, bufsize: bits };
};
