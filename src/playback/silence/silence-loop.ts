// The signer at rest as something that can be played round and round.
// - Files of the service become fragments once and stay in memory, so that a round costs no byte of network.
// - Where he is at rest another loop may follow.
// - Rest points are assumed: at every seam of the segments, and every sixth of one file, for document 2 (Silence
//   segment request parameters) makes the file of six segments and says nothing of their length.
// - What cannot be told in fragments (another container, a media host without CORS, a browser without Media Source
//   Extensions) is played as it is, at the cost of the browser's own seam.
import type { ClipFile, Playable } from '../clips/clip-bytes.ts';
import type { Remuxed } from '../mp4/remux.ts';
import { mediaSourceClass } from '../source-buffer-queue.ts';

const REST_POINTS = 6;

/** Written to a SourceBuffer again and again. */
export interface JoinedLoop {
  readonly films: readonly Remuxed[];
  readonly durationSeconds: number;
  /** Seconds from its beginning, which is the first of them. */
  readonly restPoints: readonly number[];
}

/** A loop that is here: to be joined, or played as it is. */
export type SilenceLoop = JoinedLoop | Playable;

export const isJoined = (loop: SilenceLoop): loop is JoinedLoop =>
  typeof loop !== 'string' && 'films' in loop;

/**
 * The loop of one file.
 * @returns the file itself where it cannot be joined.
 */
export async function loopOfFile(playable: Playable): Promise<SilenceLoop> {
  if (typeof playable === 'string' || !mediaSourceClass()) return playable;
  const { remux } = await import('../mp4/remux.ts');
  try {
    const film = remux(playable.bytes);
    const step = film.durationSeconds / REST_POINTS;
    return joined(
      [film],
      Array.from({ length: REST_POINTS }, (_, point) => point * step),
    );
  } catch {
    return playable;
  }
}

/**
 * The loop of a row of MPEG-TS segments.
 * @throws RemuxError when they cannot be joined, which is the only way to play them.
 */
export async function loopOfSegments(segments: readonly ClipFile[]): Promise<JoinedLoop> {
  const { remuxSegment } = await import('./silence-segment.ts');
  const films = segments.map(({ bytes }) => remuxSegment(bytes));
  let end = 0;
  return joined(
    films,
    films.map(({ durationSeconds }) => (end += durationSeconds) - durationSeconds),
  );
}

const joined = (films: readonly Remuxed[], restPoints: readonly number[]): JoinedLoop => ({
  films,
  durationSeconds: films.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
  restPoints,
});
