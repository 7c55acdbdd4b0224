// One text that was asked for: where it goes, what has come of it, and the promise that tells how it ended. Policy: the
// promise settles once, and a rejection that nobody listens to stays silent.
import type { Clip } from '../../playback/clips/playlist.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SessionRoute } from './session-route.ts';

/** What `sign()` resolves with once the last frame was shown. Seconds; null when the service announced none. */
export interface SignOutcome {
  ref: string;
  text: string;
  durationSeconds: number | null;
}

/** Where in which stream a text is. */
export interface StreamPlace {
  /** HLS manifest. */
  readonly url: string;
  /** The stream is this text's alone, from its first frame to its last. */
  readonly own: boolean;
  /** When the service took the text, in milliseconds since 1970 by the stream's own clock; null when it did not say. */
  readonly acceptedAt: number | null;
}

export class SignCall {
  readonly ref: string;
  readonly text: string;
  /** Config as it was at the call (SEMANTICS, One call of sign, 2). */
  readonly route: SessionRoute;
  /** True when it is shown in a stream, false when it has clips. */
  readonly streamed: boolean;
  readonly outcome: Promise<SignOutcome>;
  /** Ends what the session still has of it. */
  readonly stop = new AbortController();
  /** The session that it was handed to; null while it waits for one. */
  session: ServiceSession | null = null;
  /** All its results are there and so are their media: it needs its session no more. */
  served = false;
  started = false;
  settled = false;
  /** How many clips it has, null before the first result. */
  pieces: number | null = null;
  /** By piece; a gap is a result that has not come. */
  readonly clips: Clip[] = [];
  /** How many of them the timeline has. */
  delivered = 0;
  /** Null as long as it is in no stream. */
  place: StreamPlace | null = null;
  #resolve: (outcome: SignOutcome) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(ref: string, text: string, route: SessionRoute, streamed: boolean) {
    this.ref = ref;
    this.text = text;
    this.route = route;
    this.streamed = streamed;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.outcome.catch(() => {});
  }

  /** The timeline has all of its clips. */
  get complete(): boolean {
    return this.pieces !== null && this.delivered === this.pieces;
  }

  resolve(): void {
    this.#settle();
    const known = this.clips.map((clip) => clip.duration).filter((duration) => duration !== null);
    const durationSeconds =
      known.length === this.pieces ? known.reduce((sum, seconds) => sum + seconds, 0) : null;
    this.#resolve({ ref: this.ref, text: this.text, durationSeconds });
  }

  reject(reason: unknown): void {
    this.#settle();
    this.#reject(reason);
  }

  #settle(): void {
    this.settled = true;
    this.stop.abort();
  }
}
