// The description of the video that an RTMP or SRT output needs before the first picture.
import { VideoEncoder } from '../../../../demo/sandbox/media/video-encoder.ts';

/** The content of the `avcC` box of an encoder of the sandbox. */
export function avcDescription(): Uint8Array {
  const encoder = new VideoEncoder({ width: 320, height: 180, keyEvery: 25, bitsPerSecond: null });
  encoder.close();
  return encoder.description.description;
}
