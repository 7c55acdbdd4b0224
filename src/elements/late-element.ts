// An element whose work is loaded when it is first needed: a page pays for its attributes and its face, and for nothing else.
// Policy: what a page sets and asks before that is kept; what ends with a teardown begins anew when the element comes back
// to a page, or the page out of the browser's cache; a failure is an event, a warning on the console and a sentence.
import type { PropertyValues } from 'lit';
import { inTime } from '../internal/in-time.ts';
import { warnOnce } from '../internal/warn-once.ts';
import { PlaylistPlayer } from '../playback/clips/playlist-player.ts';
import { ownError, type SignError } from '../protocol/sign-error.ts';
import { errorText } from '../strings/error-text.ts';
import { SignElement, type Face } from './sign-element.ts';
import { emit, type SignEventDetails, type SignState } from './sign-events.ts';
import type { Player } from '../playback/player.ts';

/** What is loaded. */
export interface Work {
  /** What it shows; null where that is the element's own timeline. */
  readonly player: Player | null;
  /** The picture has the background that was asked for. */
  readonly served: boolean;
  /** The visitor waits for signs. */
  readonly preparing: boolean;
  readonly replayable: boolean;
  /** Something that the page says may have changed. */
  update(): void;
  replay(): void;
  /** Ends all that is under way; it can be used again. */
  reset(): void;
}

/** Whom it tells. */
export interface WorkEvents {
  state(state: SignState): void;
  tell<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** What is shown around the picture may have changed. */
  changed(): void;
}

export abstract class LateElement<Loaded extends Work> extends SignElement {
  /** Holds what a page sets before there is anything to play. */
  protected readonly timeline = new PlaylistPlayer();
  protected work: Loaded | null = null;
  #loading: Promise<Loaded> | null = null;
  #error: SignError | null = null;
  #state: SignState = 'idle';

  constructor() {
    super();
    this.add(this.timeline);
    this.takeEarlyProperties();
  }

  /** True when there is something to do; asked at each update. */
  protected abstract get needed(): boolean;
  protected abstract begin(events: WorkEvents): Promise<Loaded>;
  /** It is on a page, for the first time or once more. */
  protected abstract arrive(): void;

  protected override get player(): Player {
    return this.work?.player ?? this.timeline;
  }

  protected override get keyed(): boolean {
    return super.keyed && !this.work?.served;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('pageshow', this.#onPage);
    this.#onPage();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pageshow', this.#onPage);
  }

  readonly #onPage = (): void => {
    // Work whose code could not be had is tried again now, and not before.
    if (!this.work) this.#error = null;
    this.arrive();
  };

  protected override replay(): void {
    this.work?.replay();
  }

  protected override teardown(): void {
    this.work?.reset();
    this.requestUpdate();
  }

  /** Rejects with a SignError, once told, when the code cannot be had; the next call tries again. */
  protected load(): Promise<Loaded> {
    const events: WorkEvents = {
      state: (state) => this.#onState(state),
      tell: (name, detail) => this.#tell(name, detail),
      changed: () => this.requestUpdate(),
    };
    return (this.#loading ??= inTime(this.begin(events)).then(
      (work) => {
        const { playbackRate, muted, volume, loop } = this.timeline;
        if (work.player) this.add(Object.assign(work.player, { playbackRate, muted, volume, loop }));
        this.work = work;
        this.requestUpdate();
        return work;
      },
      (cause: unknown) => {
        this.#loading = null;
        const error = ownError('proxy_unreachable', 'a part of the script did not load', { cause });
        this.#onState('failed');
        this.#tell('sign-error', { error });
        throw error;
      },
    ));
  }

  #onState(state: SignState): void {
    if (state !== 'failed') this.#error = null;
    this.requestUpdate();
    if (state === this.#state) return;
    this.#state = state;
    this.showState(state);
    emit(this, 'sign-statechange', { state });
  }

  #tell<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void {
    const { error } = detail as Partial<SignEventDetails['sign-error']>;
    if (error && error.severity !== 'warning') {
      this.#error = error;
      this.requestUpdate();
      warnOnce(`error ${error.code}`, `<${this.localName}>: ${error.code}: ${error.message}`);
    }
    emit(this, name, detail);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.work) this.work.update();
    else if (this.needed && !this.#error) this.load().catch(() => {});
  }

  /** What a visitor reads; none of these elements has a text that could not be signed. */
  protected sentence({ code }: SignError): string {
    return errorText(code, this.strings, 'errorMedia');
  }

  protected override face(): Face {
    const { work, strings } = this;
    const error = this.#error && this.sentence(this.#error);
    const text = error ?? (work?.preparing ? strings.preparing : null);
    return {
      message: text === null ? null : { text, soft: !error },
      start: this.player.blocked ? strings.play : null,
      spoken: error ?? '',
      replayable: work?.replayable ?? false,
    };
  }
}
