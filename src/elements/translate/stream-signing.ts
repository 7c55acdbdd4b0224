// Texts in streams (SEMANTICS, Stream mode): a session's ongoing one, to which each text is appended, or one a text by
// REST. Loaded when the first streamed text is asked for. Policy: in an ongoing stream nobody says when a text is signed,
// so it starts when the picture reaches the moment at which the service took it, and lasts 1 s and 0.6 s a word of painted
// picture; the next one starts no earlier. One that is aborted is signed on by the service: its picture stands until it
// would be over or the next text was taken; only where the next is in the stream already, behind an end that nobody
// knows, it goes on to its end, because the beginning of what is wanted must not be lost for the end of what is not. A
// text's own stream has a first frame and a last, and nothing is guessed. A stream that replaces another, after a drop,
// takes over without black; what had not started is placed in it anew. One that has been painted and is refused was signed
// for a time that is over: where texts wait in it, another session is asked for another; else it is lost.
import type { Bookmark } from '../../playback/live/text-stream-player.ts';
import { TextStreamPlayer } from '../../playback/live/text-stream-player.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { SignCall } from './sign-call.ts';
import type { Signing, SigningEvents } from './signing.ts';

const secondsFor = (text: string): number => 1 + 0.6 * text.trim().split(/\s+/).length;

export interface StreamSigningEvents extends SigningEvents {
  /** A picture has come on screen. */
  painted(): void;
  /** The ongoing stream is gone for good, and with it what is in it. */
  lost(error: SignError): void;
}

/** The text whose turn it is. */
interface Turn {
  readonly call: SignCall;
  readonly place: SignCall['place'];
  /** Ends what waits for its frames. */
  readonly over: AbortController;
  started: boolean;
  /** Second of the ongoing stream at which it starts; null while that is not known. */
  from: number | null;
  /** Nobody wants it any more, and nothing is told of it. */
  dropped: boolean;
}

export class StreamSigning implements Signing {
  readonly player = new TextStreamPlayer();
  readonly #events: StreamSigningEvents;
  /** The ongoing stream that is shown. */
  #ongoing: string | null = null;
  #turn: Turn | null = null;
  /** What is next, as it was told last. */
  #calls: readonly SignCall[] = [];
  #last: { readonly call: SignCall; readonly bookmark: Bookmark } | null = null;

  constructor(events: StreamSigningEvents) {
    this.#events = events;
  }

  /** Shows what is next; `manifests` are those of the session now in force. */
  deliver(calls: readonly SignCall[], manifests: StreamManifests | null): void {
    const url = manifests?.hls ?? null;
    if (url !== null && url !== this.#ongoing && !this.#turn?.place?.own) this.#openOngoing(url);
    if (this.#turn && !this.#turn.started && this.#turn.place !== this.#turn.call.place) this.#giveUpTurn();
    this.#calls = calls;
    this.#takeNext();
  }

  #takeNext(): void {
    const [call] = this.#calls;
    if (this.#turn || !call?.place || !(call.place.own || call.place.url === this.#ongoing)) return;
    const turn = this.#takeTurn(call);
    if (call.place.own) this.#playOwn(turn, call.place.url);
    else this.player.atMoment(call.place.acceptedAt, turn.over.signal, () => this.#onMoment(turn));
  }

  canReplay(call: SignCall): boolean {
    return this.#last?.call === call && (call.place?.own || this.#last.bookmark.kept);
  }

  replay(call: SignCall): void {
    if (this.#turn || !this.#last || !this.canReplay(call)) return;
    const turn = this.#takeTurn(call);
    if (call.place?.own) return this.#playOwn(turn, call.place.url);
    this.#last.bookmark.open();
    this.#onMoment(turn);
  }

  drop(call: SignCall): void {
    if (this.#last?.call === call) this.#last = null;
    const turn = this.#turn;
    if (turn?.call !== call) return;
    turn.dropped = true;
    if (!call.place?.own && this.#isAwaited(call)) return;
    const from = turn.from ?? this.player.nextMoment;
    this.#giveUpTurn();
    if (call.place?.own) this.player.freeze();
    else if (from !== null && turn.place?.url === this.#ongoing) {
      this.player.skipTo(from + secondsFor(call.text));
    }
  }

  /** Another text that is wanted is in the ongoing stream already. */
  #isAwaited(dropped: SignCall): boolean {
    return this.#calls.some(
      ({ place, ref, stop }) => ref !== dropped.ref && place?.url === this.#ongoing && !stop.signal.aborted,
    );
  }

  reset(): void {
    this.#giveUpTurn();
    this.#calls = [];
    this.#ongoing = this.#last = null;
    this.player.reset();
  }

  #takeTurn(call: SignCall): Turn {
    return (this.#turn = {
      call,
      place: call.place,
      over: new AbortController(),
      started: false,
      from: null,
      dropped: false,
    });
  }

  #openOngoing(url: string): void {
    // What has not started is not to start in the stream before: the session appends it to this one.
    if (!this.#turn?.started || this.#turn.dropped) this.#giveUpTurn();
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
        this.#giveUpTurn();
        this.#events.lost(error);
      },
    });
  }

  /** Asks for another stream for the texts that wait; what is on screen has lost its own. False when none waits. */
  #renewOngoing(error: SignError): boolean {
    const waiting = this.#calls.find(({ session, started }) => session?.renewStream && !started);
    if (!waiting) return false;
    const turn = this.#turn;
    this.#giveUpTurn();
    if (turn?.started && !turn.dropped) this.#events.failed(turn.call, error);
    waiting.session?.renewStream?.(error);
    return true;
  }

  #playOwn(turn: Turn, url: string): void {
    const { call, over } = turn;
    const whileItLasts = (run: () => void) => () => over.signal.aborted || run();
    // Whatever goes on behind it is to be shown again later.
    this.#ongoing = null;
    this.player.show({
      url,
      format: 'hls',
      fromStart: true,
      painted: whileItLasts(() => {
        this.#events.painted();
        this.#start(turn, false);
      }),
      ended: whileItLasts(() => this.#end(turn, false)),
      failed: (error) => {
        if (over.signal.aborted) return;
        this.#giveUpTurn();
        this.#events.failed(call, error);
      },
    });
  }

  #onMoment(turn: Turn): void {
    turn.from = this.player.currentTime;
    this.#start(turn, true);
    const seconds = secondsFor(turn.call.text);
    this.player.afterSeconds(seconds, turn.over.signal, () => this.#end(turn, true));
  }

  #start(turn: Turn, estimated: boolean): void {
    turn.started = true;
    if (turn.dropped) return;
    this.#last = { call: turn.call, bookmark: this.player.bookmark() };
    this.#events.started(turn.call, estimated);
  }

  #end(turn: Turn, estimated: boolean): void {
    this.#giveUpTurn();
    if (turn.dropped) this.#takeNext();
    else this.#events.ended(turn.call, estimated);
  }

  #giveUpTurn(): void {
    this.#turn?.over.abort();
    this.#turn = null;
  }
}
