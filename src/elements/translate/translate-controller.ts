// What a `<sign-translate>` loads with its first utterance: the queue, the clip player and the idle signer.
// - The idle signer (attribute `idle-after`) is one MP4 of `GET /v1/silence` (document 2), requested once for each signer and
//   language, by the client that is loaded then. Without it the last frame stays, and that is no error.
import { loadCode } from '../../internal/load-code.ts';
import type { IdleLoop } from '../../playback/silence/idle-signer.ts';
import { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { SessionSummary } from '../../session/session-types.ts';
import type { Controller, ControllerEvents } from '../lazy-element.ts';
import type { Player } from '../../playback/player.ts';
import { type AskedSigner, resolveProxy, signerFor } from '../attributes.ts';
import type { SignState } from '../sign-events.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SignOutcome, TranslateUtterance } from './translate-utterance.ts';
import { type QueuedText, TranslateQueue } from './translate-queue.ts';
import { errorMessage } from '../../strings/errors.ts';

export interface TranslateOptions extends AskedSigner {
  readonly proxy: string;
  /** Seconds on the last frame before the idle loop; null for never. */
  readonly idleAfter: number | null;
  /** The element is on a page: until then nothing is sent. */
  readonly isConnected: boolean;
}

export class TranslateController implements Controller {
  readonly errorMessage = errorMessage;
  readonly paintsBackground = false;
  readonly #options: () => TranslateOptions;
  readonly #clips = new PlaylistPlayer();
  readonly #queue: TranslateQueue;
  #isConnected = false;
  /** JSON of what the idle loop depends on. */
  #idle = '';

  /** @param options what the page asks for now */
  constructor(events: ControllerEvents, options: () => TranslateOptions) {
    this.#options = options;
    this.#queue = new TranslateQueue(this.#clips, {
      emit: (name, detail) => {
        if (name === 'sign-statechange') events.state((detail as { state: SignState }).state);
        else events.emit(name, detail);
      },
      added: events.added,
      changed: events.invalidate,
    });
    this.update();
  }

  get player(): Player {
    return this.#queue.player;
  }
  get state(): SignState {
    return this.#queue.state;
  }
  /** The text being signed, null between texts. */
  get showing(): string | null {
    return this.#queue.showing;
  }
  /** There is a text that has not been signed to its end. */
  get busy(): boolean {
    return this.#queue.busy;
  }
  get preparing(): boolean {
    return this.#queue.waiting && this.#queue.showing === null;
  }
  get replayable(): boolean {
    return this.#queue.replayable;
  }

  update(): void {
    const { isConnected, ...options } = this.#options();
    if (isConnected !== this.#isConnected) this.#queue.active = this.#isConnected = isConnected;
    const idle = JSON.stringify(options);
    if (idle === this.#idle) return;
    this.#idle = idle;
    this.#clips.idle = idleLoopFor(options);
  }

  sign(text: string, settings: SessionSettings, signal?: AbortSignal): Promise<SignOutcome> {
    return this.#queue.add({ text }, settings, signal).outcome.promise;
  }

  /** Queues a text of the page, or the page's own video of it. */
  add(text: QueuedText, settings: SessionSettings, signal: AbortSignal): TranslateUtterance {
    return this.#queue.add(text, settings, signal);
  }

  /** Goes to the beginning of an utterance; false when it is not in the playlist. */
  goTo(utterance: TranslateUtterance): boolean {
    return this.#queue.goTo(utterance);
  }

  clear(): void {
    this.#queue.clear();
  }

  connect(settings: SessionSettings): Promise<void> {
    return this.#queue.connect(settings);
  }

  end(): Promise<SessionSummary | null> {
    return this.#queue.end();
  }

  play(): Promise<void> {
    return this.#queue.play();
  }

  unpause(): Promise<void> {
    return this.#queue.unpause();
  }

  pause(): void {
    this.#queue.pause();
  }

  replay(): void {
    this.#queue.replay();
  }

  reset(): void {
    this.#queue.reset();
  }
}

function idleLoopFor({ proxy, idleAfter, ...who }: Omit<TranslateOptions, 'isConnected'>): IdleLoop | null {
  if (idleAfter === null) return null;
  return {
    after: idleAfter,
    load: async (signal) => {
      const address = resolveProxy(proxy);
      const { loadIdleSigner } = await loadCode(() => import('../silence-files.ts'), { signal });
      return loadIdleSigner(address, signerFor(who), signal);
    },
  };
}
