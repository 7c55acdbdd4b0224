// What the line of texts has for each mode: something that shows them. There are two: clips, one after the other, and
// streams. Policy: it is given the texts that are next, in call order, whenever anything about them has changed, and shows
// what it can of them; it tells first and last frames and never leaves the line waiting without a word.
import type { SignError } from '../../protocol/sign-error.ts';
import type { Player } from '../../playback/player.ts';
import type { SignCall } from './sign-call.ts';

export interface Signing {
  readonly player: Player;
  /** True while `replay()` can show this text. */
  canReplay(call: SignCall): boolean;
  /** Shows this text, which has ended, once more. */
  replay(call: SignCall): void;
  /** Takes a text off, wherever it is. */
  drop(call: SignCall): void;
  /** Lets every picture go; it can be used again. */
  reset(): void;
}

export interface SigningEvents {
  /** Its first frame is on screen; `estimated` when that is a guess. */
  started(call: SignCall, estimated: boolean): void;
  ended(call: SignCall, estimated: boolean): void;
  failed(call: SignCall, error: SignError): void;
}
