// Texts as clips: one video a piece of text, played in order. Policy: a clip's bytes are fetched as soon as its result is
// there, whatever plays; the timeline gets what is next in order and here; a text that is dropped leaves a gap that closes.
import { ClipBytes } from '../../playback/clips/clip-bytes.ts';
import type { Clip } from '../../playback/clips/playlist.ts';
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { SignCall } from './sign-call.ts';
import type { Signing, SigningEvents } from './signing.ts';

/** One piece of a text with its video. */
export interface ClipResult {
  readonly piece: number;
  readonly pieces: number;
  readonly url: string;
  /** Seconds, null when nobody announced them. */
  readonly durationSeconds: number | null;
  renew(signal: AbortSignal): Promise<string>;
}

export class ClipSigning implements Signing {
  readonly player: PlaylistPlayer;
  readonly #events: SigningEvents;

  constructor(timeline: PlaylistPlayer, events: SigningEvents) {
    this.player = timeline;
    this.#events = events;
  }

  /** Fetches a clip at once; it is played when its turn comes. */
  take(call: SignCall, { piece, pieces, url, durationSeconds, renew }: ClipResult): void {
    const last = piece === pieces - 1;
    const clip: Clip = {
      bytes: new ClipBytes({ url, renew }),
      duration: durationSeconds,
      started: () => piece === 0 && this.#events.started(call, false),
      ended: () => {
        if (!call.settled) call.session?.played(call.ref, piece);
        if (last) this.#events.ended(call, false);
      },
      failed: (error: SignError) => this.#events.failed(call, error),
    };
    call.pieces = pieces;
    call.clips[piece] = clip;
    void clip.bytes.load();
  }

  /** Gives the timeline what is next in order and here. */
  deliver(calls: readonly SignCall[]): void {
    for (const call of calls) {
      for (let clip = call.clips[call.delivered]; clip; clip = call.clips[call.delivered]) {
        call.delivered += 1;
        this.player.append(clip);
      }
      if (!call.complete) break;
    }
    this.player.moreExpected = calls.some((call) => !call.complete);
  }

  canReplay(call: SignCall): boolean {
    return call.clips.length > 0;
  }

  replay(call: SignCall): void {
    this.player.playFrom(call.clips);
  }

  drop(call: SignCall): void {
    // A clip that leaves the screen must not be followed by another of the same text.
    call.clips.forEach((_, piece) => call.session?.played(call.ref, piece));
    for (const clip of Object.values(call.clips).reverse()) {
      clip.bytes.release();
      this.player.remove(clip);
    }
  }

  reset(): void {
    this.player.reset();
  }
}
