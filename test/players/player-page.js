// One video and one stock player, named by the address of the page: `?player=hls.js&url=…`. `window.seen` has
// each painted frame by its stamp, `window.complaints` every error that the player reports.
// - Players run with their own defaults.
// - Only low latency is set, for the players that need an option for it.
import { readStamp, stampHeight } from '/stamp.js';

const asked = new URL(location.href).searchParams;
const url = asked.get('url');
const lowLatency = asked.get('low-latency') === 'true';
const video = document.querySelector('video');

window.seen = [];
window.complaints = [];
const complain = (what) => window.complaints.push(String(what));

function load(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = path;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${path} is not there`));
    document.head.append(script);
  });
}

async function playHls(script) {
  await load(script);
  const { Hls } = window;
  const {
    BUFFER_STALLED_ERROR,
    BUFFER_SEEK_OVER_HOLE,
    BUFFER_NUDGE_ON_STALL,
    LEVEL_LOAD_TIMEOUT,
    INTERNAL_ABORTED,
  } = Hls.ErrorDetails;
  // These come from a busy machine and not from the stream: a wait for a frame or a playlist, and a request that hls.js itself
  // gives up when it is late and loads from another position.
  const waits = [
    ...[BUFFER_STALLED_ERROR, BUFFER_SEEK_OVER_HOLE, BUFFER_NUDGE_ON_STALL],
    ...[LEVEL_LOAD_TIMEOUT, INTERNAL_ABORTED],
  ];
  const hls = new Hls({ lowLatencyMode: lowLatency });
  hls.on(Hls.Events.ERROR, (_, { type, details, fatal }) => {
    if (fatal || !waits.includes(details)) complain(`${type} ${details}${fatal ? ' fatal' : ''}`);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
}

async function playShaka(script) {
  await load(script);
  const { shaka } = window;
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  player.addEventListener('error', ({ detail }) =>
    complain(detail.code ? `shaka ${detail.code} ${detail.data}` : detail.stack),
  );
  player.configure({ streaming: { lowLatencyMode: lowLatency } });
  await player.attach(video);
  await player.load(url);
  await video.play();
}

async function playDashJs() {
  await load('/players/dashjs/dist/modern/umd/dash.all.min.js');
  const { dashjs } = window;
  const player = dashjs.MediaPlayer().create();
  player.on(dashjs.MediaPlayer.events.ERROR, ({ error }) =>
    complain(`dash.js ${error.code} ${error.message}`),
  );
  player.initialize(video, url, true);
}

const players = {
  'hls.js': () => playHls('/players/hls.js/dist/hls.min.js'),
  'hls.js light': () => playHls('/players/hls.js/dist/hls.light.min.js'),
  'Shaka, HLS': () => playShaka('/players/shaka-player/dist/shaka-player.hls.js'),
  'Shaka, DASH': () => playShaka('/players/shaka-player/dist/shaka-player.dash.js'),
  'dash.js': playDashJs,
};

/** The stamp of a decoded frame: one row of its luma, copied straight out of it. */
async function stampOf(frame) {
  const { width, height } = frame.visibleRect;
  const rect = { x: 0, y: (stampHeight(height) >> 2) * 2, width: width & ~1, height: 2 };
  const data = new Uint8Array(frame.allocationSize({ rect }));
  const [luma] = await frame.copyTo(data, { rect });
  return readStamp(data.subarray(luma.offset), rect.width);
}

// Frames are recorded one after the other, because a frame may be copied sooner than the one before it.
let recorded = Promise.resolve();

function look() {
  const frame = new VideoFrame(video);
  const at = performance.now();
  recorded = recorded
    .then(() => stampOf(frame))
    .then((stamp) => stamp && window.seen.push({ ...stamp, at }), complain)
    .finally(() => frame.close());
  return recorded;
}

function watch() {
  video.requestVideoFrameCallback(() => {
    watch();
    void look();
  });
}

/** Every frame so far; after the end also the one on screen, whether or not the browser has called back for it. */
window.painted = async () => {
  if (video.ended) await look();
  return window.seen;
};

// In 5 of 120 starts Shaka seeks to 0 after it has begun: what it painted before that does not count.
video.addEventListener('seeking', () => {
  if (video.currentTime > 0) return;
  const forget = () => (recorded = recorded.then(() => void (window.seen.length = 0)));
  video.addEventListener('seeked', forget, { once: true });
});
video.addEventListener('error', () => complain(`video ${video.error.code} ${video.error.message}`));
video.addEventListener('canplay', () => void video.play().catch(complain), { once: true });
watch();
players[asked.get('player')]().catch(complain);
