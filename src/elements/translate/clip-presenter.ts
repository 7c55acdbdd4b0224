// Shows utterances as clips: one video for each part, played in order.
// - A clip's bytes are fetched as soon as its result arrives, whatever is playing: its URL lives 5 minutes.
// - A video of the page's own does not expire and may be large: the player fetches it when it is the next one.
// - The playlist gets each clip once all clips before it are there.
// - A dropped utterance leaves no gap in the playlist.
import { ClipBytes, type ClipSource } from '../../playback/clips/clip-bytes.ts';
import type { Clip } from '../../playback/clips/playlist.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Presenter, PresenterEvents, TranslateUtterance } from './translate-utterance.ts';

/** One part of an utterance with its video. */
export interface ClipResult extends ClipSource {
  readonly part: number;
  readonly parts: number;
  /** Seconds, null when the service announced none. */
  readonly durationSeconds: number | null;
}

export class ClipPresenter implements Presenter {
  readonly player: PlaylistPlayer;
  readonly #events: PresenterEvents;

  constructor(player: PlaylistPlayer, events: PresenterEvents) {
    this.player = player;
    this.#events = events;
  }

  /** Takes a clip, which is played in call order. */
  addClip(utterance: TranslateUtterance, result: ClipResult): void {
    const { part, parts, durationSeconds } = result;
    const last = part === parts - 1;
    const clip: Clip = {
      bytes: new ClipBytes(result),
      duration: durationSeconds,
      isHeard: result.isHeard,
      started: () => part === 0 && this.#events.started(utterance, false),
      ended: () => {
        if (!utterance.settled) utterance.session?.played(utterance.ref, part);
        if (last) this.#events.ended(utterance, false);
      },
      failed: (error: SignError) => this.#events.failed(utterance, error),
    };
    utterance.clipCount = parts;
    utterance.clips[part] = clip;
    // The page's own video needs no preparing.
    if (!utterance.session) return utterance.ready.resolve();
    const loads = Object.values(utterance.clips).map(({ bytes }) => bytes.load());
    if (loads.length === parts) void Promise.allSettled(loads).then(() => utterance.ready.resolve());
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
    for (const clip of Object.values(utterance.clips).reverse()) {
      clip.bytes.release();
      this.player.remove(clip);
    }
  }

  reset(): void {
    this.player.reset();
  }
}
