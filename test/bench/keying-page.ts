// The page of the keying bench: shows one clip as a plain video or keyed, and counts the frames that are painted.
import { ChromaKeyCanvas } from '../../src/playback/chroma-key/chroma-key-canvas.ts';
import { clipUrl, closeServices } from '../playback/clips/clip-urls.ts';

export type Way = 'plain' | 'keyed';

/** What was shown last. */
let shown: { readonly video: HTMLVideoElement; readonly keyed: ChromaKeyCanvas | null } | null = null;

/** Plays the clip over and over; resolves once it has warmed up for a second. */
export async function show(way: Way, resolution: string, width: number): Promise<void> {
  shown?.keyed?.destroy();
  const box = document.createElement('div');
  const video = document.createElement('video');
  box.style.cssText = `position: relative; width: ${width}px; aspect-ratio: 16 / 9`;
  // Without this attribute the picture is visible, but scripts may not read it.
  video.crossOrigin = 'anonymous';
  video.muted = video.loop = true;
  video.src = await clipUrl('The train to Leeds is late', resolution);
  // The bench measures slowness, so the monitor must not switch keying off.
  video.getVideoPlaybackQuality = () => ({ totalVideoFrames: 0 }) as VideoPlaybackQuality;
  box.append(laid(video));
  document.body.replaceChildren(box);
  await video.play();
  const keyed = way === 'keyed' ? new ChromaKeyCanvas(box, () => {}) : null;
  if (keyed) {
    video.style.opacity = '0';
    keyed.background = 'transparent';
    box.append(laid(keyed.canvas));
  }
  shown = { video, keyed };
  await seconds(1);
}

/** Counts painted frames for that many seconds; rejects when the video is not keyed although it should be. */
export async function countFrames(howLong: number): Promise<number> {
  const { video, keyed } = shown!;
  let frames = 0;
  let request = 0;
  const count = (): void => {
    frames += 1;
    request = video.requestVideoFrameCallback(count);
  };
  request = video.requestVideoFrameCallback(count);
  await seconds(howLong);
  video.cancelVideoFrameCallback(request);
  if (keyed?.showsVideo) throw new Error('the video was not keyed');
  return frames;
}

export const close = (): void => closeServices();

const seconds = (howLong: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, howLong * 1000));

function laid<Laid extends HTMLElement>(element: Laid): Laid {
  element.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%';
  return element;
}
