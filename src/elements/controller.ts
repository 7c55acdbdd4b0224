// The interface between an element and its controller, which is loaded at the first use.
import type { SignStats } from '../playback/counts.ts';
import type { Player } from '../playback/player.ts';
import type { errorMessage } from '../strings/errors.ts';
import type { SignEventDetails, SignState } from './sign-events.ts';

/** The code that is loaded. */
export interface Controller {
  /** The player that the page steers. */
  readonly player: Player;
  /** True when the media has the requested background, so that it is not keyed. */
  readonly paintsBackground: boolean;
  /** True while the visitor waits for signing. */
  readonly preparing: boolean;
  readonly replayable: boolean;
  readonly errorMessage: typeof errorMessage;
  /** Absent when it counts nothing. */
  readonly stats?: SignStats;
  /** An observed property of the element may have changed. */
  update(): void;
  play(): Promise<void>;
  pause(): void;
  replay(): void;
  /** Ends everything that is pending; the controller can be used again. */
  reset(): void;
}

/** Events of a controller for its element. */
export interface ControllerEvents {
  state(state: SignState): void;
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** Another player may become active; its videos are put on top of the others. */
  added(player: Player): void;
  /** The view state may have changed. */
  invalidate(): void;
}
