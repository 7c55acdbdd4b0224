// What a `<sign-translate>` loads with its first utterance: the queue, the clip player and the idle signer.
// - The idle signer (attribute `idle-after`) is one MP4 of `GET /v1/silence` (document 2), requested once for each signer and
//   language, by the client that is loaded then.
// - All elements of a page share the bytes of the last four. Without it the last frame stays, and that is no error.
import { loadCode } from '../../internal/load-code.ts';
import type { ClipFile, Playable } from '../../playback/clips/clip-bytes.ts';
import type { IdleLoop } from '../../playback/silence/idle-signer.ts';
import { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import { ownError, SignError } from '../../protocol/sign-error.ts';
import type { SilenceRequest } from '../../protocol/silence.ts';
import { isTransient } from '../../session/retry-policy.ts';
import type { SessionSummary } from '../../session/session-types.ts';
import type { Controller, ControllerEvents } from '../lazy-element.ts';
import type { Player } from '../../playback/player.ts';
import { type AskedSigner, resolveProxy, signerFor } from '../attributes.ts';
import type { SignState } from '../sign-events.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SignOutcome, TranslateUtterance } from './translate-utterance.ts';
import { type QueuedText, TranslateQueue } from './translate-queue.ts';
import { errorMessage } from '../../strings/errors.ts';

const MAX_IDLE_FILES = 4;

/** Null for a signer who has none. */
const idleFiles = new Map<string, ClipFile | null>();

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
    load: async (signal) => loadIdleSigner(resolveProxy(proxy), signerFor(who), signal),
  };
}

/** The idle signer's video from the proxy with this absolute prefix. Rejects when it cannot be loaded. */
async function loadIdleSigner(
  proxy: string,
  who: Pick<SilenceRequest, 'signer' | 'language'>,
  signal: AbortSignal,
): Promise<Playable> {
  const key = JSON.stringify([proxy, who.signer?.toLowerCase(), who.language]);
  const known = idleFiles.get(key);
  if (known) return known;
  if (known === null) throw ownError('not_found', 'the signer has no idle loop');
  const { loadSilence } = await loadCode(() => import('../silence-files.ts'), { signal });
  const { playables } = await loadSilence(proxy, { ...who, format: 'mp4' }, signal).catch(
    (error: unknown) => {
      // Asked for after every text otherwise.
      if (error instanceof SignError && !isTransient(error)) remember(key, null);
      throw error;
    },
  );
  const [playable] = playables;
  if (playable === undefined) throw ownError('protocol_error', 'the answer names no video');
  // A URL expires.
  if (typeof playable !== 'string') remember(key, playable);
  return playable;
}

function remember(key: string, file: ClipFile | null): void {
  idleFiles.set(key, file);
  const [oldest] = idleFiles.keys();
  if (idleFiles.size > MAX_IDLE_FILES && oldest !== undefined) idleFiles.delete(oldest);
}
