// What shows the texts of an element, clips and streams, and which of the two the page sees. Policy: only one is in front
// and only the front one is told to a page; the other comes forward with its first picture, so that nothing is ever black,
// takes over speed, sound and a pause, and the one before lets go of all it had. Streams are loaded with the first text
// that needs them.
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import { movePictureInPicture } from '../../playback/signer-video.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError, type SignError } from '../../protocol/sign-error.ts';
import { ClipSigning, type ClipResult } from './clip-signing.ts';
import type { SignCall } from './sign-call.ts';
import type { Player } from '../../playback/player.ts';
import type { Signing, SigningEvents } from './signing.ts';
import type { StreamSigning } from './stream-signing.ts';

export interface PicturesEvents extends SigningEvents {
  /** There is one more picture; its stage goes on top of those before. */
  added(picture: Player): void;
  /** Another picture is in front. */
  changed(): void;
  /** What was asked for by `prepareStreams` is there. */
  streamsReady(): void;
  /** No streamed text that is under way can be shown. */
  streamsLost(error: SignError): void;
}

export class Pictures {
  readonly #events: PicturesEvents;
  readonly #clips: ClipSigning;
  #streams: StreamSigning | null = null;
  #loading = false;
  #front: Signing;

  constructor(timeline: PlaylistPlayer, events: PicturesEvents) {
    this.#events = events;
    this.#clips = this.#front = new ClipSigning(timeline, {
      ...events,
      started: (call, estimated) => {
        this.#bringForward(this.#clips);
        events.started(call, estimated);
      },
    });
  }

  /** What the page sees and steers. */
  get front(): Player {
    return this.#front.player;
  }

  get canStream(): boolean {
    return this.#streams !== null;
  }

  play(): Promise<void> {
    return this.front.play();
  }

  /** Holds also for the player that comes to the front later. */
  pause(): void {
    this.front.pause();
  }

  prepareStreams(): void {
    if (this.#streams || this.#loading) return;
    this.#loading = true;
    const loaded = import('./stream-signing.ts').then(({ StreamSigning }) => {
      const { started, ended, failed, streamsLost: lost } = this.#events;
      const painted = (): void => this.#bringForward(streams);
      const streams = new StreamSigning({ started, ended, failed, lost, painted });
      this.#streams = streams;
      this.#events.added(streams.player);
      this.#events.streamsReady();
    });
    void loaded
      .catch((cause: unknown) => {
        this.#events.streamsLost(ownError('load_failed', undefined, { cause }));
      })
      .finally(() => (this.#loading = false));
  }

  /** Has a clip of a text fetched. */
  take(call: SignCall, result: ClipResult): void {
    this.#clips.take(call, result);
  }

  /** Shows what is next of these, in call order; `manifests` are those of the session now in force. */
  deliver(calls: readonly SignCall[], manifests: StreamManifests | null): void {
    const streamed = calls[0]?.streamed ?? true;
    const end = calls.findIndex((call) => call.streamed !== streamed);
    const next = end < 0 ? calls : calls.slice(0, end);
    this.#clips.deliver(streamed ? [] : next);
    if (!streamed) return;
    const streams = this.#streams;
    streams?.deliver(next, manifests);
    // With nothing on screen that could stay, there is nothing to wait for.
    if (streams && manifests && this.front.media === null) this.#bringForward(streams);
  }

  canReplay(call: SignCall): boolean {
    return this.#front.canReplay(call);
  }

  replay(call: SignCall): void {
    this.#front.replay(call);
  }

  drop(call: SignCall): void {
    this.#clips.drop(call);
    this.#streams?.drop(call);
  }

  reset(): void {
    this.#clips.reset();
    this.#streams?.reset();
    this.#front = this.#clips;
  }

  #bringForward(signing: Signing): void {
    if (signing === this.#front) return;
    const before = this.#front;
    this.#front = signing;
    signing.player.continueFrom(before.player);
    const { media } = before.player;
    const moved = media && signing.player.media && movePictureInPicture(media, signing.player.media);
    if (moved) void moved.then(() => this.#front !== before && before.reset());
    else before.reset();
    this.#events.changed();
  }
}
