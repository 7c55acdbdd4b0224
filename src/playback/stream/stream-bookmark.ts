// A place in a stream to come back to. Policy: it is there as long as the stream is the one that is shown and still has it.
import type { MediaSurface } from '../media-surface.ts';

export interface Bookmark {
  /** False once the stream has moved on beyond it or was replaced. */
  readonly kept: boolean;
  /** Plays from there, or from where it is when the place is gone. */
  open(): void;
}

/** Where this surface is now; `isShown` tells whether it still shows the same stream. */
export function bookmarkIn(surface: MediaSurface, isShown: () => boolean): Bookmark {
  const time = surface.currentTime;
  return {
    get kept() {
      const { seekable } = surface;
      return isShown() && seekable.length > 0 && seekable.start(0) <= time;
    },
    open() {
      if (this.kept) surface.currentTime = time;
      void surface.play();
    },
  };
}
