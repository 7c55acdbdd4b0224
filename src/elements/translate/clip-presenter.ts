// Shows utterances as clips: one video for each part, played in order.
// - A clip's bytes are fetched as soon as its result arrives, whatever is playing.
// - The playlist gets each clip once all clips before it are there.
// - A dropped utterance leaves no gap in the playlist.
import { ClipBytes } from '../../playback/clips/clip-bytes.ts';
import type { Clip } from '../../playback/clips/playlist.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Presenter, PresenterEvents, UtterancePlayback } from './utterance-playback.ts';

/** One part of an utterance with its video. */
export interface ClipResult {
  readonly part: number;
  readonly parts: number;
  readonly url: string;
  /** Seconds, null when the service announced none. */
  readonly durationSeconds: number | null;
  renew(signal: AbortSignal): Promise<string>;
}

export class ClipPresenter implements Presenter {
  readonly player: PlaylistPlayer;
  readonly #events: PresenterEvents;

  constructor(player: PlaylistPlayer, events: PresenterEvents) {
    this.player = player;
    this.#events = events;
  }

  /** Fetches a clip at once; it is played in call order. */
  addClip(playback: UtterancePlayback, { part, parts, url, durationSeconds, renew }: ClipResult): void {
    const last = part === parts - 1;
    const clip: Clip = {
      bytes: new ClipBytes({ url, renew }),
      duration: durationSeconds,
      started: () => part === 0 && this.#events.started(playback, false),
      ended: () => {
        if (!playback.settled) playback.session?.played(playback.ref, part);
        if (last) this.#events.ended(playback, false);
      },
      failed: (error: SignError) => this.#events.failed(playback, error),
    };
    playback.parts = parts;
    playback.clips[part] = clip;
    void clip.bytes.load();
  }

  /** Appends the next clips in order, as far as they are there. */
  deliver(playbacks: readonly UtterancePlayback[]): void {
    for (const playback of playbacks) {
      for (let clip = playback.clips[playback.delivered]; clip; clip = playback.clips[playback.delivered]) {
        playback.delivered += 1;
        this.player.append(clip);
      }
      if (!playback.complete) break;
    }
    this.player.moreExpected = playbacks.some((playback) => !playback.complete);
  }

  canReplay(playback: UtterancePlayback): boolean {
    return playback.clips.length > 0;
  }

  replay(playback: UtterancePlayback): void {
    this.player.playFrom(playback.clips);
  }

  drop(playback: UtterancePlayback): void {
    // Removing the clip on screen must not bring the next clip of the same utterance.
    playback.clips.forEach((_, part) => playback.session?.played(playback.ref, part));
    for (const clip of Object.values(playback.clips).reverse()) {
      clip.bytes.release();
      this.player.remove(clip);
    }
  }

  reset(): void {
    this.player.reset();
  }
}
