// The utterances of one element, from `sign()` to their last frame. Only this file connects the sender with the players.
// - Each utterance is shown once, in call order, whatever the order of the results.
// - An utterance that fails or is aborted is removed; the others are not affected.
// - Each keeps the settings of its call (SEMANTICS, One call of `sign(text)`, 2).
// - An error is reported once, by the session or by the queue.
import type { ClipSource } from '../../playback/clips/clip-bytes.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { Player } from '../../playback/player.ts';
import type { Counts, SignStats } from '../../playback/counts.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { abortError, whenAborted } from '../../session/async.ts';
import type { SessionSummary } from '../../session/session-types.ts';
import type { SignEventDetails, SignState } from '../sign-events.ts';
import { PlayerSwitch } from './player-switch.ts';
import { UtteranceSender } from './utterance-sender.ts';
import type { SessionSettings } from './session-settings.ts';
import { TranslateUtterance } from './translate-utterance.ts';

interface TranslateQueueEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** Another player may become active; its videos are put on top of the others. */
  added(player: Player): void;
  /** Anything that is shown may have changed. */
  changed(): void;
}

/** A text to be signed. */
interface QueuedText {
  readonly text: string;
  /** An id that was never used before; default: a new one. */
  readonly ref?: string;
  /** Looks for a video of it to show in place of the service's; null when there is none. */
  readonly find?: ((ref: string) => Promise<ClipSource | null>) | '' | null | undefined;
}

const droppedError = (): DOMException => abortError('not signed');

export class TranslateQueue {
  readonly #counts: Counts;
  readonly #events: TranslateQueueEvents;
  readonly #sender: UtteranceSender;
  readonly #players: PlayerSwitch;
  /** The utterances that are not yet settled, in call order. */
  #utterances: TranslateUtterance[] = [];
  /** The text on screen. */
  #showing: TranslateUtterance | null = null;
  #last: TranslateUtterance | null = null;
  #state: SignState = 'idle';

  constructor(clipPlayer: PlaylistPlayer, events: TranslateQueueEvents) {
    this.#events = events;
    this.#counts = clipPlayer.counts;
    this.#sender = new UtteranceSender(() => this.#utterances, {
      emit: events.emit,
      result: (utterance, result) => {
        this.#players.addClip(utterance, result);
        this.#deliver();
      },
      failed: (utterance, reason) => this.drop([utterance], reason),
      streamed: () => this.#deliver(),
      streamLost: () => this.#players.leaveStream(),
      prepareStreams: () => this.#players.prepareStreams(),
      stateChanged: () => this.#advance(),
    });
    this.#players = new PlayerSwitch(clipPlayer, {
      started: (utterance, estimated) => this.#onStart(utterance, estimated),
      ended: (utterance, estimated) => this.#onEnd(utterance, estimated),
      failed: (utterance, error) => this.#onFailed([utterance], error, utterance.ref),
      retrying: (error) => events.emit('sign-error', { error }),
      streamsLost: (error) => this.#onStreamsLost(error),
      streamsReady: () => this.#advance(),
      added: events.added,
      changed: events.changed,
    });
  }

  /** The player that the page sees and steers. */
  get player(): Player {
    return this.#players.activePlayer;
  }

  get stats(): SignStats {
    return { ...this.#counts };
  }

  get state(): SignState {
    return this.#state;
  }

  /** The words being signed, null between texts. */
  get showing(): string | null {
    return this.#showing?.shownText ?? null;
  }

  /** True while a text waits to be signed. */
  get waiting(): boolean {
    return this.#utterances.some((utterance) => !utterance.hasStarted);
  }

  /** True while there is a text that has not been signed to its end. */
  get busy(): boolean {
    return this.#utterances.length > 0 || this.#showing !== null;
  }

  /** True once there is a text that `replay()` can show. */
  get replayable(): boolean {
    return this.#last !== null && this.#players.canReplay(this.#last);
  }

  /** While false nothing is sent: an element outside the document shows nothing. */
  set active(active: boolean) {
    this.#sender.active = active;
    this.#advance();
  }

  /** After the last text: signs the whole playlist again (SEMANTICS, "row is over"). */
  play(): Promise<void> {
    if (!this.busy) this.#players.playAgain();
    return this.unpause();
  }

  /** Starts playback, also of later texts; signs nothing again. */
  unpause(): Promise<void> {
    return this.#players.play();
  }

  pause(): void {
    this.#players.pause();
  }

  /** Queues a text. */
  add({ text, ref, find }: QueuedText, settings: SessionSettings, signal?: AbortSignal): TranslateUtterance {
    const utterance = new TranslateUtterance(text, settings, settings.mode === 'stream', ref);
    const { promise } = utterance.outcome;
    if (signal?.aborted) {
      utterance.reject(droppedError());
      return utterance;
    }
    if (!this.busy) utterance.asked = performance.now();
    const unlisten = whenAborted(signal, () => this.drop([utterance]));
    promise.then(unlisten, unlisten);
    this.#utterances.push(utterance);
    if (find) {
      // Nothing is sent before the search has ended.
      utterance.loaded = true;
      find(utterance.ref).then(
        (clip) => {
          if (utterance.settled) return;
          utterance.loaded = clip !== null;
          if (clip) {
            utterance.streamed = false;
            this.#players.addClip(utterance, { part: 0, parts: 1, durationSeconds: null, ...clip });
          }
          this.#advance();
        },
        (error: SignError) => utterance.settled || this.#onFailed([utterance], error, utterance.ref),
      );
    }
    this.#advance();
    return utterance;
  }

  /** Goes to the beginning of an utterance that is in the playlist; false when it is not. */
  goTo(utterance: TranslateUtterance): boolean {
    return this.#players.goTo(utterance);
  }

  /** Drops the waiting texts; the text on screen continues. */
  clear(): void {
    const waiting = this.#utterances.filter((utterance) => !utterance.hasStarted);
    this.drop(waiting);
  }

  /** Removes utterances, wherever they are; those that have been signed cannot be shown again. */
  drop(utterances: readonly TranslateUtterance[], reason: unknown = droppedError()): void {
    const open = utterances.filter((utterance) => !utterance.settled);
    this.#utterances = this.#utterances.filter((utterance) => !open.includes(utterance));
    if (this.#showing && utterances.includes(this.#showing)) this.#showing = null;
    if (this.#last && utterances.includes(this.#last)) this.#last = null;
    // In reverse order: a place that becomes free, in the session or on screen, must not go to another dropped utterance.
    for (const utterance of [...open].reverse()) utterance.abort(reason);
    for (const utterance of open) utterance.reject(reason);
    for (const utterance of [...utterances].reverse()) this.#players.drop(utterance);
    this.#advance();
    if (!this.busy) this.#events.emit('sign-statechange', { state: this.#state });
  }

  replay(): void {
    if (this.#last && this.replayable) this.#players.replay(this.#last);
  }

  /** Opens the session before the first text, as soon as the element is on a page. */
  connect(settings: SessionSettings): Promise<void> {
    return this.#sender.connect(settings);
  }

  /** Rejects the waiting texts, lets the text on screen finish unless playback is paused, then ends the session. */
  async end(): Promise<SessionSummary | null> {
    const endSession = this.#sender.retire();
    this.clear();
    const playing = this.#utterances.find((utterance) => utterance.hasStarted);
    if (playing && !this.player.paused) {
      await new Promise<void>((over) => {
        void playing.outcome.promise.catch(() => {}).then(() => over());
        this.player.addEventListener('pause', () => over(), { once: true });
      });
    }
    return endSession();
  }

  /** Ends everything at once; the queue can be used again and then starts idle. */
  reset(): void {
    // The sender is retired first, because `drop` would otherwise open another stream.
    this.#sender.retire();
    const utterances = this.#utterances;
    this.#utterances = [];
    this.#showing = this.#last = null;
    this.#players.reset();
    this.drop(utterances);
    this.#sender.reset();
    this.#updateState();
  }

  /** Sends and shows what is possible now, and updates the state. */
  #advance(): void {
    this.#sender.sendWaiting(this.#players.canStream);
    this.#deliver();
    this.#updateState();
  }

  #deliver(): void {
    this.#players.deliver(this.#utterances, this.#sender.manifests);
    this.#events.changed();
  }

  #onStart(utterance: TranslateUtterance, estimated: boolean): void {
    utterance.hasStarted = true;
    if (utterance.streamed && !utterance.settled) utterance.session?.started(utterance.ref);
    this.#showing = this.#last = utterance;
    this.#updateState();
    const { ref, text } = utterance;
    this.#events.emit('sign-start', { ref, text, ...(estimated && { estimated }) });
    this.#counts.started(utterance);
    this.#events.emit('sign-stats', this.stats);
  }

  #onEnd(utterance: TranslateUtterance, estimated: boolean): void {
    if (this.#showing === utterance) this.#showing = null;
    this.#utterances = this.#utterances.filter((other) => other !== utterance);
    this.#updateState();
    const { ref, text, hasStarted } = utterance;
    // A visitor may go past a text before it is shown.
    if (hasStarted) {
      this.#events.emit('sign-end', { ref, text, ...(estimated && { estimated }) });
      this.#counts.texts += 1;
      this.#events.emit('sign-stats', this.stats);
    }
    if (!utterance.settled) utterance.resolve();
    this.#advance();
  }

  #onFailed(utterances: readonly TranslateUtterance[], error: SignError, ref?: string): void {
    if (!this.#sender.hasReported(error)) this.#events.emit('sign-error', { error, ...(ref && { ref }) });
    this.drop(utterances, error);
  }

  /** Ends the session too, because only a new session brings a new stream. */
  #onStreamsLost(error: SignError): void {
    const endSession = this.#sender.retire();
    this.#onFailed(
      this.#utterances.filter((utterance) => utterance.streamed),
      error,
    );
    void endSession();
  }

  /** True while the next utterance has media to continue with. */
  get #joining(): boolean {
    const next = this.#utterances[0];
    return this.#state === 'signing' && next !== undefined && (next.delivered > 0 || next.position !== null);
  }

  #updateState(): void {
    const session = this.#sender.state;
    const isUndisturbed = session !== 'failed' && session !== 'reconnecting' && session !== 'finalizing';
    // Between two utterances the state stays `signing` when the next one's media is there already.
    const signing = this.#showing !== null || this.#joining;
    const state = isUndisturbed && signing ? 'signing' : session;
    if (state !== this.#state) {
      this.#state = state;
      this.#events.emit('sign-statechange', { state });
    }
    this.#events.changed();
  }
}
