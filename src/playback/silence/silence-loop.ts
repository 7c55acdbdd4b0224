// The idle signer as a loop: its clips, their duration, and its rest points, at which another loop may follow.
// - Files of the service are remuxed once and stay in memory, so that a further round loads nothing.
// - Rest points are assumed at the start of each segment, and at each sixth of a single file: by document 2 (Silence segment
//   request parameters) the file has six segments, whose length it does not give.
// - What cannot be remuxed (another container, a media host without CORS, a browser without Media Source Extensions) is played as
//   it is; the browser then shows a seam between two rounds.
import { loadCode } from '../../internal/load-code.ts';
import type { ClipFile, Playable } from '../clips/clip-bytes.ts';
import { remux, type Remuxed } from '../mp4/remux.ts';
import { mediaSourceClass } from '../source-buffer-queue.ts';

const REST_POINTS = 6;

/** A loop that is written to a SourceBuffer, one round after another. */
export interface JoinedLoop {
  /** In playing order. */
  readonly clips: readonly Remuxed[];
  readonly durationSeconds: number;
  /** Seconds from the beginning of a round. The first is 0. */
  readonly restPoints: readonly number[];
}

/** A loop whose bytes are loaded: to be joined, or played as it is. */
export type SilenceLoop = JoinedLoop | Playable;

export const isJoined = (loop: SilenceLoop): loop is JoinedLoop =>
  typeof loop !== 'string' && 'clips' in loop;

/** The rest points of a file of this many seconds. */
export const restPointsOf = (durationSeconds: number): number[] =>
  new Array<number>(REST_POINTS)
    .fill(durationSeconds)
    .map((seconds, point) => (point * seconds) / REST_POINTS);

/**
 * The loop of one file.
 * @returns the file itself where it cannot be joined.
 */
export function loopOfFile(playable: Playable): SilenceLoop {
  if (typeof playable === 'string' || !mediaSourceClass()) return playable;
  try {
    const clip = remux(playable.bytes);
    return joined([clip], restPointsOf(clip.durationSeconds));
  } catch {
    return playable;
  }
}

/**
 * The loop of consecutive MPEG-TS segments.
 * @throws RemuxError when they cannot be joined, which is the only way to play them.
 */
export async function loopOfSegments(segments: readonly ClipFile[]): Promise<JoinedLoop> {
  const { remuxSegment } = await loadCode(() => import('./silence-segment.ts'));
  const clips = segments.map(({ bytes }) => remuxSegment(bytes));
  let end = 0;
  return joined(
    clips,
    clips.map(({ durationSeconds }) => (end += durationSeconds) - durationSeconds),
  );
}

const joined = (clips: readonly Remuxed[], restPoints: readonly number[]): JoinedLoop => ({
  clips,
  durationSeconds: clips.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
  restPoints,
});
