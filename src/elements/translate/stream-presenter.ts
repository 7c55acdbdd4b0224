// Shows utterances in streams (SEMANTICS, Stream mode): in the ongoing stream of a session, or by REST in one stream each.
// - In an ongoing stream an utterance starts at the moment when the service accepted it, and lasts 1 s and 0.6 s a word of
//   painted video: the service does not say when it ends. The next one starts no earlier.
// - While the service still signs a dropped utterance, the last frame stays, until its estimated end or the next utterance.
//   If the next is in the stream already, the dropped one plays to its end: a skip could cut the beginning of the next.
// - A stream of its own has a first frame and an end, so nothing is estimated.
// - A stream that replaces another takes over without black. Utterances that have not started are appended to the new one.
// - When a stream that has been painted is refused, the session is asked for another if utterances wait; else it is lost.
import { type Bookmark, TextStreamPlayer } from '../../playback/live/text-stream-player.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Presenter, PresenterEvents, UtterancePlayback } from './utterance-playback.ts';

const secondsFor = (text: string): number => 1 + 0.6 * text.trim().split(/\s+/).length;

export interface StreamPresenterEvents extends PresenterEvents {
  /** A frame is on screen. */
  painted(): void;
  /** The ongoing stream cannot be shown any more, nor the utterances in it. */
  lost(error: SignError): void;
}

/** The utterance that is shown or is next in the stream. */
interface CurrentPlayback {
  readonly playback: UtterancePlayback;
  readonly position: UtterancePlayback['position'];
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
  #current: CurrentPlayback | null = null;
  /** The next utterances, as of the last `deliver`. */
  #playbacks: readonly UtterancePlayback[] = [];
  #last: { readonly playback: UtterancePlayback; readonly bookmark: Bookmark } | null = null;

  constructor(events: StreamPresenterEvents) {
    this.#events = events;
  }

  /** Shows the next utterances; `manifests` are those of the current session. */
  deliver(playbacks: readonly UtterancePlayback[], manifests: StreamManifests | null): void {
    const url = manifests?.hls ?? null;
    if (url !== null && url !== this.#ongoing && !this.#current?.position?.own) this.#openOngoing(url);
    const current = this.#current;
    if (current && !current.started && current.position !== current.playback.position) this.#abandonCurrent();
    this.#playbacks = playbacks;
    this.#takeNext();
  }

  #takeNext(): void {
    const [playback] = this.#playbacks;
    const position = playback?.position;
    if (this.#current || !position || !(position.own || position.url === this.#ongoing)) return;
    const current = this.#begin(playback);
    if (position.own) this.#playOwn(current, position.url);
    else this.player.atMoment(position.acceptedAt, current.aborter.signal, () => this.#onMoment(current));
  }

  canReplay(playback: UtterancePlayback): boolean {
    return this.#last?.playback === playback && (playback.position?.own || this.#last.bookmark.kept);
  }

  replay(playback: UtterancePlayback): void {
    if (this.#current || !this.#last || !this.canReplay(playback)) return;
    const current = this.#begin(playback);
    if (playback.position?.own) return this.#playOwn(current, playback.position.url);
    this.#last.bookmark.open();
    this.#onMoment(current);
  }

  drop(playback: UtterancePlayback): void {
    if (this.#last?.playback === playback) this.#last = null;
    const current = this.#current;
    if (current?.playback !== playback) return;
    current.dropped = true;
    if (!playback.position?.own && this.#isAwaited(playback)) return;
    const from = current.from ?? this.player.nextMoment;
    this.#abandonCurrent();
    if (playback.position?.own) this.player.freeze();
    else if (from !== null && current.position?.url === this.#ongoing) {
      this.player.skipTo(from + secondsFor(playback.text));
    }
  }

  /** Another utterance is in the ongoing stream already and is not dropped. */
  #isAwaited(dropped: UtterancePlayback): boolean {
    return this.#playbacks.some(
      ({ position, ref, abortController }) =>
        ref !== dropped.ref && position?.url === this.#ongoing && !abortController.signal.aborted,
    );
  }

  reset(): void {
    this.#abandonCurrent();
    this.#playbacks = [];
    this.#ongoing = this.#last = null;
    this.player.reset();
  }

  #begin(playback: UtterancePlayback): CurrentPlayback {
    return (this.#current = {
      playback,
      position: playback.position,
      aborter: new AbortController(),
      started: false,
      from: null,
      dropped: false,
    });
  }

  #openOngoing(url: string): void {
    // An utterance that has not started must not start in the old stream: the session appends it to the new one.
    if (!this.#current?.started || this.#current.dropped) this.#abandonCurrent();
    this.#ongoing = url;
    let wasPainted = false;
    this.player.show({
      url,
      format: 'hls',
      fromStart: false,
      painted: () => {
        wasPainted = true;
        this.#events.painted();
      },
      ended: () => {},
      failed: (error) => {
        if (this.#ongoing !== url) return;
        if (wasPainted && error.code === 'media_refused' && this.#renewOngoing(error)) return;
        this.#ongoing = null;
        this.#abandonCurrent();
        this.#events.lost(error);
      },
    });
  }

  /** Asks for another stream for waiting utterances; the one on screen fails. False when none waits. */
  #renewOngoing(error: SignError): boolean {
    const waiting = this.#playbacks.find(({ session, started }) => session?.renewStream && !started);
    if (!waiting) return false;
    const current = this.#current;
    this.#abandonCurrent();
    if (current?.started && !current.dropped) this.#events.failed(current.playback, error);
    waiting.session?.renewStream?.(error);
    return true;
  }

  #playOwn(current: CurrentPlayback, url: string): void {
    const { playback, aborter } = current;
    const unlessAborted = (run: () => void) => () => aborter.signal.aborted || run();
    // So `deliver` opens the ongoing stream again later.
    this.#ongoing = null;
    this.player.show({
      url,
      format: 'hls',
      fromStart: true,
      painted: unlessAborted(() => {
        this.#events.painted();
        this.#start(current, false);
      }),
      ended: unlessAborted(() => this.#end(current, false)),
      failed: (error) => {
        if (aborter.signal.aborted) return;
        this.#abandonCurrent();
        this.#events.failed(playback, error);
      },
    });
  }

  #onMoment(current: CurrentPlayback): void {
    current.from = this.player.currentTime;
    this.#start(current, true);
    const seconds = secondsFor(current.playback.text);
    this.player.afterSeconds(seconds, current.aborter.signal, () => this.#end(current, true));
  }

  #start(current: CurrentPlayback, estimated: boolean): void {
    current.started = true;
    if (current.dropped) return;
    this.#last = { playback: current.playback, bookmark: this.player.bookmark() };
    this.#events.started(current.playback, estimated);
  }

  #end(current: CurrentPlayback, estimated: boolean): void {
    this.#abandonCurrent();
    if (current.dropped) this.#takeNext();
    else this.#events.ended(current.playback, estimated);
  }

  #abandonCurrent(): void {
    this.#current?.aborter.abort();
    this.#current = null;
  }
}
