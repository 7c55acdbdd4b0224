// Shows utterances in streams (SEMANTICS, Stream mode): in the ongoing stream of a session, or by REST in one stream each.
// - In an ongoing stream an utterance starts at the moment when the service accepted it, and lasts 1 s and 0.6 s for each word, in
//   painted video, because the service does not say when it ends. The next one starts after that. The end of the stream ends it.
// - While the service still signs a dropped utterance, the last frame stays, until its estimated end or the next utterance.
//   If the next is in the stream already, the dropped one plays to its end: a skip could cut the beginning of the next.
// - A stream of its own has a first frame and an end, so nothing is estimated.
// - When a stream replaces another, the old picture stays until the new one has a frame. Utterances that have not started are
//   appended to the new one; the old one is held, so that it does not show them.
// - When a stream that has been painted is refused, or is not reached for a minute (a refusal without CORS headers looks the
//   same), and utterances wait, the session is asked for another stream; without waiting ones the stream is lost. The session is
//   also asked when the playlist dropped an utterance before it was shown. When three streams dropped it, or an outage took its
//   middle after it had started, it fails.
import { type Bookmark, TextStreamPlayer } from '../../playback/live/text-stream-player.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Presenter, PresenterEvents, TranslateUtterance } from './translate-utterance.ts';

/** The streams in which an utterance is signed at most, as for each retryable error (SEMANTICS, One call of `sign(text)`). */
const MAX_STREAMS = 3;

interface StreamPresenterEvents extends PresenterEvents {
  /** A frame is on screen. */
  painted(): void;
  /** The ongoing stream cannot be shown any more, nor the utterances in it. */
  lost(error: SignError): void;
}

/** The utterance that is shown or is next in the stream. */
interface CurrentUtterance {
  readonly utterance: TranslateUtterance;
  readonly position: TranslateUtterance['position'];
  /** Where the next utterance is, when it is in another stream: its start then ends this one. */
  next: TranslateUtterance['position'];
  /** Aborts what waits for its frames. */
  readonly aborter: AbortController;
  started: boolean;
  /** Second of the ongoing stream at which it starts; null while that is not known. */
  from: number | null;
  /** It was dropped, so no event is fired for it. */
  dropped: boolean;
}

export class StreamPresenter implements Presenter {
  readonly player = new TextStreamPlayer();
  readonly #events: StreamPresenterEvents;
  /** The ongoing stream that is shown. */
  #ongoing: string | null = null;
  #current: CurrentUtterance | null = null;
  /** The next utterances, as of the last `deliver`. */
  #utterances: readonly TranslateUtterance[] = [];
  #last: { readonly utterance: TranslateUtterance; readonly bookmark: Bookmark } | null = null;
  /** The second of the ongoing stream up to which its utterances were signed, whether they were shown or not. */
  #signedUntil = -Infinity;
  /** The newest utterance that the playlist dropped before it was shown, and in how many streams. */
  #missed: { readonly utterance: TranslateUtterance | null; streams: number } = {
    utterance: null,
    streams: 0,
  };

  constructor(events: StreamPresenterEvents) {
    this.#events = events;
  }

  /** Shows the next utterances; `manifests` are those of the current session. */
  deliver(utterances: readonly TranslateUtterance[], manifests: StreamManifests | null): void {
    const url = manifests?.hls ?? null;
    if (url !== null && url !== this.#ongoing && !this.#current?.position?.own) this.#openOngoing(url);
    const current = this.#current;
    if (current && !current.started && current.position !== current.utterance.position)
      this.#abandonCurrent();
    this.#utterances = utterances;
    this.#takeNext();
    this.#endAtNext();
  }

  /**
   * The session of the ongoing stream is lost. Utterances that have not started are appended to the next stream, so they do
   * not start in this one, nor are their frames in it shown: a stream without a frame yet is never shown.
   */
  leaveOngoing(): void {
    if (this.#ongoing === null) return;
    this.#ongoing = null;
    this.player.dropNext();
    this.player.checkCuePoints();
    const current = this.#current;
    const isShown = current?.started && !current.dropped;
    // When another stream is shown, nothing more of this utterance is seen.
    const isCut = isShown && current.position?.url !== this.player.currentSrc;
    if (isShown && !isCut) return;
    this.#abandonCurrent();
    if (this.#utterances.some(({ hasStarted }) => !hasStarted)) this.player.hold();
    if (isCut) this.#events.ended(current.utterance, true);
  }

  #takeNext(): void {
    const [utterance] = this.#utterances;
    const position = utterance?.position;
    if (this.#current || !position || !(position.own || position.url === this.#ongoing)) return;
    const current = this.#begin(utterance);
    if (position.own) this.#playOwn(current, position.url);
    else this.player.atMoment(position, current.aborter.signal, (second) => this.#onMoment(current, second));
  }

  /**
   * The next utterance is in another stream, and the stream of the current one may never continue. So the current utterance ends
   * when the other stream is shown.
   */
  #endAtNext(): void {
    const current = this.#current;
    const position = this.#utterances.find((other) => other !== current?.utterance)?.position;
    if (!current?.started || !position || position.own || position.url !== this.#ongoing) return;
    if (position.url === current.position?.url || position === current.next) return;
    current.next = position;
    this.player.atMoment(position, current.aborter.signal, () => this.#end(current, true));
  }

  canReplay(utterance: TranslateUtterance): boolean {
    return this.#last?.utterance === utterance && (utterance.position?.own || this.#last.bookmark.kept);
  }

  replay(utterance: TranslateUtterance): void {
    if (this.#current || !this.#last || !this.canReplay(utterance)) return;
    const current = this.#begin(utterance);
    if (utterance.position?.own) return this.#playOwn(current, utterance.position.url);
    this.#last.bookmark.open();
    this.#play(current, Infinity);
  }

  drop(utterance: TranslateUtterance): void {
    if (this.#last?.utterance === utterance) this.#last = null;
    const current = this.#current;
    if (current?.utterance !== utterance) return;
    current.dropped = true;
    if (!utterance.position?.own && this.#isAwaited(utterance)) return;
    const from = current.from ?? this.player.nextMoment;
    this.#abandonCurrent();
    if (utterance.position?.own) this.player.freeze();
    else if (from !== null && current.position?.url === this.#ongoing) {
      this.player.skipTo(from + utterance.estimate);
    }
  }

  /** Another utterance is in the ongoing stream already and is not dropped. */
  #isAwaited(dropped: TranslateUtterance): boolean {
    return this.#utterances.some(
      ({ position, ref, isAborted }) => ref !== dropped.ref && position?.url === this.#ongoing && !isAborted,
    );
  }

  reset(): void {
    this.#abandonCurrent();
    this.#utterances = [];
    this.#ongoing = this.#last = null;
    this.player.reset();
  }

  #begin(utterance: TranslateUtterance): CurrentUtterance {
    return (this.#current = {
      utterance,
      position: utterance.position,
      next: null,
      aborter: new AbortController(),
      started: false,
      from: null,
      dropped: false,
    });
  }

  #openOngoing(url: string): void {
    this.leaveOngoing();
    // It may have ended an utterance, and `deliver` was then called for the next one.
    if (this.#ongoing === url) return;
    this.#ongoing = url;
    this.#signedUntil = -Infinity;
    let wasPainted = false;
    this.player.show({
      url,
      fromStart: false,
      isAwaited: () => this.#current !== null,
      painted: () => {
        wasPainted = true;
        this.#events.painted();
      },
      ended: () => {
        if (this.#current?.started) this.#end(this.#current, true);
      },
      failed: (error) => {
        if (this.#ongoing !== url) return;
        if (wasPainted && error.cause !== 'media' && this.#renewOngoing(error)) return;
        this.#ongoing = null;
        this.#abandonCurrent();
        this.#events.lost(error);
      },
    });
  }

  /** Asks for another stream for waiting utterances; the one on screen fails. False when none waits. */
  #renewOngoing(error: SignError): boolean {
    const waiting = this.#utterances.find(({ session, hasStarted }) => session?.renewStream && !hasStarted);
    if (!waiting) return false;
    const current = this.#current;
    this.#abandonCurrent();
    // The renewal comes first: otherwise the next utterance would replace the failed one in the stream that was refused.
    waiting.session?.renewStream?.(error);
    if (current?.started && !current.dropped) this.#events.failed(current.utterance, error);
    return true;
  }

  #playOwn(current: CurrentUtterance, url: string): void {
    const { aborter } = current;
    const unlessAborted = (run: () => void) => () => aborter.signal.aborted || run();
    // So `deliver` opens the ongoing stream again later.
    this.#ongoing = null;
    this.player.show({
      url,
      fromStart: true,
      painted: unlessAborted(() => {
        this.#events.painted();
        this.#start(current, false);
      }),
      ended: unlessAborted(() => this.#end(current, false)),
      failed: (error) => {
        if (!aborter.signal.aborted) this.#fail(current, error);
      },
    });
  }

  /** `moment` is the second of the ongoing stream at which the utterance was accepted. */
  #onMoment(current: CurrentUtterance, moment: number): void {
    const { utterance } = current;
    const seconds = utterance.estimate;
    this.#signedUntil = Math.max(moment, this.#signedUntil) + seconds;
    // It counts as missed when the middle of its signs was skipped: a few frames of them may have been shown.
    const middle = this.#signedUntil - seconds / 2;
    if (!this.#isMissed(current, middle)) return this.#play(current, middle);
    if (this.#missed.utterance !== utterance) this.#missed = { utterance, streams: 0 };
    const error = ownError('media_error');
    if (++this.#missed.streams < MAX_STREAMS && this.#renewOngoing(error)) return;
    this.#fail(current, error);
  }

  /** The playlist dropped this second of the stream of an utterance before it could be loaded. */
  #isMissed({ position, dropped }: CurrentUtterance, middle: number): boolean {
    return !dropped && position?.url === this.player.currentSrc && this.player.hasSkipped(middle);
  }

  /** `middle` is the second of the stream at which half of its signs have been shown. */
  #play(current: CurrentUtterance, middle: number): void {
    const { aborter, utterance } = current;
    const seconds = utterance.estimate;
    current.from = this.player.currentTime;
    this.#start(current, true);
    this.player.afterSeconds(seconds / 2, aborter.signal, () => {
      if (this.#isMissed(current, middle)) this.#fail(current, ownError('media_error'));
    });
    this.player.afterSeconds(seconds, aborter.signal, () => this.#end(current, true));
  }

  #fail(current: CurrentUtterance, error: SignError): void {
    this.#abandonCurrent();
    this.#events.failed(current.utterance, error);
  }

  #start(current: CurrentUtterance, estimated: boolean): void {
    current.started = true;
    if (current.dropped) return;
    this.#last = { utterance: current.utterance, bookmark: this.player.bookmark() };
    this.#events.started(current.utterance, estimated);
  }

  #end(current: CurrentUtterance, estimated: boolean): void {
    this.#abandonCurrent();
    const { utterance, position } = current;
    const isLast = this.#utterances.every((other) => other === utterance);
    const { currentSrc } = this.player;
    if (estimated && !isLast && currentSrc === position?.url && currentSrc !== this.#ongoing)
      this.player.hold();
    if (current.dropped) this.#takeNext();
    else this.#events.ended(current.utterance, estimated);
  }

  #abandonCurrent(): void {
    this.#current?.aborter.abort();
    this.#current = null;
  }
}
