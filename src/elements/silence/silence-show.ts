// What a `<sign-silence-loop>` loads once it is near the viewport: asks for the signer at rest and shows him. Policy: ways
// to play are tried from the best on: the service's ProRes with alpha where the browser plays it, segments, one file,
// the file as it is; who is shown stays until the next is there. Bytes are in memory, so addresses only matter where a
// media host lets no script read them: there they are renewed after four fifths of their life, which the visitor's clock
// may have wrong: once a minute at most. What failed and may pass is tried again after 30 s, and as soon as the browser
// is online. What moves by itself can be held by whoever is disturbed by it (WCAG 2.2.2), with a pointer too: by a click.
import type { ClipFile } from '../../playback/clips/clip-bytes.ts';
import { loopOfFile, loopOfSegments, type SilenceLoop } from '../../playback/silence/silence-loop.ts';
import { SilencePlayer } from '../../playback/silence/silence-player.ts';
import { mediaSourceClass } from '../../playback/source-buffer-queue.ts';
import { ownError, SignError } from '../../protocol/sign-error.ts';
import type { Language } from '../../protocol/signers.ts';
import type { SilenceRequest } from '../../protocol/silence.ts';
import { LONGEST_TIMEOUT_MS } from '../../session/clock.ts';
import type { Work, WorkEvents } from '../late-element.ts';
import { mayPass } from '../no-verdict.ts';
import { resolveProxy } from '../proxy.ts';
import { signerFor } from '../signer.ts';
import { loadSilence } from './silence-files.ts';
import { watchSight } from './silence-sight.ts';

const AGAIN_MS = 30_000;
const RENEWED_AT = 0.8;
const SOONEST_RENEWAL_MS = 60_000;

/** Who is to be shown, and how. */
export interface SilenceWish {
  readonly proxy: string;
  readonly signer: string | undefined;
  readonly language: Language | undefined;
  readonly format: 'ts' | 'mp4';
  readonly transparent: boolean;
}

type Way = 'transparent' | 'segments' | 'file' | 'plain';

export class SilenceShow implements Work {
  readonly player: SilencePlayer;
  readonly #host: Element;
  readonly #events: WorkEvents;
  readonly #wishNow: () => SilenceWish | null;
  readonly preparing = false;
  readonly replayable = false;
  #wish = '';
  #loading = new AbortController();
  #sight: AbortController | null = null;
  #alpha = false;

  /** `wish`: what the page says now; null while nobody is near. */
  constructor(host: Element, events: WorkEvents, wish: () => SilenceWish | null) {
    this.#host = host;
    this.#wishNow = wish;
    this.#events = events;
    this.player = new SilencePlayer(events.changed);
    this.player.addEventListener('loadeddata', () => events.state('ready'));
    this.player.stage.addEventListener('click', (event) => this.#onClick(event));
  }

  /** The picture has its own transparency. */
  get served(): boolean {
    return this.#alpha;
  }

  update(): void {
    const wish = this.#wishNow();
    if (!wish) return;
    const key = JSON.stringify(wish);
    if (key === this.#wish) return;
    this.#wish = key;
    if (!this.#sight) {
      this.#sight = new AbortController();
      watchSight(this.#host, (seen) => (this.player.seen = seen), this.#sight.signal);
    }
    void this.#take(wish, waysFor(wish));
  }

  replay(): void {
    void this.player.play();
  }

  reset(): void {
    this.#wish = '';
    this.#alpha = false;
    this.#loading.abort();
    this.#sight?.abort();
    this.#sight = null;
    this.player.reset();
    this.#events.state('idle');
  }

  /** Pauses and plays: the controls of media-chrome do that too, and once is enough. */
  #onClick(event: MouseEvent): void {
    const isTaken = event.composedPath().some((node) => (node as Element).localName === 'media-controller');
    if (isTaken || event.defaultPrevented || !this.player.media) return;
    if (this.player.paused) void this.player.play();
    else this.player.pause();
  }

  async #take(wish: SilenceWish, [way, ...others]: readonly Way[]): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    if (!way) return;
    const giveUp = (cause: unknown): void => {
      if (signal.aborted) return;
      const error = cause instanceof SignError ? cause : ownError('media_error', String(cause), { cause });
      // One that is refused was asked for anew by then: its address will not do, in whatever way it is played.
      const left =
        error.code === 'media_error' || (error.code === 'media_refused' && way !== 'file') ? others : [];
      if (left.length > 0) void this.#take(wish, left);
      else this.#fail(wish, error, signal);
    };
    if (!this.player.media) this.#events.state('connecting');
    try {
      const { loop, url, lifetime } = await loadLoop(wish, way, signal);
      signal.throwIfAborted();
      this.#alpha = way === 'transparent';
      this.player.show(loop, url, giveUp);
      if (this.player.media) this.#events.state('ready');
      if (typeof loop === 'string' && lifetime !== null) {
        const wait = Math.min(Math.max(SOONEST_RENEWAL_MS, lifetime * RENEWED_AT), LONGEST_TIMEOUT_MS);
        this.#later(wait, signal, () => void this.#take(wish, [way, ...others]));
      }
    } catch (error) {
      giveUp(error);
    }
  }

  #fail(wish: SilenceWish, error: SignError, signal: AbortSignal): void {
    if (!this.player.media) this.#events.state('failed');
    this.#events.tell('sign-error', { error });
    if (!mayPass(error) && !error.code.startsWith('media_')) return;
    const again = (): void => void this.#take(wish, waysFor(wish));
    this.#later(AGAIN_MS, signal, again);
    window.addEventListener('online', again, { signal, once: true });
  }

  #later(ms: number, signal: AbortSignal, run: () => void): void {
    const timer = setTimeout(run, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
}

/** ProRes 4444 in QuickTime (document 2, `transparent`). */
const playsProRes = (): boolean =>
  document.createElement('video').canPlayType('video/quicktime; codecs="ap4h"') !== '';

const waysFor = ({ format, transparent }: SilenceWish): readonly Way[] => [
  ...(transparent && playsProRes() ? (['transparent'] as const) : []),
  ...(format === 'ts' && mediaSourceClass() ? (['segments'] as const) : []),
  'file',
  'plain',
];

async function loadLoop(
  wish: SilenceWish,
  way: Way,
  signal: AbortSignal,
): Promise<{ loop: SilenceLoop; url: string; lifetime: number | null }> {
  const query: SilenceRequest = {
    ...signerFor(wish),
    ...(way === 'transparent' ? { transparent: true } : { format: way === 'segments' ? 'ts' : 'mp4' }),
  };
  const { playables, ...about } = await loadSilence(resolveProxy(wish.proxy), query, signal);
  if (way === 'segments') return { loop: await loopOfSegments(playables.map(readable)), ...about };
  const [file] = playables;
  if (file === undefined) throw ownError('protocol_error', 'the answer names no video');
  return { loop: way === 'file' ? await loopOfFile(file) : file, ...about };
}

/** @throws SignError `media_error` for one that no script can read. */
function readable(playable: ClipFile | string): ClipFile {
  if (typeof playable === 'string') throw ownError('media_error', 'segments cannot be played unread');
  return playable;
}
