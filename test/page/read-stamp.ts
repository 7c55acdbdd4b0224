// Reads the sandbox's frame stamp from the picture that a video shows now.
// - One row of luma is copied straight out of the decoded frame (0.1 to 0.2 ms), because drawing the video on a
//   canvas costs the page frames and so changes what is measured.
// - Firefox and WebKit give a page no luma (BGRA, BGRX, and WebKit no bytes at all): there the video is drawn. When the video is
//   shown turned or stretched, its whole frame is drawn as it was coded, because WebKit draws a wrong part of a frame.
import { readStamp, stampHeight, type Stamp } from '../../demo/sandbox/stamp.ts';

/** Made once, because a canvas for each reading would be a canvas for each frame. */
let canvas: OffscreenCanvasRenderingContext2D | null = null;

/** One row of the picture of this size in grey, `y` lines below its top. */
function drawnRow(video: HTMLVideoElement | VideoFrame, y: number, size: DOMRectReadOnly): Uint8ClampedArray {
  const { width, height } = size;
  if (canvas?.canvas.width !== width) {
    canvas = new OffscreenCanvas(width, 1).getContext('2d', { willReadFrequently: true })!;
  }
  // A video without a picture draws nothing, so the row of another video would stay.
  canvas.clearRect(0, 0, width, 1);
  canvas.drawImage(video, 0, -y, width, height);
  return canvas.getImageData(0, 0, width, 1).data.filter((_, at) => at % 4 === 0);
}

/** Reads the picture at the call. Null without a picture, as while the video seeks, and for a picture without a stamp. */
export async function stampOf(video: HTMLVideoElement | VideoFrame): Promise<Stamp | null> {
  let frame: VideoFrame;
  try {
    frame = new VideoFrame(video);
  } catch {
    return null;
  }
  const size = frame.visibleRect ?? new DOMRectReadOnly();
  const { width, height } = size;
  // Planes are subsampled, so a copied part begins and ends on even lines.
  const rect = { x: 0, y: (stampHeight(height) >> 2) * 2, width: width & ~1, height: 2 };
  if (!/^(I4|NV12)/.test(frame.format ?? '')) {
    const isAsCoded = video instanceof VideoFrame || video.videoWidth === width;
    const row = drawnRow(isAsCoded ? video : frame, rect.y, size);
    frame.close();
    return readStamp(new Uint8Array(row), width);
  }
  const data = new Uint8Array(frame.allocationSize({ rect }));
  const [luma] = await frame.copyTo(data, { rect });
  frame.close();
  return readStamp(data.subarray(luma?.offset ?? 0), rect.width);
}
