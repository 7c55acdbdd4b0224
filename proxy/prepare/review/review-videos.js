// Shows the clip and the previous one on the review page, both in the same way.

const FRAME_SECONDS = 1 / 25;

const [clip, before] = ['clip', 'before'].map((id) => document.getElementById(id));
const shownVideos = () => [clip, before].filter((video) => !video.hidden);
const press = (id, isOn) => (document.getElementById(id).ariaPressed = String(isOn));

export function setVideo(video, file) {
  if (video.getAttribute('src') === file) return;
  if (file) return void (video.src = file);
  video.removeAttribute('src');
  // Else the last picture stays.
  video.load();
}

function step(seconds) {
  for (const video of shownVideos()) {
    video.pause();
    video.currentTime = Math.max(0, video.currentTime + seconds);
  }
}

/** By the id of the button. */
export const watching = {
  play() {
    const isStill = clip.paused;
    for (const video of shownVideos()) {
      if (isStill) video.play().catch(() => {});
      else video.pause();
    }
  },
  loop() {
    const isOn = !clip.loop;
    for (const video of [clip, before]) video.loop = isOn;
    press('loop', isOn);
    if (isOn) for (const video of shownVideos()) video.play().catch(() => {});
  },
  half() {
    const rate = clip.playbackRate === 0.5 ? 1 : 0.5;
    for (const video of [clip, before]) video.defaultPlaybackRate = video.playbackRate = rate;
    press('half', rate === 0.5);
  },
  'frame-back': () => step(-FRAME_SECONDS),
  'frame-on': () => step(FRAME_SECONDS),
};
