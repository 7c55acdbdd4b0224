// Painted frames into the files of a spec: one, or a row of MPEG-TS segments. Policy: a segment begins with a key frame and
// has whole frames, and its times and counters run on from the one before; what grows beyond 256 MB is given up before it
// fills the memory.
import type { Picture } from '../painter/picture.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import { TransportStream } from '../streams/transport-stream.ts';
import { writeFile } from './file-writer.ts';
import type { MediaSpec } from './media-spec.ts';
import { VideoEncoder, type Sample } from './video-encoder.ts';

/** Between key frames of a file that has no segments. */
const KEY_SECONDS = 2;
const MOST_BYTES = 256 * 1024 * 1024;

/** What of a spec decides how frames are coded and put into files. */
export type FileSpec = Pick<MediaSpec, 'codec' | 'container' | 'bitsPerSecond' | 'segmentSeconds' | 'style'>;

/**
 * Paints, encodes and writes.
 * @param paint called once a frame, in order, with the frame's number
 * @returns the files, one unless the container is `ts`
 * @throws Error when the encoder refuses, with its own words
 */
export async function encodeFiles(
  { codec, container, bitsPerSecond, segmentSeconds, style }: FileSpec,
  frames: number,
  paint: (picture: Picture, frame: number) => void,
): Promise<Uint8Array[]> {
  const { width, height, backdrop } = style;
  const keyEvery = Math.round((segmentSeconds ?? KEY_SECONDS) * FRAMES_PER_SECOND);
  const alpha = backdrop === 'transparent';
  const encoder = new VideoEncoder({ width, height, codec, alpha, bitsPerSecond, keyEvery });
  const samples: Sample[] = [];
  let bytes = 0;
  const keep = (coded: readonly Sample[]): void => {
    for (const sample of coded) bytes += sample.data.length + (sample.alpha?.length ?? 0);
    if (bytes > MOST_BYTES) throw new Error('a file of more than 256 MB');
    samples.push(...coded);
  };
  try {
    for (let frame = 0; frame < frames; frame++) {
      keep(encoder.encode((picture) => paint(picture, frame)));
    }
    keep(encoder.flush());
  } finally {
    encoder.close();
  }
  const { description } = encoder;
  if (container !== 'ts') {
    return [await writeFile(container, { ...description, width, height, track: codec }, samples)];
  }
  const transport = new TransportStream(description);
  const files: Uint8Array[] = [];
  for (let from = 0; from < samples.length; from += keyEvery) {
    files.push(transport.write(from, samples.slice(from, from + keyEvery)));
  }
  return files;
}
