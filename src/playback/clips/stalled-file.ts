// A `<video>` that plays a whole file and stands, although all of it is here. WebKitGTK does so now and then: at the end,
// where it fires no `ended` or does not begin again with `loop`, or anywhere until it is stopped and played once more.
// Policy: looked at once a second while it plays; one that has stood for two looks is told to go on from there, to begin
// again, or that it has ended. What waits for media that is still to come is left to itself, and so is a tape, which has
// no end; on its last frame nothing is to come that could be missed. `readyState` is not asked: of a second round it says
// there that the next frame is missing.
import { ProgressWatchdog } from '../progress-watchdog.ts';

/** In looks, one a second. */
const PATIENCE = 2;
/** Seconds: a frame of 10 frames a second. */
const LAST_FRAME = 0.1;

/** For as long as there is this video. */
export function restartWhenStalled(video: HTMLVideoElement): void {
  const sight = (): string | null => {
    const { paused, seeking, currentTime } = video;
    const waits = paused || seeking || !(isLoaded(video) || isAtEnd(video));
    return waits ? null : String(currentTime);
  };
  const stuck = new ProgressWatchdog(sight, (looks) => {
    if (looks >= PATIENCE) goOn(video);
  });
  video.addEventListener('playing', () => stuck.begin());
  for (const type of ['pause', 'ended', 'emptied']) video.addEventListener(type, () => stuck.end());
}

const isAtEnd = ({ currentTime, duration }: HTMLVideoElement): boolean =>
  currentTime >= duration - LAST_FRAME;

const isLoaded = ({ buffered, duration }: HTMLVideoElement): boolean =>
  buffered.length > 0 && buffered.end(buffered.length - 1) >= duration - LAST_FRAME;

function goOn(video: HTMLVideoElement): void {
  if (!isAtEnd(video)) {
    video.pause();
    // A refusal is seen by whoever has begun it.
    video.play().catch(() => {});
  } else if (video.loop) video.currentTime = 0;
  else video.dispatchEvent(new Event('ended'));
}
