// The picture-in-picture window when another `<video>` comes to the front. Policy: the window goes with the picture, which
// needs no gesture as long as there is a window; whoever lets the old video go waits for that, because a video that leaves
// the page takes its window with it. A browser that will not move the window closes it, and the element plays on.

/** Resolves once the window has moved, or will not; null when `from` is in none. */
export function movePictureInPicture(from: HTMLVideoElement, to: HTMLVideoElement): Promise<unknown> | null {
  const { pictureInPictureElement } = from.getRootNode() as Partial<DocumentOrShadowRoot>;
  if (pictureInPictureElement !== from || from === to) return null;
  return to.requestPictureInPicture().catch(() => {});
}
