// Starting a video without a visitor's gesture. Policy: muted first, for that is what browsers allow; one that has sound
// and is refused is muted and tried once more, because a signer who is seen without sound is better than none; if that is
// refused too, its sound is what it was. Never an unhandled rejection.

/** `muted` when it plays because its sound was taken off; `other` when something else came between, a new load say. */
export type PlayOutcome = 'playing' | 'muted' | 'refused' | 'other';

const tryToPlay = (video: HTMLVideoElement): Promise<PlayOutcome> =>
  video.play().then(
    () => 'playing',
    (error: unknown) =>
      error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'other',
  );

export async function startPlaying(video: HTMLVideoElement): Promise<PlayOutcome> {
  const outcome = await tryToPlay(video);
  if (outcome !== 'refused' || video.muted) return outcome;
  video.muted = true;
  const again = await tryToPlay(video);
  if (again === 'playing') return 'muted';
  video.muted = false;
  return again;
}
