// A `<video>` as every player of ours makes it. Policy: muted and playsinline by construction (a signer has no sound, and
// a muted video may start without a gesture); no casting, which a MediaSource cannot do and ManagedMediaSource forbids.

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
