// A player on the page for the browser tests of playback, with the events of its clips and the frames that were painted.
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { ClipBytes, type ClipSource } from '../../../src/playback/clips/clip-bytes.ts';
import type { Clip } from '../../../src/playback/clips/playlist.ts';
import { PlaylistPlayer } from '../../../src/playback/clips/playlist-player.ts';
import { framesIn } from '../../backend/painting.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { until } from '../../until.ts';
import { clipUrl } from './clip-urls.ts';

export { framesIn, until };

/** A clip at this address that records its events in `said`. */
export function clipAt(url: string, text: string, said: string[], source: Partial<ClipSource> = {}): Clip {
  const renew = (): Promise<string> => Promise.reject(new Error('not asked for'));
  return {
    bytes: new ClipBytes({ url, renew, ...source }),
    duration: null,
    started: () => void said.push(`start ${text}`),
    ended: () => void said.push(`end ${text}`),
    failed: ({ code }) => void said.push(`failed ${text} ${code}`),
  };
}

interface Painted {
  /** The text whose clip it is; `idle` for the signer at rest; `blank` when there was no picture. */
  text: string;
  frame: number;
}

export interface OpenPlayer {
  readonly player: PlaylistPlayer;
  readonly said: string[];
  /** What was on screen, each frame once, in the order of appearance; read once an animation frame. */
  readonly painted: Painted[];
  /** Appends the clips of these texts; resolves with them when their addresses are known. */
  add(...texts: string[]): Promise<Clip[]>;
  /** Appends the clip of a text that is here. */
  append(text: string, url: string, renew?: ClipSource['renew']): Clip;
  /** Numbers of the frames that were painted of a text, in order of appearance. */
  framesOf(text: string): number[];
  /** Number of decoded frames, as the videos count them; a busy browser does not paint all of them. */
  readonly decoded: number;
  /** The text whose last frame was painted last; null while another frame is on screen. */
  readonly atEndOf: string | null;
  /** Ends the playlist and waits until it has been played, and its last frame was read. */
  played(): Promise<void>;
  close(): Promise<void>;
}

/** The events of clips that are played in this order, each once. */
export const inOrder = (...texts: string[]): string[] =>
  texts.flatMap((text) => [`start ${text}`, `end ${text}`]);

const style = document.createElement('style');
style.textContent = `
  .player { position: relative; inline-size: 427px; block-size: 240px; }
  .player video { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
  .player video.shown { z-index: 1; }
`;

/** A player on the page, whose playlist is not over before `moreExpected` is set false. */
export function openPlayer(): OpenPlayer {
  const player = new PlaylistPlayer();
  player.moreExpected = true;
  player.box.className = 'player';
  document.head.append(style);
  document.body.append(player.box);
  const said: string[] = [];
  const painted: Painted[] = [];
  const byClip = new Map<number, string>([[0, 'idle']]);
  let looking = true;
  let looks = 0;
  const decoded = new Map<HTMLVideoElement, number>();
  const count = (): void => {
    for (const video of player.box.querySelectorAll('video')) {
      // It counts from 0 again once it is cleared.
      const { totalVideoFrames } = video.getVideoPlaybackQuality();
      decoded.set(video, Math.max(decoded.get(video) ?? 0, totalVideoFrames));
    }
  };
  /** Videos that had a picture when they were read last. */
  const seen = new Set<HTMLVideoElement>();
  const look = async (): Promise<void> => {
    while (looking) {
      await nextFrame();
      const video = onScreen(player.box);
      if (!video) continue;
      const stamp = await stampOf(video);
      // Firefox lets no page read a video while it seeks; the screen keeps the old picture (grabbed 60 times a second).
      if (!stamp && seen.has(video) && isBeingSought(video)) continue;
      if (stamp) seen.add(video);
      else seen.delete(video);
      const now = stamp
        ? { text: byClip.get(stamp.clip) ?? 'unknown', frame: stamp.frame }
        : { text: 'blank', frame: -1 };
      const last = painted.at(-1);
      if (last?.text !== now.text || last.frame !== now.frame) painted.push(now);
      looks += 1;
    }
  };
  const looked = look();
  return {
    player,
    said,
    painted,
    async add(...texts) {
      const clips: Clip[] = [];
      for (const text of texts) clips.push(this.append(text, await clipUrl(text)));
      return clips;
    },
    append(text, url, renew) {
      byClip.set(clipId(text), text);
      const clip = clipAt(url, text, said, renew && { renew });
      const { ended } = clip;
      clip.ended = () => {
        // The video may be gone at the next read.
        count();
        ended();
      };
      player.append(clip);
      return clip;
    },
    framesOf: (text) => painted.filter((one) => one.text === text).map(({ frame }) => frame),
    get decoded() {
      count();
      return [...decoded.values()].reduce((sum, frames) => sum + frames, 0);
    },
    get atEndOf() {
      const last = painted.at(-1);
      return last && last.frame === framesIn(last.text) - 1 ? last.text : null;
    },
    async played() {
      player.moreExpected = false;
      await until(() => player.ended);
      // The read that is under way may have begun before the last frame was there.
      const before = looks;
      await until(() => looks > before + 1);
    },
    async close() {
      looking = false;
      await looked;
      player.reset();
      player.box.remove();
      style.remove();
    },
  };
}

/** The video that covers the others. */
export const onScreen = (box: Element): HTMLVideoElement | undefined =>
  [...box.querySelectorAll<HTMLVideoElement>('video.shown')].at(-1);

const isBeingSought = ({ seeking, readyState }: HTMLVideoElement): boolean =>
  seeking && readyState < HTMLMediaElement.HAVE_CURRENT_DATA;

export const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
