// One utterance as the element shows it, from the call to the promise of `sign()`, and what a presenter does with it.
// - The promise settles once. A rejection that nobody handles is not reported by the browser.
// - There are two presenters: of clips and of streams. Each gets the next utterances in call order whenever they change, shows
//   what it can, and always reports how each ended.
import type { Clip } from '../../playback/clips/playlist.ts';
import type { Player } from '../../playback/player.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SessionSettings } from './session-settings.ts';

/** What `sign()` resolves with once the last frame was shown. Seconds; null when the service announced none. */
export interface SignOutcome {
  ref: string;
  text: string;
  durationSeconds: number | null;
}

/** Where in which stream an utterance is. */
export interface StreamPosition {
  /** HLS manifest. */
  readonly url: string;
  /** The stream has this utterance only, from its first frame to its last. */
  readonly own: boolean;
  /** When the service accepted the text, in milliseconds since 1970 by the stream's own clock; null when it did not say. */
  readonly acceptedAt: number | null;
}

export class UtterancePlayback {
  readonly ref: string;
  readonly text: string;
  /** As they were at the call (SEMANTICS, One call of `sign(text)`, 2). */
  readonly settings: SessionSettings;
  /** True when it is shown in a stream, false when it has clips. */
  readonly streamed: boolean;
  readonly outcome: Promise<SignOutcome>;
  /** Aborts what the session still has of it. */
  readonly abortController = new AbortController();
  /** The session that it was sent to; null while it waits for one. */
  session: ServiceSession | null = null;
  /** All its results and their media are loaded, so it no longer needs its session. */
  loaded = false;
  started = false;
  settled = false;
  /** How many clips it has, null before the first result. */
  parts: number | null = null;
  /** By part; empty where the result has not arrived. */
  readonly clips: Clip[] = [];
  /** How many of them the playlist has. */
  delivered = 0;
  /** Null while it is in no stream. */
  position: StreamPosition | null = null;
  #resolve: (outcome: SignOutcome) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(ref: string, text: string, settings: SessionSettings, streamed: boolean) {
    this.ref = ref;
    this.text = text;
    this.settings = settings;
    this.streamed = streamed;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.outcome.catch(() => {});
  }

  /** The playlist has all of its clips. */
  get complete(): boolean {
    return this.parts !== null && this.delivered === this.parts;
  }

  resolve(): void {
    this.#settle();
    const known = this.clips.map((clip) => clip.duration).filter((duration) => duration !== null);
    const durationSeconds =
      known.length === this.parts ? known.reduce((sum, seconds) => sum + seconds, 0) : null;
    this.#resolve({ ref: this.ref, text: this.text, durationSeconds });
  }

  reject(reason: unknown): void {
    this.#settle();
    this.#reject(reason);
  }

  #settle(): void {
    this.settled = true;
    this.abortController.abort();
  }
}

export interface Presenter {
  readonly player: Player;
  /** True while `replay()` can show this utterance. */
  canReplay(playback: UtterancePlayback): boolean;
  /** Shows this utterance, which has ended, once more. */
  replay(playback: UtterancePlayback): void;
  /** Removes an utterance, wherever it is. */
  drop(playback: UtterancePlayback): void;
  /** Releases all media; it can be used again. */
  reset(): void;
}

export interface PresenterEvents {
  /** Its first frame is on screen; `estimated` when nobody knows exactly. */
  started(playback: UtterancePlayback, estimated: boolean): void;
  ended(playback: UtterancePlayback, estimated: boolean): void;
  failed(playback: UtterancePlayback, error: SignError): void;
}
