// The next frame that a video shows (requestVideoFrameCallback), and the second of the film that it is. Policy: a frame counts
// as shown at most three screen refreshes before the video's own time comes to it. Chromium tells it up to two early; a busy
// Firefox, which then does not know when it will paint next, names the last of up to ten frames that it has handed to the
// screen for later (0.36 s early was seen). It is told among the animation frames, which follow at once: in Firefox (153) a
// video that loses its source while frames are told stops every animation frame of the page for good.

/** Seconds of three refreshes at 60 Hz; at double speed they are twice as many of the film. */
const EARLY = 0.05;

/**
 * Tells once, unless the returned function was called before; never where the browser tells of no frames.
 * @param tell is given the second of the film
 */
export function onNextFrame(video: HTMLVideoElement, tell: (second: number) => void): () => void {
  let over = false;
  const request = video.requestVideoFrameCallback?.((_, { mediaTime }) => {
    const second = Math.min(mediaTime, video.currentTime + EARLY * video.playbackRate);
    video.ownerDocument.defaultView?.requestAnimationFrame(() => {
      if (!over) tell(second);
    });
  });
  return () => {
    over = true;
    if (request !== undefined) video.cancelVideoFrameCallback(request);
  };
}
