// One utterance of an element, from the call to its last frame, and what a presenter does with it.
// - The session sends this same object, which holds text, ref and parts.
// - The promise settles once. A rejection that nobody handles is not reported by the browser.
// - There are two presenters, for clips and for streams. Each gets the next utterances, in call order, after every change; it
//   shows what it can and reports how each utterance ended.
import type { Clip } from '../../playback/clips/playlist.ts';
import type { Player } from '../../playback/player.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { abortError, deferred } from '../../session/async.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import { Utterance } from '../../session/utterance.ts';
import type { SessionSettings } from './session-settings.ts';

/** What `sign()` resolves with once the last frame was shown. */
export interface SignOutcome {
  ref: string;
  text: string;
  /** Null when the service announced none. */
  durationSeconds: number | null;
}

/** Where in which stream an utterance is. */
interface StreamPosition {
  /** HLS manifest. */
  readonly url: string;
  /** The stream has this utterance only, from its first frame to its last. */
  readonly own: boolean;
  /** When the service accepted the text, in milliseconds since 1970 by the stream's own clock; null when it did not say. */
  readonly acceptedAt: number | null;
  /** `performance.now()` of the service's answer. */
  readonly seenAt: number;
}

export class TranslateUtterance extends Utterance {
  /** The settings at the time of the call (SEMANTICS, One call of `sign(text)`, 2). */
  readonly settings: SessionSettings;
  /** True when it is shown in a stream, false when it has clips. */
  streamed: boolean;
  /** What `sign()` returns. */
  readonly outcome = deferred<SignOutcome>();
  /** Resolves when all its clips were loaded or have failed. */
  readonly ready = deferred<void>();
  /** The session that it was sent to; null while it waits for one. */
  session: ServiceSession | null = null;
  /** All its results and their media are loaded, so it no longer needs its session. */
  loaded = false;
  hasStarted = false;
  /** Index of the part whose clip is on screen. */
  part = 0;
  /** `performance.now()` of the call, for `Counts.started()`; 0 after it had to wait for another utterance, and once shown. */
  asked = 0;
  settled = false;
  /** How many clips it has, null before the first result. */
  clipCount: number | null = null;
  /** The clip of each part; a hole where the result has not arrived. */
  readonly clips: Clip[] = [];
  /** How many of them the playlist has. */
  delivered = 0;
  /** Null while it is in no stream. */
  position: StreamPosition | null = null;

  constructor(text: string, settings: SessionSettings, streamed: boolean, ref?: string) {
    super({ text, ref });
    this.settings = settings;
    this.streamed = streamed;
  }

  /** The words on screen; with clips the words of one part, because a long text is several clips. */
  get shownText(): string {
    return (!this.streamed && this.parts[this.part]?.text) || this.text;
  }

  /** The playlist has all of its clips. */
  get complete(): boolean {
    return this.delivered === this.clipCount;
  }

  resolve(): void {
    this.#settle(abortError('it was signed'));
    const known = this.clips.map((clip) => clip.duration).filter((duration) => duration !== null);
    const durationSeconds =
      known.length === this.clipCount ? known.reduce((sum, seconds) => sum + seconds, 0) : null;
    this.outcome.resolve({ ref: this.ref, text: this.text, durationSeconds });
  }

  reject(reason: unknown): void {
    this.#settle(reason);
    this.outcome.reject(reason);
  }

  /** The session's part of the work is not needed any more. */
  #settle(reason: unknown): void {
    this.settled = true;
    this.abort(reason);
  }
}

export interface Presenter {
  readonly player: Player;
  /** True while `replay()` can show this utterance. */
  canReplay(utterance: TranslateUtterance): boolean;
  /** Shows this utterance, which has ended, once more. */
  replay(utterance: TranslateUtterance): void;
  /** Removes an utterance, wherever it is. */
  drop(utterance: TranslateUtterance): void;
  /** Releases all media; it can be used again. */
  reset(): void;
}

export interface PresenterEvents {
  /** Its first frame is on screen; `estimated` when the moment is not known exactly. */
  started(utterance: TranslateUtterance, estimated: boolean): void;
  ended(utterance: TranslateUtterance, estimated: boolean): void;
  failed(utterance: TranslateUtterance, error: SignError): void;
}
