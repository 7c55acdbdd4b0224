// The stream of a live player: the options that select it (document 2, live session object, `manifests`), and its condition,
// from which live-view.ts derives the state.
// - An invalid option reads as the default, and is reported once.
// - The composite exists as HLS only; when a session has none, the signer alone is shown, with one warning.
// - A manifest in `src` is DASH when its path or `protocol` says so, else HLS.
// - Events of a stream that was dropped or replaced are ignored. The last frame stays on screen until the next stream has
//   painted one.
import { warnOnce } from '../internal/page-settings.ts';
import type { LiveProtocol, StreamAddresses } from '../playback/live/engine.ts';
import { httpUrl } from '../protocol/http-url.ts';
import type { LiveSession } from '../protocol/live-session.ts';
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { LivePlayer } from '../playback/live/live-player.ts';

/** The signer alone, or composed onto the event's own video. */
export type LiveView = 'signer' | 'composite';

export interface LiveOptions {
  readonly proxy: string;
  /** Id of a session; preferred to `src`. Null or empty for none. */
  readonly session: string | null;
  readonly src: string | null;
  readonly view: LiveView;
  readonly protocol: LiveProtocol;
  /** Seconds behind live, as the page has set it; null for the value that the stream asks for. */
  readonly targetLatency: number | null;
  /** Id of a `<video>` of the page to keep in step with. */
  readonly syncWith: string | null;
}

/** True when the two differ at most in how the same session or manifest is shown. */
export const isSameSubject = (a: LiveOptions, b: LiveOptions): boolean =>
  a.proxy === b.proxy && a.session === b.session && a.src === b.src;

/** Seconds behind live, above 0; null for what the stream asks for. */
export function targetLatencyOf({ targetLatency: asked }: LiveOptions): number | null {
  // A page may set a value of any type; templates of frameworks set digits as a string.
  const value: unknown = asked ?? '';
  if (value === '') return null;
  const seconds = Number(value);
  if (seconds > 0 && seconds < Infinity) return seconds;
  warnOnce('attribute target-latency', 'target-latency is a number of seconds above 0.');
  return null;
}

interface LiveAddresses {
  readonly addresses: StreamAddresses;
  readonly protocol: LiveProtocol;
}

/**
 * Null while no address is known: the session names no stream, or was not looked up yet (null).
 * @throws SignError `invalid_request` when `src`, resolved against the page, is no http(s) address
 */
export function addressesFor(options: LiveOptions, session: LiveSession | null): LiveAddresses | null {
  if (!options.session) return addressesOfManifest(options.src ?? '', options.protocol);
  return session && addressesOf(session, options);
}

function addressesOf(
  { manifests: { hls, dash, pip } }: LiveSession,
  { view, protocol }: LiveOptions,
): LiveAddresses | null {
  if (view === 'composite' && pip !== null) {
    return { addresses: { hls: pip, dash: null }, protocol: 'auto' };
  }
  if (hls === null && dash === null) return null;
  if (view === 'composite') {
    warnOnce(
      'sign-live-player composite',
      '<sign-live-player>: this session has no composite; the signer alone is shown.',
    );
  }
  return { addresses: { hls, dash }, protocol };
}

function addressesOfManifest(src: string, protocol: LiveProtocol): LiveAddresses {
  const url = httpUrl(src, document.baseURI);
  if (url === null) throw ownError('invalid_request', `src="${src}" is no http address`);
  const isDash = protocol === 'dash' || (protocol === 'auto' && /\.mpd$/i.test(new URL(url).pathname));
  return { addresses: isDash ? { hls: null, dash: url } : { hls: url, dash: null }, protocol };
}

interface LiveStreamEvents {
  /** Its addresses with current signatures; null when it has none any more. */
  renew(): Promise<StreamAddresses | null>;
  /** True once its session has ended. */
  isOver(): boolean;
  /** Its last frame has been shown. */
  over(): void;
  /** It will not be played any further. */
  lost(error: SignError): void;
  /** `painted`, `recovering` or `over` has changed. */
  changed(): void;
}

export class LiveStream {
  readonly player = new LivePlayer();
  readonly #events: LiveStreamEvents;
  #showing = new AbortController();
  #painted = false;
  #recovering = false;
  #over = false;

  constructor(events: LiveStreamEvents) {
    this.#events = events;
    for (const type of ['play', 'pause']) this.player.addEventListener(type, () => events.changed());
    this.player.addEventListener('playing', () => this.#onPlaying());
  }

  /** A frame is on screen, of this stream or of the one before. */
  get painted(): boolean {
    return this.#painted;
  }
  /** True while its media does not arrive. */
  get recovering(): boolean {
    return this.#recovering;
  }
  /** Its last frame has been shown. */
  get over(): boolean {
    return this.#over;
  }

  show({ addresses, protocol }: LiveAddresses, isRenewable: boolean): void {
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const request = { asked: this.#painted ? 0 : performance.now() };
    const whileShown = (change: () => void): void => {
      if (signal.aborted) return;
      change();
      this.#events.changed();
    };
    this.player.show({
      addresses,
      protocol,
      ...(isRenewable && { renew: () => this.#events.renew() }),
      isOver: () => this.#events.isOver(),
      painted: () =>
        whileShown(() => {
          this.#painted = true;
          this.player.counts.started(request);
          this.#recovering = this.#over = false;
        }),
      recovering: (on) => whileShown(() => (this.#recovering = on)),
      ended: () =>
        whileShown(() => {
          this.#over = true;
          this.#events.over();
        }),
      failed: (error) =>
        whileShown(() => {
          this.#recovering = true;
          this.#events.lost(error);
        }),
    });
  }

  /** A stream that was over plays again. */
  #onPlaying(): void {
    if (!this.#over) return;
    this.#over = false;
    this.#events.changed();
  }

  /** Removes the video and ends its download. */
  drop(): void {
    this.#showing.abort();
    this.#painted = this.#recovering = this.#over = false;
    this.player.reset();
  }
}
