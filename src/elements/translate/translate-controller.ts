// What a `<sign-translate>` loads with its first text: the texts, what sends them and what shows them.
import type { IdleLoop } from '../../playback/clips/idle-signer.ts';
import { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import type { SessionSummary } from '../../session/session-events.ts';
import type { Controller, ControllerEvents } from '../lazy-element.ts';
import type { Player } from '../../playback/player.ts';
import { type AskedSigner, resolveProxy, signerFor } from '../attributes.ts';
import type { SignState } from '../sign-events.ts';
import { loadIdleSigner } from './idle-loop.ts';
import type { SessionRoute } from './session-route.ts';
import type { SignOutcome } from './sign-call.ts';
import { SigningLine } from './signing-line.ts';

export interface TranslateOptions extends AskedSigner {
  readonly proxy: string;
  /** Seconds on the last frame before the idle loop; null for never. */
  readonly idleAfter: number | null;
  /** The element is on a page: until then nothing is sent. */
  readonly isConnected: boolean;
}

export class TranslateController implements Controller {
  readonly paintsBackground = false;
  readonly #options: () => TranslateOptions;
  readonly #clips = new PlaylistPlayer();
  readonly #line: SigningLine;
  #isConnected = false;
  /** JSON of what the idle loop depends on. */
  #idle = '';

  /** @param options what the page asks for now */
  constructor(events: ControllerEvents, options: () => TranslateOptions) {
    this.#options = options;
    this.#line = new SigningLine(this.#clips, {
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
    return this.#line.player;
  }
  get state(): SignState {
    return this.#line.state;
  }
  /** The text being signed, null between texts. */
  get showing(): string | null {
    return this.#line.showing;
  }
  /** There is a text that has not been signed to its end. */
  get busy(): boolean {
    return this.#line.busy;
  }
  get preparing(): boolean {
    return this.#line.waiting && this.#line.showing === null;
  }
  get replayable(): boolean {
    return this.#line.replayable;
  }

  update(): void {
    const { isConnected, ...options } = this.#options();
    if (isConnected !== this.#isConnected) this.#line.active = this.#isConnected = isConnected;
    const idle = JSON.stringify(options);
    if (idle === this.#idle) return;
    this.#idle = idle;
    this.#clips.idle = idleLoopFor(options);
  }

  sign(text: string, route: SessionRoute, signal?: AbortSignal): Promise<SignOutcome> {
    return this.#line.sign(text, route, signal);
  }

  /** Queues a video that a page has of a text. */
  show(text: string, url: string, route: SessionRoute): Promise<SignOutcome> {
    return this.#line.show(text, url, route);
  }

  clear(): void {
    this.#line.clear();
  }

  connect(route: SessionRoute): Promise<void> {
    return this.#line.connect(route);
  }

  end(): Promise<SessionSummary | null> {
    return this.#line.end();
  }

  play(): Promise<void> {
    return this.#line.play();
  }

  pause(): void {
    this.#line.pause();
  }

  replay(): void {
    this.#line.replay();
  }

  reset(): void {
    this.#line.reset();
  }
}

function idleLoopFor({ proxy, idleAfter, ...who }: Omit<TranslateOptions, 'isConnected'>): IdleLoop | null {
  if (idleAfter === null) return null;
  return {
    after: idleAfter,
    load: async (signal) => loadIdleSigner(resolveProxy(proxy), signerFor(who), signal),
  };
}
