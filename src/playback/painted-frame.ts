// Tells when a picture is really on screen. Policy: requestVideoFrameCallback decides; a page that is hidden paints
// nothing, so there (and where the callback is missing) the media's own progress is taken instead.

/** Calls back once, after `video` next shows a frame or moves on; never after `signal` aborts. */
export function onceShowing(video: HTMLVideoElement, signal: AbortSignal, callback: () => void): void {
  let done = false;
  const once = (): void => {
    if (done || signal.aborted) return;
    done = true;
    callback();
  };
  video.requestVideoFrameCallback?.(once);
  const progressed = (): void => {
    if (document.hidden || !('requestVideoFrameCallback' in video)) once();
  };
  video.addEventListener('timeupdate', progressed, { signal });
  video.addEventListener('ended', once, { signal });
}
