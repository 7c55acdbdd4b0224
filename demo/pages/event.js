// A live event as a site owner would show it. The site's own hls.js plays the site's own video. The signer of the live session is
// beside it, and `sync-with` synchronises the signer with the video.
// - The site's server says where the event is, and which session signs it.
import Hls from '/hls.js/hls.min.mjs';

const video = document.getElementById('event-video');
const signer = document.getElementById('signer');
const state = document.getElementById('state');
const again = document.getElementById('again');

const states = {
  connecting: 'Looking for the signer…',
  ready: 'The signer is coming…',
  signing: 'Live.',
  reconnecting: 'The signer was lost. Trying again…',
  finalizing: 'The event is over, its last seconds are shown.',
  ended: 'The signing is over.',
  failed: 'The signer cannot be shown.',
};

let hls;
const captions = video.addTextTrack('captions', 'English', 'en');
captions.mode = 'showing';

// The date of the video's second 0. hls.js knows it from the dates of the manifest, the video does not.
video.getStartDate = () => new Date((hls?.playingDate?.getTime() ?? NaN) - video.currentTime * 1000);

function play(address) {
  hls?.destroy();
  for (const cue of [...captions.cues]) captions.removeCue(cue);
  // hls.js would use a worker from a blob and captions from a data: address. The page's policy allows neither.
  hls = new Hls({ enableWorker: false, renderTextTracksNatively: false, liveDurationInfinity: true });
  hls.on(Hls.Events.CUES_PARSED, (_, { cues }) => cues.forEach((cue) => captions.addCue(cue)));
  // hls.js drops a playlist of captions that arrives before the video's playlist, and aborts captions that are loading when it
  // seeks to the start position. So captions are requested once the video plays.
  hls.once(Hls.Events.MANIFEST_PARSED, () => (hls.subtitleTrack = -1));
  video.addEventListener('playing', () => (hls.subtitleTrack = 0), { once: true });
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (fatal) over('The video cannot be shown any more.');
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  video.play().catch(() => {
    // The browser requires a gesture first. The video has a play button for it.
  });
}

function over(words) {
  state.textContent = words;
  again.hidden = false;
}

async function open() {
  again.hidden = true;
  state.textContent = 'The event is beginning…';
  const response = await fetch('/event', { method: 'POST' }).catch(() => null);
  if (!response?.ok) return over('The event could not start.');
  const { session, video: address } = await response.json();
  play(address);
  signer.session = session;
}

signer.addEventListener('sign-statechange', (event) => {
  const words = states[event.detail.state];
  if (['ended', 'failed'].includes(event.detail.state)) over(words);
  else if (words) state.textContent = words;
});
video.addEventListener('ended', () => over('The event is over.'));
again.addEventListener('click', () => void open());
void open();
