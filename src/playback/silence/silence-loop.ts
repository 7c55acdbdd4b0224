// The idle signer as something that can be played round and round.
// - Files of the service become fragments once and stay in memory, so that a round costs no byte of network.
// - At a rest point another loop may follow.
// - Rest points are assumed: at every start of a segment, and every sixth of one file, for document 2 (Silence
//   segment request parameters) makes the file of six segments and says nothing of their length.
// - What cannot be told in fragments (another container, a media host without CORS, a browser without Media Source
//   Extensions) is played as it is, at the cost of the browser's own seam.
import { loadCode } from '../../internal/load-code.ts';
import type { ClipFile, Playable } from '../clips/clip-bytes.ts';
import { remux, type Remuxed } from '../mp4/remux.ts';
import { mediaSourceClass } from '../source-buffer-queue.ts';

const REST_POINTS = 6;

/** Written to a SourceBuffer again and again. */
export interface JoinedLoop {
  /** In playing order. */
  readonly clips: readonly Remuxed[];
  readonly durationSeconds: number;
  /** Seconds from its beginning, which is the first of them. */
  readonly restPoints: readonly number[];
}

/** A loop that is here: to be joined, or played as it is. */
export type SilenceLoop = JoinedLoop | Playable;

export const isJoined = (loop: SilenceLoop): loop is JoinedLoop =>
  typeof loop !== 'string' && 'clips' in loop;

/** Those of a file of this many seconds. */
export const restPointsOf = (durationSeconds: number): number[] =>
  Array.from({ length: REST_POINTS }, (_, point) => (point * durationSeconds) / REST_POINTS);

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
