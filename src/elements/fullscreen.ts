// The whole screen for an element, and back. Policy: the element and not its video, so that messages and buttons come
// along; only where that is refused, or a phone gives it to nothing but a video, the video alone.
import type { MediaElement } from './media-element.ts';

/** Never rejects: who is refused sees that nothing has changed. */
export async function toggleFullscreen(element: MediaElement): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await element.requestFullscreen();
  } catch {
    (element.media as { webkitEnterFullscreen?(): void } | null)?.webkitEnterFullscreen?.();
  }
}
