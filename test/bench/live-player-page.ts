// The page of the live player's bench: players side by side, each with its own video, manifest and server.
// - A player gets the address and plays with its defaults, except for a target latency where one is given.
// - Each frame on screen is recorded by its stamp, with the time of day. Our video has the class `shown` while it is on screen:
//   before that it seeks to its entry point, and may paint a later frame first.
// - A stall is a `waiting` event after the first frame.
import type HlsPlayer from 'hls.js';
import type shaka from 'shaka-player/dist/shaka-player.dash-es2021.js';
import { LivePlayer } from '../../src/playback/live/live-player.ts';
import { stampOf } from '../page/read-stamp.ts';

export type Contender = 'hls.js' | 'ours' | 'Shaka, DASH' | '<video>';

export interface Watched {
  /** Milliseconds from the address to the first frame; NaN before that. */
  started: number;
  stalls: number;
  /** The number of each painted frame in the stream, and the time of its painting in milliseconds since 1970. */
  frames: { frame: number; at: number }[];
  failed: string | null;
}

export interface LivePlayers {
  /** Loads the code of all players, so that no start includes it. */
  prepare(): Promise<void>;
  play(name: string, contender: Contender, url: string, targetLatency: number | null): void;
  watched(): Record<string, Watched>;
  /** Ends all players and clears the records. */
  end(): void;
}

let Hls: typeof HlsPlayer;
let Shaka: typeof shaka;
let players: { seen: Watched; end: () => void; name: string }[] = [];

function watch(video: HTMLVideoElement, seen: Watched, begun: number, isOnScreen = () => true): void {
  const look = (): void => {
    video.requestVideoFrameCallback(look);
    if (!isOnScreen()) return;
    const at = performance.timeOrigin + performance.now();
    if (Number.isNaN(seen.started)) seen.started = performance.now() - begun;
    void stampOf(video).then((stamp) => stamp && seen.frames.push({ frame: stamp.frame, at }));
  };
  video.requestVideoFrameCallback(look);
  video.addEventListener('waiting', () => {
    if (!Number.isNaN(seen.started) && !video.seeking) seen.stalls += 1;
  });
}

function bareVideo(): HTMLVideoElement {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  return video;
}

const livePlayers: LivePlayers = {
  async prepare() {
    Hls = (await import('hls.js/light')).default;
    await import('shaka-player/dist/shaka-player.dash-es2021.js');
    Shaka = (globalThis as unknown as { shaka: typeof shaka }).shaka;
  },

  play(name, contender, url, targetLatency) {
    const seen: Watched = { started: NaN, stalls: 0, frames: [], failed: null };
    const begun = performance.now();
    const fail = (why: unknown): void => void (seen.failed ??= String(why));
    if (contender === 'ours') {
      const picture = new LivePlayer();
      picture.targetLatency = targetLatency;
      document.body.append(picture.box);
      picture.show({
        addresses: { hls: url, dash: null },
        protocol: 'hls',
        painted() {},
        recovering() {},
        ended() {},
        failed: (error) => fail(error),
      });
      const video = picture.box.querySelector('video')!;
      watch(video, seen, begun, () => video.classList.contains('shown'));
      players.push({ name, seen, end: () => (picture.reset(), picture.box.remove()) });
      return;
    }
    const video = bareVideo();
    watch(video, seen, begun);
    let destroy = (): void => video.removeAttribute('src');
    if (contender === 'hls.js') {
      const hls = new Hls({
        enableWorker: false,
        ...(targetLatency !== null && { liveSyncDuration: targetLatency }),
      });
      hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
        if (!fatal) return;
        if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
        else if (hls.levels.length > 0) hls.startLoad();
        else hls.loadSource(url);
      });
      hls.loadSource(url);
      hls.attachMedia(video);
      destroy = () => hls.destroy();
    } else if (contender === 'Shaka, DASH') {
      const player = new Shaka.Player();
      void player
        .attach(video)
        .then(() => player.load(url))
        .catch(fail);
      destroy = () => void player.destroy();
    } else {
      video.src = url;
      video.addEventListener('error', () => fail(video.error?.message));
    }
    video.addEventListener('canplay', () => void video.play().catch(fail), { once: true });
    players.push({ name, seen, end: () => (destroy(), video.remove()) });
  },

  watched: () => Object.fromEntries(players.map(({ name, seen }) => [name, seen])),

  end() {
    for (const { end } of players) end();
    players = [];
  },
};

Object.assign(window, { livePlayers });
