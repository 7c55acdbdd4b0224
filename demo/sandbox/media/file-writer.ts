// Coded frames into files, by mediabunny. Policy: the index of MP4 and QuickTime stands in front, so that a clip plays while
// it loads; a `segment` is one fragment with its init in the same file.
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type OutputFormat,
  type VideoCodec,
} from 'mediabunny';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import type { SampleDescription } from './coding.ts';
import type { Codec, Container } from './media-spec.ts';
import type { Sample } from './video-encoder.ts';

/** Containers of one file. */
export type SingleFile = Exclude<Container, 'ts'>;

const trackCodecs: Readonly<Record<Codec, VideoCodec>> = {
  h264: 'avc',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
  prores: 'prores',
};

const formats: Readonly<Record<SingleFile, () => OutputFormat>> = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  mov: () => new MovOutputFormat({ fastStart: 'in-memory' }),
  webm: () => new WebMOutputFormat(),
  segment: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: Infinity }),
};

/** The one track of a file. */
export interface Track extends SampleDescription {
  readonly width: number;
  readonly height: number;
  readonly track: Codec;
}

/** One file of these frames. */
export async function writeFile(
  container: SingleFile,
  { codec, description, width, height, track }: Track,
  samples: readonly Sample[],
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: formats[container](), target });
  const source = new EncodedVideoPacketSource(trackCodecs[track]);
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const decoderConfig = {
    codec,
    codedWidth: width,
    codedHeight: height,
    ...(description.length > 0 && { description }),
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
  };
  for (const [i, { data, key, alpha }] of samples.entries()) {
    const [time, length] = [i / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND];
    const sideData = alpha ? { alpha } : {};
    const packet = new EncodedPacket(data, key ? 'key' : 'delta', time, length, -1, undefined, sideData);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('the muxer gave no file');
  return new Uint8Array(target.buffer);
}
