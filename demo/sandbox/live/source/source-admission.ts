// Whether a pulled source is let in, and whether it has to be encoded anew. Policy: only the combination HLS_PULL with
// pictureInPicture is held to the contract (document 2, HLS source contract). What two cores cannot encode anew in real time
// (above 1080p, more pixels a second than 1080p with 30 frames, the 10-bit profiles) is answered as if all capacity were taken.
import type { SandboxClock } from '../../clock.ts';
import { LiveError } from '../live-error.ts';
import type { LiveRequest } from '../live-request.ts';
import type { SourceFacts } from './source-facts.ts';
import { probeSource } from './source-probe.ts';

const MOST_SIDES = [1920, 1080] as const;
const MOST_PIXELS_A_SECOND = 1920 * 1080 * 30;
const TEN_BITS = ['High 10', 'High 4:2:2'];

function isTooMuch({ video }: SourceFacts): boolean {
  if (!video) return false;
  const { width, height, frameRate, profile } = video;
  const [most, least] = MOST_SIDES;
  const isLarge = Math.max(width, height) > most || Math.min(width, height) > least;
  const isFast = width * height * (frameRate ?? 0) > MOST_PIXELS_A_SECOND * 1.001;
  return isLarge || isFast || (profile !== null && TEN_BITS.includes(profile));
}

/**
 * Whether the source of this request has to be encoded anew; false also for those that no contract holds for.
 * @param closing ends the probing, when the sandbox does not go on
 * @throws LiveError 400 for a source that cannot be let in, 503 HLS_INPUT_NORMALIZE_CAPACITY
 */
export async function mustNormalise(
  { sourceType, pictureInPicture, hlsSourceUrl }: LiveRequest,
  clock: SandboxClock,
  closing: AbortSignal,
): Promise<boolean> {
  if (sourceType !== 'HLS_PULL' || !pictureInPicture || hlsSourceUrl === undefined) return false;
  const { verdict, facts, failing } = await probeSource(hlsSourceUrl, clock, closing);
  if (verdict === 'reject') {
    const [first] = failing;
    const { dimension, found, expected } = first!;
    throw new LiveError(
      'HLS_INPUT_INCOMPATIBLE',
      `the source is outside the contract: ${dimension} is ${found}, expected ${expected.join(', ')}`,
      { url: hlsSourceUrl, dimension, found, expected, failing },
    );
  }
  if (verdict === 'normalise' && isTooMuch(facts)) {
    throw new LiveError('HLS_INPUT_NORMALIZE_CAPACITY', 'no capacity to encode this source anew', {
      failing,
    });
  }
  return verdict === 'normalise';
}
