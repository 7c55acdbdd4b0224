// Holds the clip player and the stream player of an element, and chooses the active one, which the page sees and controls.
// - A player becomes active with its first painted frame, so that nothing black is seen between the two.
// - The new active player takes over speed, sound and pause; the one before releases its media.
// - The stream player is loaded with the first utterance in stream mode.
// - The clips are fetched in the order of their results, whatever is playing, because a URL is valid for 5 minutes. They are
//   fetched one at a time, besides those that the player fetches: on a slow network eight at once would all fail by their time
//   limit, again and again.
// - The playlist gets each clip once all clips before it are there.
import { loadCode } from '../../internal/load-code.ts';
import { ClipBytes, type ClipSource } from '../../playback/clips/clip-bytes.ts';
import type { Clip } from '../../playback/clips/playlist.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { Player } from '../../playback/player.ts';
import { movePictureInPicture } from '../../playback/signer-video.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { loadFailed, type SignError } from '../../protocol/sign-error.ts';
import type { StreamPresenter } from './stream-presenter.ts';
import type { Presenter, PresenterEvents, TranslateUtterance } from './translate-utterance.ts';

/** One part of an utterance with its video. */
export interface ClipResult extends ClipSource {
  readonly part: number;
  readonly parts: number;
  /** Seconds, null when the service announced none. */
  readonly durationSeconds: number | null;
}

interface ClipEvents extends PresenterEvents {
  /** Another part is on screen. */
  changed(): void;
}

/** Shows utterances as clips: one video for each part. A dropped utterance leaves no gap in the playlist. */
export class ClipPresenter implements Presenter {
  readonly player: PlaylistPlayer;
  readonly #host = { servedAt: -1 };
  /** Settles when all clips so far were loaded or have failed. */
  #loads: Promise<unknown> = Promise.resolve();
  readonly #events: ClipEvents;

  constructor(player: PlaylistPlayer, events: ClipEvents) {
    this.player = player;
    this.#events = events;
  }

  /** Takes a clip, which is played in call order. */
  addClip(utterance: TranslateUtterance, result: ClipResult): void {
    const { part, parts, durationSeconds } = result;
    const last = part === parts - 1;
    const clip: Clip = {
      bytes: new ClipBytes({ ...result, host: this.#host }),
      duration: durationSeconds,
      isHeard: result.isHeard,
      started: () => {
        utterance.part = part;
        if (part === 0) this.#events.started(utterance, false);
        else this.#events.changed();
      },
      ended: () => {
        if (!utterance.settled) utterance.session?.played(utterance.ref, part);
        if (last) this.#events.ended(utterance, false);
      },
      failed: (error: SignError) => this.#events.failed(utterance, error),
    };
    utterance.clipCount = parts;
    utterance.clips[part] = clip;
    // The page's own video does not expire and may be large: the player fetches it when it is the next one.
    if (!utterance.session) return utterance.ready.resolve();
    // flat() leaves out empty places. Not Object.values(): Prototype.js gives the methods that it adds to lists as well.
    const hasAll = utterance.clips.flat().length === parts;
    this.#loads = this.#loads
      .then(() => clip.bytes.load())
      .catch(() => {})
      .then(() => hasAll && utterance.ready.resolve());
  }

  /** Appends the next clips in order, as far as they are there. */
  deliver(utterances: readonly TranslateUtterance[]): void {
    for (const utterance of utterances) {
      for (
        let clip = utterance.clips[utterance.delivered];
        clip;
        clip = utterance.clips[utterance.delivered]
      ) {
        utterance.delivered += 1;
        this.player.append(clip);
      }
      if (!utterance.complete) break;
    }
    this.player.moreExpected = utterances.some((utterance) => !utterance.complete);
  }

  canReplay(utterance: TranslateUtterance): boolean {
    return utterance.clips.length > 0;
  }

  replay(utterance: TranslateUtterance): void {
    this.player.playFrom(utterance.clips);
  }

  /** Goes to its beginning; false when it is not in the playlist. */
  goTo(utterance: TranslateUtterance): boolean {
    const [first] = utterance.clips;
    return first !== undefined && this.player.goTo(first);
  }

  drop(utterance: TranslateUtterance): void {
    // Removing the clip on screen must not bring the next clip of the same utterance.
    utterance.clips.forEach((_, part) => utterance.session?.played(utterance.ref, part));
    for (const clip of utterance.clips.flat().reverse()) {
      clip.bytes.release();
      this.player.remove(clip);
    }
  }

  reset(): void {
    this.player.reset();
  }
}

interface PlayerSwitchEvents extends ClipEvents {
  /** Another player may become active; its videos are put on top of the others. */
  added(player: Player): void;
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
    const retrying = (cause: unknown): void => this.#events.retrying(loadFailed(cause).asWarning());
    const loaded = loadCode(() => import('./stream-presenter.ts'), { retrying }).then(
      ({ StreamPresenter }) => {
        const { started, ended, failed, streamsLost: lost } = this.#events;
        const painted = (): void => this.#activate(streams);
        const streams = new StreamPresenter({ started, ended, failed, lost, painted });
        this.#streams = streams;
        Object.assign(streams.player, { counts: this.#clips.player.counts, retrying });
        this.#events.added(streams.player);
        this.#events.streamsReady();
      },
    );
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
