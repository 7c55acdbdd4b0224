// A stretch of a growing stream that nobody is to see: the signer of an aborted text, who cannot be stopped. Policy: the
// picture stands at once, and goes on behind the stretch as soon as the playlist has grown that far, or earlier at a
// moment that somebody waits for, so that nothing of what comes is lost. The playlist is looked at ten times a second.
import type { StreamSlot } from '../live/stream-slot.ts';

const LOOK_MS = 100;

export class StreamSkip {
  #timer: ReturnType<typeof setInterval> | undefined;

  /** True while the picture stands for it: no pause of the visitor's. */
  get on(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * @param to the second of the slot's video behind the stretch
   * @param wanted the first second that somebody waits for, null while nobody does
   * @param over called once the video has been sent there; it stands still then
   */
  begin(slot: StreamSlot, to: number, wanted: () => number | null, over: () => void): void {
    this.end();
    const { video } = slot;
    video.pause();
    this.#timer = setInterval(() => {
      const target = Math.max(video.currentTime, Math.min(to, wanted() ?? to));
      if ((slot.edge ?? 0) < target) return;
      this.end();
      video.currentTime = target;
      over();
    }, LOOK_MS);
  }

  /** Nothing is left out any more; the picture stands. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
