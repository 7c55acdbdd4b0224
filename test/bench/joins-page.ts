// The page's side of the bench of joins: plays the same clips in three ways and records, once an animation frame, the
// stamp of the frame on screen. Runs in the browser.
import { clipId } from '../../demo/sandbox/stamp.ts';
import { ClipBytes } from '../../src/playback/clips/clip-bytes.ts';
import { PlaylistPlayer } from '../../src/playback/clips/playlist-player.ts';
import { stampOf } from '../page/read-stamp.ts';
import { clipUrl, closeServices } from '../playback/clips/clip-urls.ts';
import { framesIn } from '../playback/clips/open-player.ts';

export type Way = 'swapping src' | 'two videos' | 'one timeline';

export interface Joins {
  /** Milliseconds from the first sample of a frame to the first sample of the next one, within clips. */
  inside: number[];
  /** The same from the last frame of a clip to the first frame of the next clip. */
  across: number[];
  /** Samples without a picture. */
  blank: number;
  /** Frames that were never seen, of those within clips and of those beside a join (two before, two after). */
  lostInside: number;
  lostAtJoins: number;
}

/** Short texts of one length, so that many joins come in a short time. */
const texts = ['One', 'Two', 'Ten', 'Six'];
const FRAMES = framesIn('One');
const BESIDE = 2;

interface ClipPlayer {
  /** The video that is on screen now. */
  readonly visible: () => HTMLVideoElement | null;
  /** Resolves when all have been played. */
  readonly over: Promise<unknown>;
  close(): void;
}

const newBox = (): HTMLElement => {
  const box = document.createElement('div');
  box.style.cssText = 'position: relative; width: 427px; height: 240px';
  document.body.append(box);
  return box;
};

const video = (box: HTMLElement): HTMLVideoElement => {
  const made = document.createElement('video');
  made.muted = true;
  made.preload = 'auto';
  // Otherwise scripts may not read its picture.
  made.crossOrigin = 'anonymous';
  made.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%';
  box.append(made);
  return made;
};

const ended = (of: HTMLVideoElement): Promise<unknown> =>
  new Promise((resolve) => of.addEventListener('ended', resolve, { once: true }));

/** The simple way: sets the next address when a clip has ended. */
function swapping(urls: readonly string[]): ClipPlayer {
  const box = newBox();
  const only = video(box);
  const play = async (): Promise<void> => {
    for (const url of urls) {
      only.src = url;
      void only.play();
      await ended(only);
    }
  };
  return { visible: () => only, over: play(), close: () => box.remove() };
}

/** The usual improvement: the next clip is ready in a second video, which is shown on `ended`. */
function stacked(urls: readonly string[]): ClipPlayer {
  const box = newBox();
  const pair = [video(box), video(box)] as const;
  let front = pair[0];
  const play = async (): Promise<void> => {
    front.src = urls[0]!;
    for (const [at] of urls.entries()) {
      front = pair[at % 2 ? 1 : 0];
      const back = pair[at % 2 ? 0 : 1];
      front.style.zIndex = '1';
      back.style.zIndex = '0';
      void front.play();
      if (urls[at + 1]) back.src = urls[at + 1]!;
      await ended(front);
    }
  };
  return { visible: () => front, over: play(), close: () => box.remove() };
}

function joined(urls: readonly string[]): ClipPlayer {
  const player = new PlaylistPlayer();
  player.box.style.cssText = 'position: relative; width: 427px; height: 240px';
  document.body.append(player.box);
  player.moreExpected = true;
  const renew = (): Promise<string> => Promise.reject(new Error('gone'));
  const over = new Promise<void>((resolve, reject) => {
    let unplayed = urls.length;
    for (const url of urls) {
      player.append({
        bytes: new ClipBytes({ url, renew }),
        duration: null,
        started: () => {},
        ended: () => (unplayed -= 1) || resolve(),
        failed: reject,
      });
    }
  });
  return {
    visible: () => player.media,
    over,
    close() {
      player.reset();
      player.box.remove();
    },
  };
}

const ways = { 'swapping src': swapping, 'two videos': stacked, 'one timeline': joined };

/** Plays `joins` + 1 clips this way. */
export async function playJoins(way: Way, joins: number): Promise<Joins> {
  // An address is valid for five minutes, and the bench takes longer.
  closeServices();
  const four = await Promise.all(texts.map((text) => clipUrl(text)));
  const player = ways[way](Array.from({ length: joins + 1 }, (_, at) => four[at % four.length]!));
  const seen: { clip: number; frame: number; at: number }[] = [];
  let blank = 0;
  let playing = true;
  const watched = (async () => {
    while (playing) {
      const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const visible = player.visible();
      const stamp = visible && (await stampOf(visible));
      const last = seen.at(-1);
      if (!stamp) blank += last ? 1 : 0;
      else if (last?.clip !== stamp.clip || last.frame !== stamp.frame) seen.push({ ...stamp, at });
    }
  })();
  await player.over;
  playing = false;
  await watched;
  player.close();
  return { ...measured(seen, joins), blank };
}

function measured(seen: readonly { clip: number; frame: number; at: number }[], joins: number) {
  const result = { inside: [] as number[], across: [] as number[], lostInside: 0, lostAtJoins: 0 };
  const clips: (typeof seen)[number][][] = [];
  for (const [index, one] of seen.entries()) {
    const before = seen[index - 1];
    if (before?.clip === one.clip) {
      clips.at(-1)!.push(one);
      if (one.frame === before.frame + 1) result.inside.push(one.at - before.at);
    } else {
      clips.push([one]);
      if (before) result.across.push(one.at - before.at);
    }
  }
  const ids = texts.map(clipId);
  if (clips.length !== joins + 1 || clips.some((clip, at) => clip[0]!.clip !== ids[at % ids.length])) {
    throw new Error(`${clips.length} clips were seen, not ${joins + 1} in their order`);
  }
  for (const clip of clips) {
    for (let frame = 0; frame < FRAMES; frame++) {
      if (clip.some((one) => one.frame === frame)) continue;
      if (frame < BESIDE || frame >= FRAMES - BESIDE) result.lostAtJoins += 1;
      else result.lostInside += 1;
    }
  }
  return result;
}
