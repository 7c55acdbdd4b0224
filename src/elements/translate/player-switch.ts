// Holds the clip player and the stream player of an element, and chooses the active one, which the page sees and controls.
// - A player becomes active with its first painted frame, so that nothing black is seen between the two.
// - The new active player takes over speed, sound and pause; the one before releases its media.
// - The stream player is loaded with the first utterance in stream mode.
import { loadCode } from '../../internal/load-code.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { Player } from '../../playback/player.ts';
import { movePictureInPicture } from '../../playback/signer-video.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { loadFailed, type SignError } from '../../protocol/sign-error.ts';
import { ClipPresenter, type ClipResult } from './clip-presenter.ts';
import type { StreamPresenter } from './stream-presenter.ts';
import type { Presenter, PresenterEvents, TranslateUtterance } from './translate-utterance.ts';

interface PlayerSwitchEvents extends PresenterEvents {
  /** Another player may become active; its videos go on top of those before. */
  added(player: Player): void;
  /** Another player is active. */
  changed(): void;
  /** The stream player did not load, and is tried again. */
  retrying(warning: SignError): void;
  /** The stream player is loaded. */
  streamsReady(): void;
  /** None of the utterances in stream mode can be shown. */
  streamsLost(error: SignError): void;
}

export class PlayerSwitch {
  readonly #events: PlayerSwitchEvents;
  readonly #clips: ClipPresenter;
  #streams: StreamPresenter | null = null;
  #loading = false;
  #activePresenter: Presenter;

  constructor(clipPlayer: PlaylistPlayer, events: PlayerSwitchEvents) {
    this.#events = events;
    this.#clips = this.#activePresenter = new ClipPresenter(clipPlayer, {
      ...events,
      started: (utterance, estimated) => {
        this.#activate(this.#clips);
        events.started(utterance, estimated);
      },
    });
  }

  /** The player that the page sees and controls. */
  get activePlayer(): Player {
    return this.#activePresenter.player;
  }

  get canStream(): boolean {
    return this.#streams !== null;
  }

  play(): Promise<void> {
    return this.activePlayer.play();
  }

  /** Plays all clips of the last playlist once more. */
  playAgain(): void {
    if (this.#activePresenter === this.#clips) this.#clips.player.playAgain();
  }

  /** Pauses, also the player that becomes active later. */
  pause(): void {
    this.activePlayer.pause();
  }

  prepareStreams(): void {
    if (this.#streams || this.#loading) return;
    this.#loading = true;
    const loaded = loadCode(() => import('./stream-presenter.ts'), {
      retrying: (cause) => this.#events.retrying(loadFailed(cause).asWarning()),
    }).then(({ StreamPresenter }) => {
      const { started, ended, failed, streamsLost: lost } = this.#events;
      const painted = (): void => this.#activate(streams);
      const streams = new StreamPresenter({ started, ended, failed, lost, painted });
      this.#streams = streams;
      streams.player.counts = this.#clips.player.counts;
      this.#events.added(streams.player);
      this.#events.streamsReady();
    });
    void loaded
      .catch((cause: unknown) => {
        this.#events.streamsLost(loadFailed(cause));
      })
      .finally(() => (this.#loading = false));
  }

  /** Loads a clip of an utterance. */
  addClip(utterance: TranslateUtterance, result: ClipResult): void {
    this.#clips.addClip(utterance, result);
  }

  /** The session of the ongoing stream is lost. */
  leaveStream(): void {
    this.#streams?.leaveOngoing();
  }

  /** Gives the next utterances to their player, in call order; `manifests` are those of the current session. */
  deliver(utterances: readonly TranslateUtterance[], manifests: StreamManifests | null): void {
    const streamed = utterances[0]?.streamed ?? true;
    const end = utterances.findIndex((utterance) => utterance.streamed !== streamed);
    const next = end < 0 ? utterances : utterances.slice(0, end);
    this.#clips.deliver(streamed ? [] : next);
    if (!streamed) return;
    const streams = this.#streams;
    streams?.deliver(next, manifests);
    // Without a frame on screen there is no reason to wait for the first one of the stream.
    if (streams && manifests && this.activePlayer.media === null) this.#activate(streams);
  }

  canReplay(utterance: TranslateUtterance): boolean {
    return this.#activePresenter.canReplay(utterance);
  }

  replay(utterance: TranslateUtterance): void {
    this.#activePresenter.replay(utterance);
  }

  /** Goes to the beginning of an utterance; false when that is not possible. */
  goTo(utterance: TranslateUtterance): boolean {
    return this.#activePresenter === this.#clips && this.#clips.goTo(utterance);
  }

  drop(utterance: TranslateUtterance): void {
    this.#clips.drop(utterance);
    this.#streams?.drop(utterance);
  }

  reset(): void {
    this.#clips.reset();
    this.#streams?.reset();
    this.#activePresenter = this.#clips;
  }

  #activate(presenter: Presenter): void {
    if (presenter === this.#activePresenter) return;
    const before = this.#activePresenter;
    this.#activePresenter = presenter;
    presenter.player.continueFrom(before.player);
    const from = before.player.media;
    const to = presenter.player.media;
    const moved = from && to && movePictureInPicture(from, to);
    if (moved) void moved.then(() => this.#activePresenter !== before && before.reset());
    else before.reset();
    this.#events.changed();
  }
}
