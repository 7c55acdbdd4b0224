// Makes the `<video>` that every player uses, sets its speed and sound, and moves its picture-in-picture window.
// - Muted and playsinline: a signer has no sound, and a muted video may start without a gesture.
// - WebKitGTK 2.50 unmutes a video whose speed changes (`updatePlaybackRate` of its GStreamer player); it is muted again.
// - No casting: a MediaSource cannot be cast, and ManagedMediaSource forbids it.
// - The window moves to another `<video>` with the picture, which needs no gesture while a window is open. A video that is removed
//   closes its window, so it stays on the page until the window has moved. A browser that cannot move the window closes it.
import type { PlayerSettings } from './player.ts';

/** Within this time after a change of speed no visitor unmutes a video, for example from another window. */
const UNMUTED_MS = 250;

/** A `<video>` that is on no page yet. */
export function signerVideo(): HTMLVideoElement {
  const video = document.createElement('video');
  video.defaultMuted = video.muted = true;
  let changedAt = -UNMUTED_MS;
  video.addEventListener('ratechange', ({ timeStamp }) => (changedAt = timeStamp));
  video.addEventListener('volumechange', ({ timeStamp }) => {
    if (video.defaultMuted && timeStamp - changedAt < UNMUTED_MS) video.muted = true;
  });
  video.playsInline = true;
  video.preload = 'auto';
  video.disableRemotePlayback = true;
  video.tabIndex = -1;
  video.setAttribute('part', 'video');
  return video;
}

export function applySettings(
  video: HTMLVideoElement,
  { playbackRate, muted, volume }: PlayerSettings,
): void {
  Object.assign(video, {
    defaultPlaybackRate: playbackRate,
    playbackRate,
    defaultMuted: muted,
    muted,
    volume,
  });
}

/** Removes it from the page and releases what it holds. */
export function removeVideo(video: HTMLVideoElement): void {
  video.pause();
  video.removeAttribute('src');
  video.load();
  video.remove();
}

/** Where the window goes while it moves: the browser has one, and may take longer to move it than a short clip takes. */
let moving: { readonly to: HTMLVideoElement } | null = null;
let moved: Promise<unknown> = Promise.resolve();

/** Resolves when the window has moved, or cannot; null when `from` has no window, and will have none. */
export function movePictureInPicture(from: HTMLVideoElement, to: HTMLVideoElement): Promise<unknown> | null {
  const root = from.getRootNode() as Partial<DocumentOrShadowRoot>;
  const holder = moving?.to ?? root.pictureInPictureElement;
  if (holder !== from || from === to) return null;
  const move = (moving = { to });
  return (moved = moved
    .then(() => root.pictureInPictureElement && to.requestPictureInPicture())
    .catch(() => {})
    .then(() => {
      if (moving === move) moving = null;
    }));
}
