// A `<video>` as every player makes it, and its picture-in-picture window.
// - Muted and playsinline: a signer has no sound, and a muted video may start without a gesture.
// - No casting: a MediaSource cannot be cast, and ManagedMediaSource forbids it.
// - The window follows the picture to another `<video>`, which needs no gesture while there is a window. A video that leaves
//   the page closes its window, so it stays until the window has moved. A browser that does not move the window closes it.

/** A `<video>` that is on no page yet. */
export function signerVideo(): HTMLVideoElement {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.disableRemotePlayback = true;
  video.tabIndex = -1;
  video.setAttribute('part', 'video');
  return video;
}

/** Takes it off the page, and releases what it holds. */
export function removeVideo(video: HTMLVideoElement): void {
  video.pause();
  video.removeAttribute('src');
  video.load();
  video.remove();
}

/** Resolves once the window has moved, or will not; null when `from` is in none. */
export function movePictureInPicture(from: HTMLVideoElement, to: HTMLVideoElement): Promise<unknown> | null {
  const { pictureInPictureElement } = from.getRootNode() as Partial<DocumentOrShadowRoot>;
  if (pictureInPictureElement !== from || from === to) return null;
  return to.requestPictureInPicture().catch(() => {});
}
