// Tests whether this browser plays a WebM with transparency (document 1, `bgColour` of `-1,-1,-1`) correctly to its end.
// - Some browsers play it on black. WebKitGTK decodes colour and alpha separately: after a dropped frame it combines
//   colour and alpha of different frames, and then stalls.
// - The page therefore makes one test: it plays a video of half a second, with too many frames to show them all, and reads what is
//   painted. The test plays the video twice in a row, because one run may pass by chance.
// - A video that has started ends within 5 s, else it has stalled. When one of its two pictures was never painted, the
//   result is false, and the next call tests again.
import { signerVideo } from './signer-video.ts';

const MAX_PLAY_MS = 5000;
const TYPE = 'video/webm; codecs="vp9"';
const FRAMES = 250;
const FRAME_MS = 2;

/**
 * VP9 with alpha, 640 by 352 pixels: the header for all frames, and two frames. The first is white on its left half, the
 * second on its right half; the other half is black and transparent.
 */
const HEADER_AND_FRAMES =
  'GkXfo49CgoR3ZWJtQoeBAkKFgQIYU4BnEACQ1BVJqWaWKtexgw9CQESJhEP6AABNgIEtV0GBLRZUrmuhrp/XgQFzxYEBg4EBhoVWX1ZQOeCMsIICgLqCAW' +
  'BTwIEBH0O2dRAAkIvngQCgQJGhxYEAAACCSYNCACfwFfYAOCQcGXAQAFBh9jr2gFzR7gAAAAAAECPVIAEmW0RwoZ5ESgTjtDBrHJC96ZM3AS6eKhco/I46' +
  '8HWhx6bF7oEBpcCCSYNCACfwFfYAOCQcGXAQAFBh9jr2gFzR7gAAAAAAEGX+04sx1+GSRIjyQYipBABmBRuLMdfhkkSI8kGIqQQAoECRocWBAAAAgkmDQg' +
  'An8BX2ADgkHBlwEABQYfY69oBc0e4AAAAAABFrHJC96ZM3AS6eKhco/I468CPVIAEmW0RwoZ5ESgTjtDB1ocemxe6BAaXAgkmDQgAn8BX2ADgkHBlwEABQ' +
  'YfY69oBc0e4AAAAAABBmBRuLMdfhkkSI8kGIqQQAZf7TizHX4ZJEiPJBiKkEAA==';
const FRAME_BYTES = 148;
/** Offset of the 16-bit time in a frame. */
const TIME_AT = 6;

let answer: Promise<boolean | null> | null = null;

export async function playsAlphaWebm(): Promise<boolean> {
  const known = await (answer ??= probe().catch(() => false));
  // Null, as on a busy machine: the next call tries again.
  if (known === null) answer = null;
  return known ?? false;
}

/** @returns null when one of the two pictures was never painted */
async function probe(): Promise<boolean | null> {
  const first = await playsWell();
  return first ? playsWell() : first;
}

async function playsWell(): Promise<boolean | null> {
  const video = signerVideo();
  if (!video.canPlayType(TYPE)) return false;
  const url = URL.createObjectURL(new Blob([testVideo()], { type: TYPE }));
  let over = false;
  try {
    return await new Promise<boolean | null>((resolve) => {
      const small = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const seen = new Set<PaintedSide>();
      const check = (): void => {
        if (over || !small) return;
        requestAnimationFrame(check);
        seen.add(paintedSideOf(video, small));
        if (seen.has('wrong')) resolve(false);
      };
      check();
      const hasBegun = (): boolean => seen.has('left') && seen.has('right');
      // A hidden page paints nothing.
      video.onended = () => resolve(hasBegun() || null);
      video.onerror = () => resolve(false);
      setTimeout(() => resolve(hasBegun() ? false : null), MAX_PLAY_MS);
      video.src = url;
      video.play().catch(() => resolve(null));
    });
  } finally {
    over = true;
    URL.revokeObjectURL(url);
    video.removeAttribute('src');
    video.load();
  }
}

function testVideo(): Uint8Array<ArrayBuffer> {
  const parts = Uint8Array.from(atob(HEADER_AND_FRAMES), (letter) => letter.charCodeAt(0));
  const start = parts.length - 2 * FRAME_BYTES;
  const bytes = new Uint8Array(start + FRAMES * FRAME_BYTES);
  bytes.set(parts.subarray(0, start));
  for (let frame = 0; frame < FRAMES; frame++) {
    const from = start + (frame % 2) * FRAME_BYTES;
    const at = start + frame * FRAME_BYTES;
    bytes.set(parts.subarray(from, from + FRAME_BYTES), at);
    new DataView(bytes.buffer).setUint16(at + TIME_AT, frame * FRAME_MS);
  }
  return bytes;
}

type PaintedSide = 'left' | 'right' | 'nothing' | 'wrong';

/** Where the frame on screen is white; `nothing` before the first frame. */
function paintedSideOf(video: HTMLVideoElement, small: CanvasRenderingContext2D): PaintedSide {
  small.clearRect(0, 0, 4, 1);
  small.drawImage(video, 0, 0, 4, 1);
  const { data } = small.getImageData(0, 0, 4, 1);
  const isClear = (at: number): boolean => data[at + 3]! < 128;
  const isWhite = (at: number): boolean => data[at]! > 128 && !isClear(at);
  const [left, right] = [0, 12];
  if (isClear(left) && isClear(right)) return 'nothing';
  if (isWhite(left) && isClear(right)) return 'left';
  return isWhite(right) && isClear(left) ? 'right' : 'wrong';
}
