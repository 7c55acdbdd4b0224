// Where a picture is between the past and live. Policy: live is where the manifest ends and the time since it was read; the
// visitor's clock is never compared with the stream's. Live counts as reached within 1 s of where playback is to be, and a
// picture that is more than 3 s behind it is not caught up with but jumped from.
import type { StreamSlot } from './stream-slot.ts';

const REACHED_SECONDS = 1;
const JUMP_SECONDS = 3;

/** Seconds behind live; null for a stream with an end, and before its manifest was read. */
export const latencyOf = ({ liveEdge, video }: StreamSlot): number | null =>
  liveEdge === null ? null : Math.max(0, liveEdge - video.currentTime);

/** The second from which on playback counts as live; NaN where nothing is. */
export const liveFrom = ({ livePosition }: StreamSlot): number =>
  livePosition === null ? NaN : Math.max(0, livePosition - REACHED_SECONDS);

/** True when it is too far behind to be caught up with. */
export const isFarBehind = ({ livePosition, video }: StreamSlot): boolean =>
  livePosition !== null && livePosition - video.currentTime > JUMP_SECONDS;

/** Seconds that are loaded beyond this second of the video; 0 where nothing is. */
export function loadedBeyond({ buffered }: Pick<HTMLVideoElement, 'buffered'>, second: number): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= second && second < buffered.end(i)) return buffered.end(i) - second;
  }
  return 0;
}

/** The second nearest to this one, at or before it, with so much loaded beyond; null where nothing is. */
export function roomAt({ buffered }: HTMLVideoElement, second: number, beyond: number): number | null {
  for (let i = buffered.length - 1; i >= 0; i--) {
    const [start, end] = [buffered.start(i), buffered.end(i)];
    if (start <= second) return Math.max(start, Math.min(second, end - beyond));
  }
  return null;
}
