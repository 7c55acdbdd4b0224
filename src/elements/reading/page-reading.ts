// What a `<sign-translate>` with `for` loads: reads the page sentence by sentence, and shows where it is.
// - A part is read once and then followed as it changes; `for` or `glossary` with another value reads it anew.
// - A click on the marked sentence goes to its beginning. The page gets every click as well, and links and fields keep theirs.
// - A page that is replaced, as by a router, ends the reading, unless the sentence on screen is in the new one.
import { loadCode } from '../../internal/load-code.ts';
import { Follow } from '../../page/follow.ts';
import { PageReader } from '../../page/page-reader.ts';
import { findParts } from '../../page/parts.ts';
import { INTERACTIVE } from '../../page/picker.ts';
import { SentenceHighlight, styleTreeOf } from '../../page/sentence-highlight.ts';
import type { Glossary } from '../../page/sentences.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { SignError } from '../../protocol/sign-error.ts';
import type { Strings } from '../../strings/en.ts';
import type { TemplateResult } from 'lit';
import { oneOf } from '../attributes.ts';
import type { HasControl } from '../control-bar.ts';
import type { QueueEntry, SignEventDetails } from '../sign-events.ts';
import { ClipLabel } from '../translate/clip-label.ts';
import type { PreparedClip, PreparedClips } from '../translate/prepared-clips.ts';
import { pageNow } from './other-text.ts';
import { watchPlayback } from './reading-playback.ts';
import { ReadingQueue } from './reading-queue.ts';
import { type Readable, ReadingView } from './reading-view.ts';
import type { SessionSettings } from '../translate/session-settings.ts';
import type { TranslateController } from '../translate/translate-controller.ts';
import type { TranslateUtterance } from '../translate/translate-utterance.ts';

/** The members of the element that a reading uses. */
interface ReadingHost extends Readable {
  readonly paused: boolean;
  readonly for: string | null | undefined;
  readonly highlight: string | null | undefined;
  readonly follow: string | null | undefined;
  readonly glossary: string | Readonly<Record<string, string>> | null | undefined;
  readonly prepared: string | null | undefined;
}

interface ReadingOptions {
  /** The visitor is about to start. */
  readonly prepare: () => void;
  use(run: (controller: TranslateController) => Promise<void>): Promise<void>;
  /** @throws SignError */
  settings(): SessionSettings;
  strings(): Strings;
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
}

const readHighlight = oneOf<'sentence' | 'none', 'sentence'>('highlight', ['sentence', 'none'], 'sentence');
const isMarking = ({ highlight }: ReadingHost): boolean => readHighlight(highlight) === 'sentence';
const readFollow = oneOf<'auto' | 'none', 'auto'>('follow', ['auto', 'none'], 'auto');
const noVideo = (): Promise<string> => Promise.reject(ownError('media_refused', 'data-sign-src: no video'));

export class PageReading {
  readonly #host: ReadingHost;
  readonly #options: ReadingOptions;
  readonly #queue: ReadingQueue<TranslateUtterance>;
  readonly #highlight = new SentenceHighlight();
  readonly #follow: Follow;
  readonly #view: ReadingView;
  #controller: TranslateController | null = null;
  #reader: PageReader | null = null;
  /** The settings that the reader was made with. */
  #source: readonly unknown[] = [];
  #prepared: PreparedClips | undefined;
  /** Identifies the newest call; an older one that still waits then does nothing. */
  #call = {};
  /** Ref of the sentence that is marked. */
  #shown = '';
  #willReport = false;
  /** While a long page is read in slices, changes are not reported, because the list of all sentences would be built each time. */
  #isScanning = false;
  #entries: readonly QueueEntry[] | null = null;

  constructor(host: ReadingHost, options: ReadingOptions) {
    this.#host = host;
    this.#options = options;
    const queue = (this.#queue = new ReadingQueue<TranslateUtterance>({
      send: (sentence, signal) => this.#send(sentence, signal),
      goTo: (sent) => this.#controller!.goTo(sent),
      drop: (sent) => this.#controller?.drop(sent),
      sentences: () => this.#reader?.sentences ?? [],
      isWhole: () => this.#reader?.isWhole ?? true,
      ...pageNow,
      changed: () => this.#onChanged(),
      over: () => this.#onOver(),
    }));
    this.#follow = new Follow(host, (isLost) => this.#view.showRejoin(isLost));
    this.#view = new ReadingView(host, {
      strings: options.strings,
      parts: () => (host.for ? findParts(host, host.for) : []),
      jump: (ref) => this.#jump(ref),
      captionOf: (ref) => this.#queue.find(ref)?.sent?.shownText,
      isWhole: () => this.#queue.isOpen,
      prepare: options.prepare,
      rejoin: () => this.#follow.rejoin(),
      report: ({ ref, text }) => {
        const sessionId = this.#queue.find(ref)?.sent?.session?.sessionId ?? null;
        options.emit('sign-report', { ref, text, sessionId, reason: 'wrong' });
      },
    });
    this.#view.update();
    host.addEventListener('sign-start', ({ target, detail }) => target === host && this.#onStart(detail.ref));
    host.addEventListener('sign-end', ({ target, detail }) => target === host && queue.ended(detail.ref));
    host.addEventListener(
      'sign-error',
      ({ target, detail: { error, ref } }) =>
        target === host && ref && error.severity !== 'warning' && queue.failed(ref),
    );
    watchPlayback({ host, queue, unpause: () => this.#controller?.unpause() });
  }

  get queue(): readonly QueueEntry[] {
    return (this.#entries ??= Object.freeze(this.#queue.entries));
  }

  /** Its buttons in the control bar; undefined before the first reading. */
  buttons(has: HasControl): TemplateResult | undefined {
    return this.#source.length > 0 ? this.#view.buttons(has) : undefined;
  }

  /** Shows the button at the paragraph of this node: the event that made this code load came from there. */
  readonly pickAt = (node: Node): void => this.#view.pickAt(node);

  /** Goes on with what waits, else signs the parts from their beginning. */
  async play(): Promise<void> {
    if (this.#queue.isBusy || this.#queue.again() || this.#queue.resume()) return;
    await this.read();
  }

  /** Reads from a place on; a range that is not empty is read to its end. */
  async read(from?: Element | Range): Promise<void> {
    this.stop();
    const call = this.#call;
    const reader = await this.#open(from, call);
    if (!reader) return;
    const whole = reader.read();
    if (reader.isWhole || from instanceof Range) await whole;
    else await (from ? reader.reaches(from) : reader.begun);
    // The queue is filled as soon as the controller is there; else for a time nothing would say that signs are coming.
    await this.#options.use(async (controller) => {
      // In the meantime the visitor may have started elsewhere, or the element was removed.
      if (call !== this.#call || !this.#host.isConnected) return;
      this.#controller = controller;
      const first = from ? reader.indexAt(from) : 0;
      try {
        if (first >= reader.sentences.length) throw ownError('empty_text');
        this.#queue.start(first, this.#lastOf(reader, from, first));
        if (isMarking(this.#host)) styleTreeOf(reader.sentences[first]!.element);
      } catch (error) {
        this.stop();
        if (!(error instanceof SignError)) throw error;
        this.#options.emit('sign-error', { error });
      }
    });
  }

  stop(): void {
    this.#call = {};
    this.#queue.stop();
    this.#onOver();
  }
  readonly clear = (): void => this.#queue.clear();
  readonly next = (): void => this.#queue.next();
  readonly previous = (): void => this.#queue.previous();
  readonly skip = (ref: string): void => this.#queue.skip(ref);
  readonly retry = (refs: readonly string[]): boolean => this.#queue.retry(refs);

  /** Attributes may have changed. */
  update(): void {
    if (!isMarking(this.#host)) this.#highlight.clear();
    if (readFollow(this.#host.follow) === 'none') this.#follow.end();
    this.#view.update();
  }

  /** The element has left the page. */
  reset(): void {
    this.stop();
    this.#view.close();
    this.#reader?.close();
    this.#reader = null;
    this.#source = [];
  }

  /** Null when another call came in the meantime, or the element was removed: nothing would close the reader. */
  async #open(from: Element | Range | undefined, call: object): Promise<PageReader | null> {
    const { for: named, glossary, prepared } = this.#host;
    const code = prepared ? loadCode(() => import('../translate/prepared-clips.ts')) : null;
    const edition = code?.then(({ PreparedClips }) => PreparedClips.load(prepared!));
    const known = this.#source[1] === glossary ? (this.#source[2] as Glossary | null) : null;
    const forms = glossary ? loadCode(() => import('../../page/glossary.ts')) : null;
    const words = known ?? (await forms?.then(({ loadGlossary }) => loadGlossary(glossary!))) ?? null;
    const clips = await edition;
    if (call !== this.#call) return null;
    this.#prepared = clips;
    const place = from instanceof Range ? from.commonAncestorContainer : (from ?? null);
    const target = named || (place instanceof Element ? place : (place?.parentElement ?? ''));
    const source = [target, glossary, words];
    if (this.#reader && source.every((each, at) => each === this.#source[at])) return this.#reader;
    this.#reader?.close();
    this.#source = source;
    const reader: PageReader = new PageReader({
      host: this.#host,
      target,
      glossary: words,
      changed: (at, removed, added, anew) => {
        if (reader !== this.#reader) return;
        this.#isScanning = !reader.isWhole;
        const goesOn = this.#queue.splice(at, removed, added, anew);
        this.#isScanning = false;
        if (!goesOn) this.stop();
        else if (removed.length > 0) this.#onEdited();
      },
    });
    return (this.#reader = reader);
  }

  /** Signs it by the page's own video (asked for again when it breaks off), the prepared edition, or the service. */
  #send(
    { ref, text, src }: { ref: string; text: string; src: string | null },
    signal: AbortSignal,
  ): TranslateUtterance | null {
    const settings = this.#options.settings();
    let clip: PreparedClip | null = null;
    const renew = async (): Promise<string> => (this.#shown === ref && src) || noVideo();
    try {
      if (src === null) clip = this.#prepared?.find(text, settings) ?? null;
      else clip = { url: src, renew, origin: 'human', isHeard: true };
    } catch (error) {
      this.#options.emit('sign-error', { ref, error: error as SignError });
      return null;
    }
    if (clip) ClipLabel.of(this.#host).add(ref, clip);
    return this.#controller!.add({ ref, text, find: clip && (async () => clip) }, settings, signal);
  }

  /** Index of the last sentence that is read; null for the end of the page. */
  #lastOf(reader: PageReader, from: Element | Range | undefined, first: number): number | null {
    if (!(from instanceof Range) || from.collapsed) return null;
    const end = from.cloneRange();
    end.collapse(false);
    const after = reader.indexAt(end);
    const next = reader.sentences[after];
    // A sentence in which the selection ends is signed whole.
    const isCut = next !== undefined && next.range().compareBoundaryPoints(Range.START_TO_START, end) < 0;
    return Math.max(first, isCut ? after : after - 1);
  }

  #onStart(ref: string): void {
    const sentence = this.#queue.started(ref);
    if (!sentence) return;
    const range = sentence.range();
    this.#shown = ref;
    if (isMarking(this.#host)) {
      this.#highlight.show(range);
      document.addEventListener('click', this.#onClick, { passive: true });
    }
    if (readFollow(this.#host.follow) === 'auto') this.#follow.show(range);
    this.#options.emit('sign-sentence', { ref, text: sentence.text, range });
  }

  /** The page may have written the sentence on screen anew, which leaves its range empty, or have taken it away. */
  #onEdited(): void {
    const range = this.#queue.find(this.#shown)?.sentence.range() ?? null;
    this.#highlight.move(range);
    this.#follow.move(range);
  }

  /** Plays from this sentence, also when playback was paused. */
  #jump(ref: string): void {
    this.#queue.jump(ref);
    void this.#controller?.unpause();
  }

  readonly #onClick = (event: MouseEvent): void => {
    const { target, clientX, clientY, defaultPrevented } = event;
    if (defaultPrevented || !this.#highlight.isAt(clientX, clientY)) return;
    if (!(target instanceof Element) || target.closest(INTERACTIVE) || target === this.#host) return;
    // A click that ends the selection of words does not move the reading.
    if (document.getSelection()?.isCollapsed !== false) this.#jump(this.#shown);
  };

  #onOver(): void {
    document.removeEventListener('click', this.#onClick);
    this.#highlight.clear();
    this.#follow.end();
  }

  /** Fires one event for all changes of one task. */
  #onChanged(): void {
    this.#entries = null;
    if (this.#willReport || this.#isScanning) return;
    this.#willReport = true;
    queueMicrotask(() => {
      this.#willReport = false;
      this.#host.requestUpdate();
      this.#options.emit('sign-queuechange', { queue: this.queue });
    });
  }
}
