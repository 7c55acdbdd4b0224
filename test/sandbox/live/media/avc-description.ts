// What an RTMP or SRT output needs to know of its pictures before there is one.
import { VideoEncoder } from '../../../../demo/sandbox/media/video-encoder.ts';

/** What the `avcC` box of some encoder of ours holds. */
export function avcDescription(): Uint8Array {
  const coder = new VideoEncoder({ width: 320, height: 180, keyEvery: 25, bitsPerSecond: null });
  coder.close();
  return coder.description.description;
}
