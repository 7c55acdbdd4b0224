// Shared by the browser tests of live playback: a growing stream of the real sandbox through the real proxy, a live
// player on the page, its reports, and the frames that were painted.
import { LivePlayer } from '../../../src/playback/live/live-player.ts';
import type { LiveSource } from '../../../src/playback/live/live-source.ts';
import type { StreamAddresses } from '../../../src/playback/live/engine.ts';
import { proxyAddress } from '../../backend/client.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { manifestUrlOf } from '../../players/stream-session.ts';
import { until } from '../../until.ts';

export { until };

interface GrowingStream extends StreamAddresses {
  readonly hls: string;
  readonly dash: string;
  /** The same stream under another address. */
  readonly again: string;
  /** Ends the stream. */
  end(): void;
}

const open = new Set<WebSocket>();
const players = new Set<LivePlayer>();

/** A stream that grows until `end`, or until the test is over. */
export async function growingStream(): Promise<GrowingStream> {
  const socket = new WebSocket(`${(await proxyAddress()).replace(/^http/, 'ws')}/ws/`);
  open.add(socket);
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const ready = new Promise<Record<string, unknown>>((resolve) => {
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as Record<string, unknown>;
      if (frame.type === 'session.ready') resolve(frame);
    });
  });
  const config = { digital_signer: 'RAE', resolution: '480p' };
  send({ type: 'session.start', version: '3.0', mode: 'stream', config });
  const hls = manifestUrlOf(await ready);
  const named = (file: string): string => hls.replace(/[\w.]+(?=\?)/, file);
  const again = named(hls.includes('/main.m3u8') ? 'stream.m3u8' : 'main.m3u8');
  return {
    hls,
    again,
    dash: named('manifest.mpd'),
    end: () => send({ type: 'session.end' }),
  };
}

interface SourceReports {
  painted: number;
  ended: number;
  recovering: boolean[];
  failed: string[];
}

/** A source that records its callbacks. */
export function listened(
  addresses: Partial<StreamAddresses>,
  change: Partial<LiveSource> = {},
): LiveSource & { readonly reports: SourceReports } {
  const reports: SourceReports = { painted: 0, ended: 0, recovering: [], failed: [] };
  return {
    reports,
    addresses: { hls: null, dash: null, ...addresses },
    protocol: 'auto',
    painted: () => (reports.painted += 1),
    recovering: (on) => reports.recovering.push(on),
    ended: () => (reports.ended += 1),
    failed: (error) => reports.failed.push(error.code),
    ...change,
  };
}

/** A live player on the page. */
export function livePlayer(): LivePlayer {
  const player = new LivePlayer();
  players.add(player);
  document.body.append(player.box);
  return player;
}

/** A live player that shows this source, as soon as it has painted and is at live. */
export async function playedAtLive(source: ReturnType<typeof listened>): Promise<LivePlayer> {
  const player = livePlayer();
  player.show(source);
  await until(() => source.reports.painted && player.isAtLive);
  return player;
}

/** Removes a player. */
export function removePlayer(player: LivePlayer): void {
  player.reset();
  player.box.remove();
  players.delete(player);
}

/** Removes all players and ends all streams of a test. */
export function removeAllPlayers(): void {
  for (const player of players) removePlayer(player);
  for (const socket of open) socket.close();
  open.clear();
}

/** Hides the page, or shows it again. */
export function hide(hidden: boolean): void {
  if (hidden) Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  else delete (document as { hidden?: boolean }).hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

interface Seen {
  readonly clip: number;
  readonly frame: number;
  readonly video: HTMLVideoElement;
  /** The speed of the video then. */
  readonly rate: number;
  /** The `currentTime` of the video then. */
  readonly time: number;
  /** When it was read, in milliseconds. */
  readonly at: number;
}

/** Reads what is on screen once an animation frame; each picture that differs from the one before is reported once. */
export function watchFrames(player: LivePlayer): { seen: Seen[]; stop: () => void } {
  const seen: Seen[] = [];
  let looking = true;
  const look = async (): Promise<void> => {
    while (looking) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const at = performance.now();
      const video = player.media;
      const { playbackRate: rate = 1, currentTime: time = 0 } = video ?? {};
      const stamp = video && (await stampOf(video));
      const last = seen.at(-1);
      if (stamp && (last?.frame !== stamp.frame || last.clip !== stamp.clip || last.video !== video)) {
        seen.push({ ...stamp, video, rate, time, at });
      }
    }
  };
  void look();
  return { seen, stop: () => (looking = false) };
}

/** A change of the speed shows within this many readings, and its seek ends at most this many frames earlier. */
const CHANGED = 3;

/**
 * Each frame that was shown after a later one, as a pair of the later frame and this one. Two cases after a change of speed are
 * left out: a step back of at most three frames, and a longer one while the time of the video has not gone back. The reason: to
 * change the speed WebKitGTK 2.50 seeks to the time that it reported last (`updatePlaybackRate` of its GStreamer player), and on a
 * busy machine that time is up to seven frames behind the picture.
 */
export const stepsBack = (seen: readonly Seen[]): string[] =>
  seen.flatMap(({ frame, rate, time }, at) => {
    const before = seen[at - 1];
    if (!before || frame >= before.frame) return [];
    const hasChanged = seen.slice(Math.max(0, at - CHANGED), at).some((other) => other.rate !== rate);
    const isAgain = before.frame - frame <= CHANGED || time >= before.time;
    return hasChanged && isAgain ? [] : [`${before.frame}, ${frame}`];
  });
