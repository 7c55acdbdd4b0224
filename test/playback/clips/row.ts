// What the browser tests of playback share: clips of the real sandbox, fetched over one socket of the real proxy, a timeline
// on the page, the events of its clips, and the frames that were painted.
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { ClipBytes, type ClipSource } from '../../../src/playback/clips/clip-bytes.ts';
import type { Clip } from '../../../src/playback/clips/playlist.ts';
import { PlaylistPlayer } from '../../../src/playback/clips/playlist-player.ts';
import type { Encoding } from '../../../demo/sandbox/media/media-spec.ts';
import { proxyAddress, setFaults } from '../../backend/client.ts';
import { framesIn } from '../../backend/painting.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { until } from '../../until.ts';

export { framesIn, until };

interface ResultFrame {
  type: string;
  ref: string;
  url: string;
}

/** One session of the service; closed when the tests of the file are over. */
class Service {
  readonly #socket: WebSocket;
  /** Ready, and every text before is answered: a session accepts a limited number at a time. */
  #free: Promise<unknown>;
  #asked = 0;

  constructor(proxy: string, config: object) {
    this.#socket = new WebSocket(`${proxy.replace(/^http/, 'ws')}/ws/`);
    this.#free = this.#frame(({ type }) => type === 'session.ready');
    this.#socket.addEventListener('open', () =>
      this.#send({ type: 'session.start', version: '3.0', mode: 'translate', config }),
    );
  }

  /** The address of the clip of a text. */
  async urlOf(text: string): Promise<string> {
    const id = `t${(this.#asked += 1)}`;
    const result = this.#free.then(() => {
      const answer = this.#frame((frame) => frame.type === 'result' && frame.ref === id);
      this.#send({ type: 'text', id, data: text });
      return answer;
    });
    this.#free = result;
    return (await result).url;
  }

  close(): void {
    this.#socket.close();
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  #frame(test: (frame: ResultFrame) => boolean): Promise<ResultFrame> {
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent<string>): void => {
        const frame = JSON.parse(data) as ResultFrame;
        if (!test(frame)) return;
        this.#socket.removeEventListener('message', listen);
        resolve(frame);
      };
      this.#socket.addEventListener('message', listen);
    });
  }
}

/** By size. Its values are promises, so that texts that are requested at the same time share one session. */
const services = new Map<string, Promise<Service>>();
/** Addresses by size and text: a clip is made once. */
const urls = new Map<string, Promise<string>>();

/** The address of a text's clip; 25 frames a second, with 0.2 s of rest before the signs and 0.4 s after them. */
export function clipUrl(text: string, resolution = '480p'): Promise<string> {
  const key = `${resolution} ${text}`;
  let url = urls.get(key);
  if (!url) {
    let service = services.get(resolution);
    if (!service) {
      const config = { digital_signer: 'RAE', resolution };
      service = proxyAddress().then((proxy) => new Service(proxy, config));
      services.set(resolution, service);
    }
    url = service.then((open) => open.urlOf(text));
    urls.set(key, url);
  }
  return url;
}

/** Addresses of clips in the given codings. Each call makes new clips, one after the other. */
export async function encodedClipUrls(
  asked: readonly (readonly [text: string, encoding: Encoding])[],
): Promise<Promise<string>[]> {
  await setFaults(asked.map(([, encoding], at) => ({ fault: 'encoding', text: at + 1, ...encoding })));
  // The faults count the texts of a session.
  const service = new Service(await proxyAddress(), { digital_signer: 'RAE', resolution: '480p' });
  services.set('encoded', Promise.resolve(service));
  return asked.map(([text]) => service.urlOf(text));
}

/** A fresh address of the same clip. */
export async function anotherUrl(text: string): Promise<string> {
  await clipUrl(text);
  return (await services.get('480p'))!.urlOf(text);
}

export function closeServices(): void {
  for (const service of services.values()) void service.then((open) => open.close());
  services.clear();
  urls.clear();
}

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

export interface Painted {
  /** The text whose clip it is; `idle` for the signer at rest; `blank` when there was no picture. */
  text: string;
  frame: number;
}

export interface OpenRow {
  readonly timeline: PlaylistPlayer;
  readonly said: string[];
  /** What was on screen, each frame once, in the order of appearance; read once an animation frame. */
  readonly painted: Painted[];
  /** Appends the clips of these texts; resolves with them once they are asked for. */
  add(...texts: string[]): Promise<Clip[]>;
  /** Appends the clip of a text that is here. */
  append(text: string, url: string, renew?: ClipSource['renew']): Clip;
  /** Numbers of the frames that were painted of a text, in order of appearance. */
  framesOf(text: string): number[];
  /** Number of decoded frames, as the videos count them; a busy browser does not paint all of them. */
  readonly decoded: number;
  /** The text whose last frame was painted last; null while another frame is on screen. */
  readonly atEndOf: string | null;
  /** Ends the row and waits until it has been played, and its last frame was read. */
  played(): Promise<void>;
  close(): Promise<void>;
}

/** The events of clips that are played in this order, each once. */
export const inOrder = (...texts: string[]): string[] =>
  texts.flatMap((text) => [`start ${text}`, `end ${text}`]);

const style = document.createElement('style');
style.textContent = `
  .row { position: relative; inline-size: 427px; block-size: 240px; }
  .row video { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
  .row video.shown { z-index: 1; }
`;

/** A timeline on the page, whose row is not over before `moreExpected` is set false. */
export function openRow(): OpenRow {
  const timeline = new PlaylistPlayer();
  timeline.moreExpected = true;
  timeline.box.className = 'row';
  document.head.append(style);
  document.body.append(timeline.box);
  const said: string[] = [];
  const painted: Painted[] = [];
  const byClip = new Map<number, string>([[0, 'idle']]);
  let looking = true;
  let looks = 0;
  const decoded = new Map<HTMLVideoElement, number>();
  const count = (): void => {
    for (const video of timeline.box.querySelectorAll('video')) {
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
      const video = onScreen(timeline.box);
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
    timeline,
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
      timeline.append(clip);
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
      timeline.moreExpected = false;
      await until(() => timeline.ended);
      // The read that is under way may have begun before the last frame was there.
      const before = looks;
      await until(() => looks > before + 1);
    },
    async close() {
      looking = false;
      await looked;
      timeline.reset();
      timeline.box.remove();
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
