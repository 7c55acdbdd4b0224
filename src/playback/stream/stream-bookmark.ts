// A place in a stream to come back to. Policy: it is there as long as the stream is the one that is shown and still has it.
import type { Player } from '../player.ts';

export interface Bookmark {
  /** False once the stream has moved on beyond it or was replaced. */
  readonly kept: boolean;
  /** Plays from there, or from where it is when the place is gone. */
  open(): void;
}

/** Where this player is now; `isShown` tells whether it still shows the same stream. */
export function bookmarkIn(player: Player, isShown: () => boolean): Bookmark {
  const time = player.currentTime;
  return {
    get kept() {
      const { seekable } = player;
      return isShown() && seekable.length > 0 && seekable.start(0) <= time;
    },
    open() {
      if (this.kept) player.currentTime = time;
      void player.play();
    },
  };
}
