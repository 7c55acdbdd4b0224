// The members of an element that reads the page. What reads it is loaded with the first reading.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { loadCode } from '../internal/load-code.ts';
import { ownError } from '../protocol/sign-error.ts';
import { LazyElement } from './lazy-element.ts';
import type { QueueEntry } from './sign-events.ts';
import type { PageReading } from './translate/page-reading.ts';
import type { SessionSettings } from './translate/session-settings.ts';
import type { TranslateController } from './translate/translate-controller.ts';

export abstract class ReadingElement extends LazyElement<TranslateController> {
  static override properties: PropertyDeclarations = { for: {}, highlight: {}, glossary: {} };

  /** Ids or selectors of the page content that `play()` signs when nothing else is there to play, by commas. */
  declare for: string | null | undefined;
  /** `sentence` or `none`: what is marked in the page while it is signed; default `sentence`. */
  declare highlight: string | null | undefined;
  /** Written form to signed form, or the URL of such an object as JSON. */
  declare glossary: string | Readonly<Record<string, string>> | null | undefined;

  #reading: PageReading | null = null;

  /** @throws SignError when they cannot be sent. */
  protected abstract readSettings(): SessionSettings;

  /** The sentences of the reading, in order; a new list after each `sign-queuechange`. */
  get queue(): readonly QueueEntry[] {
    return this.#reading?.queue ?? [];
  }

  /**
   * Signs what `for` names, sentence by sentence: from the beginning, or from this place on. Of a range that is not empty,
   * the sentences that it touches.
   */
  read(from?: Element | Range): Promise<void> {
    return this.startReading((reading) => reading.read(from));
  }

  /** Ends the reading. */
  stop(): void {
    this.#reading?.stop();
  }

  /** Goes on to the next sentence. */
  next(): void {
    this.#reading?.next();
  }

  /** Goes back to the sentence before. */
  previous(): void {
    this.#reading?.previous();
  }

  /** Leaves a sentence of the queue out. */
  skip(ref: string): void {
    this.#reading?.skip(ref);
  }

  /** Sends a sentence that failed once more. */
  retry(ref: string): void {
    this.#reading?.retry(ref);
  }

  protected async startReading(run: (reading: PageReading) => Promise<void>): Promise<void> {
    try {
      if (!this.#reading) {
        const { PageReading } = await loadCode(() => import('./translate/page-reading.ts'));
        this.#reading ??= new PageReading(this, {
          controller: () => this.use((controller) => Promise.resolve(controller)),
          settings: () => this.readSettings(),
          emit: (name, detail) => this.emit(name, detail),
        });
      }
      // In the meantime the element may have been removed.
      if (this.isConnected) await run(this.#reading);
    } catch (cause) {
      if ((cause as Error).name === 'AbortError') return;
      this.emit('sign-error', { error: ownError('load_failed', undefined, { cause }) });
    }
  }

  protected override teardown(): void {
    this.#reading?.reset();
    super.teardown();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#reading?.update();
  }
}
