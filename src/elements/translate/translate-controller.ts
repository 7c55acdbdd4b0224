// What a `<sign-translate>` loads with its first utterance: the queue with the clip player and the idle signer.
// - The idle signer (attribute `idle-after`) is one MP4 of `GET /v1/silence` (document 2), requested once for each signer and
//   language, by the REST client, which is loaded then. Without it the last frame stays, and that is no error.
import { loadCode } from '../../internal/load-code.ts';
import type { IdleLoop } from '../../playback/silence/idle-signer.ts';
import { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { Controller, ControllerEvents } from '../controller.ts';
import { loadFailed } from '../../protocol/sign-error.ts';
import { type AskedSigner, resolveProxy, signerFor } from '../attributes.ts';
import type { SignState } from '../sign-events.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SignOutcome } from './translate-utterance.ts';
import { TranslateQueue } from './translate-queue.ts';
import type { WithEdition } from './prepared-clips.ts';
import { errorMessage } from '../../strings/errors.ts';

interface TranslateOptions extends AskedSigner {
  readonly proxy: string;
  /** Seconds on the last frame before the idle loop; null for never. */
  readonly idleAfter: number | null;
  /** The element is on a page: until then nothing is sent. */
  readonly isConnected: boolean;
}

export class TranslateController extends TranslateQueue implements Controller {
  readonly errorMessage = errorMessage;
  readonly paintsBackground = false;
  readonly #options: () => TranslateOptions;
  readonly #clips: PlaylistPlayer;
  #isConnected = false;
  /** JSON of what the idle loop depends on. */
  #idle = '';

  /** @param options what the page asks for now */
  constructor(events: ControllerEvents, options: () => TranslateOptions) {
    const clips = new PlaylistPlayer();
    super(clips, {
      emit: (name, detail) => {
        if (name === 'sign-statechange') events.state((detail as { state: SignState }).state);
        else events.emit(name, detail);
      },
      added: events.added,
      changed: events.invalidate,
    });
    this.#clips = clips;
    this.#options = options;
    this.update();
  }

  /** True while the visitor waits for signing; not between two sentences when the next one is loaded. */
  get preparing(): boolean {
    return this.waiting && this.showing === null && this.state !== 'signing';
  }

  update(): void {
    const { isConnected, ...options } = this.#options();
    if (isConnected !== this.#isConnected) this.active = this.#isConnected = isConnected;
    const idle = JSON.stringify(options);
    if (idle === this.#idle) return;
    this.#idle = idle;
    this.#clips.idle = idleLoopFor(options);
  }

  /** @param host the element; its prepared edition is looked through first */
  sign(
    text: string,
    settings: SessionSettings,
    signal: AbortSignal | undefined,
    host: WithEdition,
  ): Promise<SignOutcome> {
    const { prepared } = host;
    const find =
      prepared &&
      ((ref: string) =>
        loadCode(() => import('./prepared-clips.ts')).then(
          ({ findPrepared }) => findPrepared(host, prepared, { ref, text }, settings),
          (cause: unknown) => Promise.reject(loadFailed(cause)),
        ));
    return this.add({ text, find }, settings, signal).outcome.promise;
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
