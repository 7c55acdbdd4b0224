// The controller of `<sign-silence-loop>`, loaded when it is near the viewport: requests the idle signer and shows it.
// - The forms of the loop are tried in this order: the service's ProRes with alpha where the browser plays it, segments, one
//   file joined, the same file with a seam. What has played for 30 s plays here: then the first form is tried again. The current
//   loop stays until the next is loaded.
// - The bytes are in memory. The address is needed only where the media host has no CORS: there it is renewed after four fifths
//   of its lifetime, at most once a minute; once where that is not known, because the host may only have broken off an answer.
// - A temporary failure is tried again on `online`, and after 2 s, then after twice as long each time, at most 30 s.
// - A visitor can pause the movement (WCAG 2.2 SC 2.2.2), also by a click on the video.
import type { ClipFile } from '../playback/clips/clip-bytes.ts';
import { isJoined, loopOfFile, loopOfSegments, type SilenceLoop } from '../playback/silence/silence-loop.ts';
import { SilencePlayer } from '../playback/silence/silence-player.ts';
import { mediaSourceClass } from '../playback/source-buffer-queue.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import type { Language } from '../protocol/signers.ts';
import type { SilenceRequest } from '../protocol/silence.ts';
import { LONGEST_TIMEOUT_MS } from '../session/async.ts';
import { isTransient } from '../session/retry-policy.ts';
import type { Controller, ControllerEvents } from './controller.ts';
import { resolveProxy, signerFor } from './attributes.ts';
import { loadSilence } from './silence-files.ts';
import { errorMessage } from '../strings/errors.ts';

const FIRST_AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 30_000;
const RENEWED_AT = 0.8;
const SOONEST_RENEWAL_MS = 60_000;

/** The signer to show, and how. */
interface SilenceOptions {
  readonly proxy: string;
  readonly signer: string | undefined;
  readonly language: Language | undefined;
  readonly format: 'ts' | 'mp4';
  readonly transparent: boolean;
}

type LoopForm = 'transparent' | 'segments' | 'file' | 'plain';

export class SilenceController implements Controller {
  readonly errorMessage = errorMessage;
  readonly player: SilencePlayer;
  readonly #host: Element;
  readonly #events: ControllerEvents;
  readonly #options: () => SilenceOptions | null;
  readonly preparing = false;
  readonly replayable = false;
  /** JSON of the current options. */
  #shown = '';
  #loading = new AbortController();
  #watching: AbortController | null = null;
  #hasAlpha = false;
  /** How often it failed, since a loop was shown for 30 s or more. */
  #failures = 0;
  /** `performance.now()` when the last loop was given to the player; Infinity after a failure. */
  #givenAt = Infinity;
  /** The last loop was played by its address. */
  #isByAddress = false;

  /** @param options what the page asks for now; null while the element is far from the viewport */
  constructor(host: Element, events: ControllerEvents, options: () => SilenceOptions | null) {
    this.#host = host;
    this.#options = options;
    this.#events = events;
    this.player = new SilencePlayer();
    this.player.addEventListener('loadeddata', () => events.state('ready'));
    this.player.box.addEventListener('click', (event) => this.#onClick(event));
  }

  get paintsBackground(): boolean {
    return this.#hasAlpha;
  }

  update(): void {
    const options = this.#options();
    if (!options) return;
    const key = JSON.stringify(options);
    if (key === this.#shown) return;
    this.#shown = key;
    if (!this.#watching) {
      this.#watching = new AbortController();
      watchVisibility(this.#host, (seen) => (this.player.seen = seen), this.#watching.signal);
    }
    void this.#take(options, formsFor(options));
  }

  play(): Promise<void> {
    return this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  replay(): void {
    this.player.tryToPlay();
  }

  reset(): void {
    this.#shown = '';
    this.#hasAlpha = false;
    this.#loading.abort();
    this.#watching?.abort();
    this.#watching = null;
    this.player.reset();
    this.#events.state('idle');
  }

  /** Pauses and plays, unless the controls of media-chrome have done so. */
  #onClick(event: MouseEvent): void {
    const isTaken = event.composedPath().some((node) => (node as Element).localName === 'media-controller');
    if (isTaken || event.defaultPrevented || !this.player.media) return;
    if (this.player.paused) this.player.tryToPlay();
    else this.player.pause();
  }

  async #take(options: SilenceOptions, [form, ...others]: readonly LoopForm[]): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    if (!form) return;
    let given: SilenceLoop | null = null;
    const giveUp = (cause: unknown): void => {
      if (signal.aborted) return;
      const error = cause instanceof SignError ? cause : ownError('media_error', String(cause), { cause });
      const hasPlayed = performance.now() - this.#givenAt > LONGEST_AGAIN_MS;
      this.#givenAt = Infinity;
      if (hasPlayed) this.#failures = 0;
      // A file that did not load, or was not joined, has no other form.
      const isOnly = form === 'file' && !(given && isJoined(given));
      const left = hasPlayed && given ? formsFor(options) : isOnly || !isOfMedia(error) ? [] : others;
      if (left.length > 0) void this.#take(options, left);
      else this.#fail(options, error, signal);
    };
    if (!this.player.media) this.#events.state('connecting');
    try {
      const { loop, url, lifetime } = await loadLoop(options, form, signal);
      signal.throwIfAborted();
      this.#hasAlpha = form === 'transparent';
      given = loop;
      this.#givenAt = performance.now();
      this.player.show(loop, url, giveUp);
      if (this.player.media) this.#events.state('ready');
      const wasByAddress = this.#isByAddress;
      this.#isByAddress = typeof loop === 'string';
      if (this.#isByAddress && !(wasByAddress && lifetime === null)) {
        const renewal = Math.max(SOONEST_RENEWAL_MS, (lifetime ?? 0) * RENEWED_AT);
        const wait = Math.min(renewal, LONGEST_TIMEOUT_MS);
        this.#later(wait, signal, () => void this.#take(options, [form, ...others]));
      }
    } catch (error) {
      giveUp(error);
    }
  }

  #fail(options: SilenceOptions, error: SignError, signal: AbortSignal): void {
    if (!this.player.media) this.#events.state('failed');
    this.#events.emit('sign-error', { error });
    if (!isTransient(error) && !isOfMedia(error)) return;
    const again = (): void => void this.#take(options, formsFor(options));
    this.#later(Math.min(FIRST_AGAIN_MS * 2 ** this.#failures++, LONGEST_AGAIN_MS), signal, again);
    window.addEventListener('online', again, { signal, once: true });
  }

  #later(ms: number, signal: AbortSignal, run: () => void): void {
    const timer = setTimeout(run, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
}

const isOfMedia = ({ code }: SignError): boolean => code.startsWith('media_');

/** ProRes 4444 in QuickTime (document 2, `transparent`). */
const playsProRes = (): boolean =>
  document.createElement('video').canPlayType('video/quicktime; codecs="ap4h"') !== '';

const formsFor = ({ format, transparent }: SilenceOptions): readonly LoopForm[] => [
  ...(transparent && playsProRes() ? (['transparent'] as const) : []),
  ...(format === 'ts' && mediaSourceClass() ? (['segments'] as const) : []),
  'file',
  'plain',
];

async function loadLoop(
  options: SilenceOptions,
  form: LoopForm,
  signal: AbortSignal,
): Promise<{ loop: SilenceLoop; url: string; lifetime: number | null }> {
  const query: SilenceRequest = {
    ...signerFor(options),
    ...(form === 'transparent' ? { transparent: true } : { format: form === 'segments' ? 'ts' : 'mp4' }),
  };
  const { playables, ...about } = await loadSilence(resolveProxy(options.proxy), query, signal);
  if (form === 'segments') return { loop: await loopOfSegments(playables.map(readable)), ...about };
  const [file] = playables;
  if (file === undefined) throw ownError('protocol_error', 'the answer names no video');
  return { loop: form === 'file' ? loopOfFile(file) : file, ...about };
}

/** @throws SignError `media_error` for a file that scripts may not read. */
function readable(playable: ClipFile | string): ClipFile {
  if (typeof playable === 'string')
    throw ownError('media_error', 'segments that scripts may not read cannot be played');
  return playable;
}

/**
 * Whether any part of the element is in the viewport of a visible page, or in a picture-in-picture window. Calls back
 * soon, and then whenever it changes, until the signal aborts.
 */
function watchVisibility(
  element: Element,
  onChange: (isVisible: boolean) => void,
  signal: AbortSignal,
): void {
  let inView = false;
  let floating = false;
  let known: boolean | null = null;
  const update = (): void => {
    const isVisible = floating || (inView && !document.hidden);
    if (isVisible !== known) onChange((known = isVisible));
  };
  const observer = new IntersectionObserver((entries) => {
    inView = entries.at(-1)?.isIntersecting ?? false;
    update();
  });
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
  document.addEventListener('visibilitychange', update, { signal });
  const float = ({ type }: Event): void => {
    floating = type === 'enterpictureinpicture';
    update();
  };
  element.addEventListener('enterpictureinpicture', float, { signal });
  element.addEventListener('leavepictureinpicture', float, { signal });
}
