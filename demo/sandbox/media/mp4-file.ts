// Coded frames into one MP4 file, by mediabunny. Policy: the index stands in front, so that a clip plays while it loads.
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { FRAMES_PER_SECOND } from '../painter/gloss.ts';
import type { AvcDescription } from './avc.ts';
import { VideoEncoder, type Sample, type VideoFormat } from './video-encoder.ts';
import type { Picture } from '../painter/picture.ts';

async function mux(
  samples: readonly Sample[],
  avc: AvcDescription,
  { width, height }: VideoFormat,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const decoderConfig = {
    codec: avc.codec,
    codedWidth: width,
    codedHeight: height,
    description: avc.description,
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
  };
  for (const [frame, { data, key }] of samples.entries()) {
    const packet = new EncodedPacket(
      data,
      key ? 'key' : 'delta',
      frame / FRAMES_PER_SECOND,
      1 / FRAMES_PER_SECOND,
    );
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('the muxer gave no file');
  return new Uint8Array(target.buffer);
}

/**
 * Paints and encodes a whole video.
 * @param paint called once a frame, in order, with the frame's number
 * @returns the file
 * @throws Error when the encoder refuses, with its own words
 */
export async function encodeMp4(
  video: VideoFormat & { readonly frames: number },
  paint: (picture: Picture, number: number) => void,
): Promise<Uint8Array> {
  const encoder = new VideoEncoder(video);
  const samples: Sample[] = [];
  try {
    for (let number = 0; number < video.frames; number++) {
      samples.push(...encoder.encode((picture) => paint(picture, number)));
    }
    samples.push(...encoder.flush());
  } finally {
    encoder.close();
  }
  return mux(samples, encoder.description, video);
}
