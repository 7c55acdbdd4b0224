// How far the signer is from where a page's video is, and what to do about it. Policy: up to 1 s is made good by speed,
// half of it a second and never beyond 0.9 to 1.1, which eyes do not see; more by one seek, and then none for 5 s, however
// far it is, so that a video that is dragged about makes no storm of seeks. Less than two frames is nothing.

const SEEK_BEYOND = 1;
const SEEK_PAUSE_MS = 5_000;
const CLOSE_ENOUGH = 0.08;
const GAIN = 0.5;
const SLOWEST = 0.9;
const FASTEST = 1.1;

export interface Step {
  /** Speed, as a multiple of the other video's. */
  readonly rate: number;
  readonly seek: boolean;
}

/**
 * @param lag seconds behind where it should be; negative when ahead
 * @param sinceSeekMs since the last seek that was made for this
 */
export function stepFor(lag: number, sinceSeekMs: number): Step {
  const off = Math.abs(lag);
  if (off > SEEK_BEYOND && sinceSeekMs >= SEEK_PAUSE_MS) return { rate: 1, seek: true };
  if (off < CLOSE_ENOUGH) return { rate: 1, seek: false };
  const rate = Math.min(FASTEST, Math.max(SLOWEST, 1 + GAIN * lag));
  // Hundredths: a speed that differs by less is not worth telling the video.
  return { rate: Math.round(rate * 100) / 100, seek: false };
}
