// What a painter is to paint, frame by frame: a text to sign, or the signer at rest.
// Policy: every script begins and ends in the rest pose, so that any two join. Plain data: it may cross threads.
import { clipId } from '../stamp.ts';
import { glossOf, type Gloss } from './gloss.ts';

export interface Script {
  readonly text: string;
  readonly gloss: Gloss;
  /** What the stamp says: `clipId` of the text, 0 for the signer at rest. */
  readonly clip: number;
}

/**
 * The script of a text.
 * @param seconds length that its pace is fitted to, at 25 frames a second to the frame; null for its own pace
 * @param framesPerWord its own pace; default 11
 */
export const scriptOf = (text: string, seconds: number | null, framesPerWord?: number): Script => ({
  text,
  gloss: glossOf(text, seconds, framesPerWord),
  clip: clipId(text),
});

/** The signer at rest, for any frame number: breathes and blinks, and repeats every 300 frames (12 s). */
export const idleScript: Script = { text: '', gloss: { words: [], frames: Infinity }, clip: 0 };
